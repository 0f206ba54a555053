"""Every kind of finding: judging by the legality rules, events, plans, their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import ndiff
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks import findings as deck_findings
from deckcheck.findings import Finding, Rule, Severity, UsageError, in_order
from deckcheck.formats.model import Constraint, Format
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Case, DeckFinding, JointCase
from deckcheck.messages import printable

# Findings about an event: its players, their lists, and what a seal covers.
#
# What looks for them is `deckcheck.events`.

MISSING_LIST = Rule("DE101", "missing-list", "A player has no list")

UNKNOWN_PLAYER = Rule("DE102", "unknown-player", "A list belongs to no player")

REPEATED_PLAYER = Rule("DE103", "repeated-player", "A player is registered twice")

SEVERAL_LISTS = Rule("DE104", "several-lists", "A player has more than one list")

SEVERAL_DECKS = Rule(
    "DE105", "several-decks", "A list holds several decks where the format wants one"
)

IDENTICAL_LISTS = Rule(
    "DE106", "identical-lists", "Two players have the same list", Severity.NOTE
)

OTHER_FILE = Rule(
    "DE107", "other-file", "A file among the lists is none", Severity.NOTE
)

OTHER_PLAYER = Rule(
    "DE108", "other-player", "A list names a different player from its file name"
)

OTHER_DATE = Rule(
    "DE109",
    "other-date",
    "Lists are judged as of a date other than that of the event",
    Severity.NOTE,
)

LATE_LIST = Rule("DE110", "late-list", "A list arrived after the deadline")

CHANGED_LIST = Rule("DE201", "changed-list", "A list has changed since the seal")

NEW_LIST = Rule("DE202", "new-list", "A list was added after the seal")

REMOVED_LIST = Rule("DE203", "removed-list", "A list was removed after the seal")

CHANGED_RULES = Rule(
    "DE204", "changed-rules", "The rules of the format have changed since the seal"
)

CHANGED_CARDS = Rule(
    "DE205",
    "changed-cards",
    "The card data has changed since the seal",
    Severity.WARNING,
)

UNVERIFIED_LISTS = Rule(
    "DE207",
    "unverified-lists",
    "Lists could not be compared with their seal",
    Severity.WARNING,
)


# Findings about a plan: what it expects of win rates, and what games say of that.
#
# What plays them is `deckcheck expect`.

FAILED_EXPECTATION = Rule(
    "DW101", "failed-expectation", "A win rate is not what the plan expects"
)

OPEN_EXPECTATION = Rule(
    "DW102",
    "open-expectation",
    "Too few games to say whether a win rate is what the plan expects",
    Severity.WARNING,
)


# The register of every kind of finding

LEGALITY_RULES: tuple[Rule, ...] = tuple(
    rule
    for legality in VOCABULARY.values()
    for rule in (*legality.checks, *legality.joint_checks)
)
"""The kinds of findings that make a deck illegal."""

JOINT_RULES = frozenset(
    rule for legality in VOCABULARY.values() for rule in legality.joint_checks
)
"""The kinds of findings about all decks of a file together."""

_MODULE_VALUES = (*vars(deck_findings).values(), *globals().values())
ALL_RULES: tuple[Rule, ...] = tuple(
    sorted(
        {*LEGALITY_RULES, *(each for each in _MODULE_VALUES if isinstance(each, Rule))},
        key=lambda rule: rule.code,
    )
)
"""Every kind of finding, by code."""

DECK_RULES = tuple(rule for rule in ALL_RULES if rule.about == "deck")
"""The kinds of findings that comments and configurations can change."""


# Judges resolved decks by every constraint of a format: each alone, then together


def judge(deck: Deck, fmt: Format, database: CardDatabase) -> tuple[Finding, ...]:
    """Find every way in which `deck` alone is not legal in `fmt`, in order.

    A deck without findings is legal, which does not mean good. `database` is the card
    database of the format's game, and the deck was resolved with it. Raises UsageError
    when a constraint uses a word that no legality rule knows.
    """
    return in_order(find_faults(deck, fmt, database))


def find_faults(deck: Deck, fmt: Format, database: CardDatabase) -> Iterator[Finding]:
    """Yield the findings of `judge` by constraint."""
    for constraint in fmt.constraints:
        yield from find_breaches(constraint, deck, fmt, database)


def find_breaches(
    constraint: Constraint, deck: Deck, fmt: Format, database: CardDatabase
) -> Iterator[Finding]:
    """Yield the findings about one constraint, for who stops at the first error."""
    legality = VOCABULARY.get(constraint.rule)
    if legality is None:
        raise UsageError(
            f"Constraint `{constraint.name}` of {fmt.id} uses the unknown rule "
            f"`{constraint.rule}`",
            f"See {constraint.origin}",
        )
    case = Case(constraint, fmt, database, deck)
    for check in legality.checks.values():
        yield from check(case)


def judge_together(
    decks: Sequence[Deck],
    fmt: Format,
    database: CardDatabase,
    *,
    unread: int = 0,
    others: int = 0,
) -> list[DeckFinding]:
    """Find every way in which the decks of one file are not legal together.

    `unread` is how many more decks the file holds that could not be read, `others` how
    many of another format.
    """
    findings: list[DeckFinding] = []
    for constraint in fmt.constraints:
        case = JointCase(constraint, fmt, database, tuple(decks), unread, others)
        for check in VOCABULARY[constraint.rule].joint_checks.values():
            findings.extend(check(case))
    return findings


# Text about findings: what `deckcheck rule` shows and `docs/` holds

EXPLANATIONS = Path(__file__).with_name("explanations")

MAX_EXAMPLE_LINES = 20
CONTEXT_LINES = 2
GENERATED_EXAMPLES = {
    # What no text file can hold.
    "oversized-file": {"bad": "2 Ballista\n" * 10_001},
    "undecodable-file": {"bad": "Leader: Foltest, The Siegemaster\n\nEithn\udce9\n"},
}


class Explanation(NamedTuple):
    """The text of `deckcheck rule` about a kind of finding.

    The examples are decks as a player would write them, by default in the format
    `gwent/standard`, or event files with their lists in comments, or plans. A test
    checks them. Both are empty where one deck cannot show the finding.
    """

    what: str
    """What is reported."""
    why: str
    """The reason, with its source."""
    bad: str = ""
    """An example with this finding."""
    good: str = ""
    """The example without this finding."""


@cache
def explanations(family: str) -> Mapping[str, Mapping[str, str]]:
    """Read the texts of a family of findings, by name; `all` has common texts."""
    from deckcheck.documents.readers import read_yaml

    texts = read_yaml((EXPLANATIONS / f"{family}.yaml").read_bytes()).data
    assert isinstance(texts, dict)
    return texts


def explain(rule: Rule) -> Explanation:
    """Return the texts of a kind of finding, from the file of its family."""
    texts = explanations(rule.family)
    generated = GENERATED_EXAMPLES.get(rule.name, {})
    return Explanation(**{**texts.get("all", {}), **texts[rule.name], **generated})


def shown_deck(text: str) -> str:
    """Shorten a long deck for an example, and make every character printable."""
    lines = text.splitlines()
    if len(lines) > MAX_EXAMPLE_LINES:
        lines = [*lines[:2], f"... {len(lines) - 2:,} more lines"]
    return "\n".join(map(printable, lines))


def in_words(rule: Rule) -> Iterator[str]:
    """Yield the paragraphs that explain a kind of finding: what, why, an example."""
    what, why, bad, good = explain(rule)
    yield from (rule.summary, what, f"Why\n{_indent(why)}")
    if bad:
        example = _indent("\n".join(difference(bad, good)))
        yield f"{rule.example} with this finding (-), and without it (+)\n{example}"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def difference(bad: str, good: str) -> Iterator[str]:
    """Yield the lines that differ, each with up to `CONTEXT_LINES` lines above.

    Blank lines are left out.
    """
    before: list[str] = []
    for line in ndiff(shown_deck(bad).splitlines(), shown_deck(good).splitlines()):
        if line.startswith("?") or not line[1:].strip():
            continue
        if line.startswith(" "):
            before = [*before, line][-CONTEXT_LINES:]
            continue
        yield from (each.rstrip() for each in (*before, line))
        before = []
