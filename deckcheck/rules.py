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
from deckcheck.formats.model import Format
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


# The register of every kind of finding.

LEGALITY_RULES: tuple[Rule, ...] = tuple(
    rule
    for legality in VOCABULARY.values()
    for rule in (*legality.checks, *legality.joint_checks)
)
"""The reasons for which decks are refused."""

JOINT_RULES = frozenset(
    rule for legality in VOCABULARY.values() for rule in legality.joint_checks
)
"""Those that are about the decks of a file together."""

_DECLARED = (*vars(deck_findings).values(), *globals().values())
ALL_RULES: tuple[Rule, ...] = tuple(
    sorted(
        {*LEGALITY_RULES, *(each for each in _DECLARED if isinstance(each, Rule))},
        key=lambda rule: rule.code,
    )
)
"""Every kind of finding, by code."""

DECK_RULES = tuple(rule for rule in ALL_RULES if rule.about == "deck")
"""What may be wrong with decks: comments and configurations have a say in these."""


# Judges resolved decks by every constraint of a format: each alone, then together.


def judge(deck: Deck, fmt: Format, database: CardDatabase) -> tuple[Finding, ...]:
    """Every way in which `deck` alone is not legal in `fmt`; all of them, in order.

    A deck without findings is legal, which does not mean good. `database` is the card
    database of the format's game, and the deck was resolved with it. Raises UsageError
    when a constraint uses a word that no legality rule knows.
    """
    findings: list[Finding] = []
    for constraint in fmt.constraints:
        legality = VOCABULARY.get(constraint.rule)
        if legality is None:
            raise UsageError(
                f"Constraint `{constraint.name}` of {fmt.id} uses the unknown rule "
                f"`{constraint.rule}`",
                f"See {constraint.origin}",
            )
        case = Case(constraint, fmt, database, deck)
        for check in legality.checks.values():
            findings.extend(check(case))
    return in_order(findings)


def judge_together(
    decks: Sequence[Deck],
    fmt: Format,
    database: CardDatabase,
    *,
    unread: int = 0,
    others: int = 0,
) -> list[DeckFinding]:
    """Every way in which the decks of one file are not legal together.

    `unread` is how many more decks the file holds that could not be read, `others` how
    many of another format.
    """
    findings: list[DeckFinding] = []
    for constraint in fmt.constraints:
        case = JointCase(constraint, fmt, database, tuple(decks), unread, others)
        for check in VOCABULARY[constraint.rule].joint_checks.values():
            findings.extend(check(case))
    return findings


# Text about findings: what `deckcheck rule` shows and `docs/` holds.

EXPLANATIONS = Path(__file__).with_name("explanations")

_LONGEST = 20
_CONTEXT = 2
_MADE = {
    # What no text file can hold.
    "oversized-file": {"bad": "2 Ballista\n" * 10_001},
    "undecodable-file": {"bad": "Leader: Foltest, The Siegemaster\n\nEithn\udce9\n"},
}


class Explanation(NamedTuple):
    """The text of `deckcheck rule` about a kind of finding.

    `what` says what is reported, `why` gives the reason with its source. `bad` and
    `good` are decks as a player would write them, in the format `gwent/standard` unless
    they name another: `bad` has this finding, `good` has not (a test checks both). Of
    events they are event files, and comments below say which lists there are; of plans
    they are plans. Both are empty where one deck cannot show the finding.
    """

    what: str
    why: str
    bad: str = ""
    good: str = ""


@cache
def explanations(family: str) -> Mapping[str, Mapping[str, str]]:
    """The texts of a family of findings, by their names; `all` has what they share."""
    from deckcheck.documents.readers import read_yaml

    texts = read_yaml((EXPLANATIONS / f"{family}.yaml").read_bytes()).data
    assert isinstance(texts, dict)
    return texts


def explain(rule: Rule) -> Explanation:
    """The texts of a kind of finding, from the file of its family."""
    texts = explanations(rule.family)
    own = {**texts.get("all", {}), **texts[rule.name], **_MADE.get(rule.name, {})}
    return Explanation(**own)


def shown_deck(text: str) -> str:
    """A deck as an example shows it: cut when it is long, every character printable."""
    lines = text.splitlines()
    if len(lines) > _LONGEST:
        lines = [*lines[:2], f"... {len(lines) - 2:,} more lines"]
    return "\n".join(map(printable, lines))


def in_words(rule: Rule) -> Iterator[str]:
    """Yield the paragraphs that explain a kind of finding: what, why, an example."""
    what, why, bad, good = explain(rule)
    yield from (rule.summary, what, f"Why\n{_indented(why)}")
    if bad:
        example = _indented("\n".join(difference(bad, good)))
        yield f"{rule.example} with this finding (-), and without it (+)\n{example}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def difference(bad: str, good: str) -> Iterator[str]:
    """What differs between the examples, with up to `_CONTEXT` lines above each change.

    Blank lines are left out.
    """
    before: list[str] = []
    for line in ndiff(shown_deck(bad).splitlines(), shown_deck(good).splitlines()):
        if line.startswith("?") or not line[1:].strip():
            continue
        if line.startswith(" "):
            before = [*before, line][-_CONTEXT:]
            continue
        yield from (each.rstrip() for each in (*before, line))
        before = []
