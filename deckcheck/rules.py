"""Every kind of finding: judging by the legality rules, events, plans, their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.findings import NAMING_RULES, READING_RULES, SUPPRESSION_RULES
from deckcheck.findings import Finding, Rule, Severity, UsageError, in_order
from deckcheck.formats.model import Format
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Case, DeckFinding, JointCase
from deckcheck.messages import printable

# Findings about an event: its players, their lists, and what a seal covers.
#
# What looks for them is `deckcheck.events`.

_EVENT = """\
name = "Winter cup"
date = "2025-12-06"
format = "gwent/standard"
lists = "lists"
players = ["Anna Nowak", "Ben Ito"]
"""
_ANNA = "# lists/anna_nowak.deck\n"
_BEN = "# lists/ben_ito.deck\n"
_GOOD = _EVENT + _ANNA + _BEN

MISSING_LIST = Rule(
    code="DE101",
    name="missing-list",
    summary="A player has no list",
    what="""\
No file in the folder of lists has the name of this player. Case, accents, dashes and
spaces do not matter: `anna_nowak.deck` is the list of Anna Nowak.""",
    why="""\
Nobody can play without a list, and the day of the event is too late to find out.""",
    bad=_EVENT + _ANNA,
    good=_GOOD,
    about="event",
)

UNKNOWN_PLAYER = Rule(
    code="DE102",
    name="unknown-player",
    summary="A list belongs to no player",
    what="""\
No registered player has the name of this file. Either the file or the player is
misspelt, or the player is not registered yet.""",
    why="A list without a player is often the one that another player lacks.",
    bad=_GOOD + "# lists/carla_rossi.deck\n",
    good=_GOOD,
    about="event",
)

REPEATED_PLAYER = Rule(
    code="DE103",
    name="repeated-player",
    summary="A player is registered twice",
    what="""\
Two names in the event file are the same apart from case, accents, dashes and spaces.
Lists are identified by these names, so two players cannot share one.""",
    why="A player who is registered twice would be paired twice.",
    bad=_GOOD.replace('"Ben Ito"', '"Ben Ito", "ANNA NOWAK"'),
    good=_GOOD,
    about="event",
)

SEVERAL_LISTS = Rule(
    code="DE104",
    name="several-lists",
    summary="A player has more than one list",
    what="""\
Two files in the folder of lists have the name of this player, such as `ben_ito.deck`
and `Ben Ito.txt`. The tool does not choose between them.""",
    why="With two lists a player could decide in the hall which one to play.",
    bad=_GOOD + "# lists/Ben Ito.txt\n",
    good=_GOOD,
    about="event",
)

SEVERAL_DECKS = Rule(
    code="DE105",
    name="several-decks",
    summary="A list holds several decks where the format wants one",
    what="""\
The decks of a file are separated by a line `---`. A format such as `gwent/tournament`
wants three of them in a list; most formats want one.""",
    why="With two decks a player could decide in the hall which one to play.",
    bad=_EVENT + _ANNA + "# lists/ben_ito.deck: two decks\n",
    good=_GOOD,
    about="event",
)

IDENTICAL_LISTS = Rule(
    code="DE106",
    name="identical-lists",
    summary="Two players have the same list",
    what="""\
The lists of two players hold the same cards and leaders. Names, comments and the order
of lines do not matter. That is allowed, but perhaps one of them sent the wrong
file.""",
    why="Friends test each other's decks, and it is easy to attach the wrong file.",
    bad=_EVENT + _ANNA + "# lists/ben_ito.deck: the cards of anna_nowak.deck\n",
    good=_GOOD,
    severity=Severity.NOTE,
    about="event",
)

OTHER_FILE = Rule(
    code="DE107",
    name="other-file",
    summary="A file among the lists is none",
    what="""\
Neither its suffix is that of a deck nor its name that of a player: a picture, an
archive, notes of the organiser. A file that is named like a player is the list of that
player, whatever its suffix, and is read and judged as one.""",
    why="It may be the list that a player lacks, under another name.",
    bad=_GOOD + "# lists/dora.zip\n",
    good=_GOOD,
    severity=Severity.NOTE,
    about="event",
)

OTHER_PLAYER = Rule(
    code="DE108",
    name="other-player",
    summary="A list says that it is of another player than its file",
    what="""\
The line `Player` of a list names a player, and the file is named after another one.
Words may be missing or stand in another order: `Nowak, Anna` is Anna Nowak. Of
somebody who is not registered at all it is a warning.""",
    why="Two files that were swapped are two legal lists, and neither is its player's.",
    bad=_EVENT + _ANNA + "# lists/ben_ito.deck: by Anna Nowak\n",
    good=_GOOD,
    about="event",
)

OTHER_DATE = Rule(
    code="DE109",
    name="other-date",
    summary="Lists are judged as of another date than that of the event",
    what="""\
The day of an event chooses the snapshot of its format. Here something else does:
`--as-of`, a format such as `gwent/standard@2025-10`, or the last snapshot where the
date is in words alone. Of `2026-03-14 and 15` the 14th counts.""",
    why="A ban that begins after the event must not make a list illegal, nor legal.",
    bad=_GOOD.replace("2025-12-06", "6 December"),
    good=_GOOD,
    severity=Severity.NOTE,
    about="event",
)

CHANGED_LIST = Rule(
    code="DE201",
    name="changed-list",
    summary="A list has changed since the seal",
    what="""\
The bytes of the file are not those that were sealed. A comment or a space is enough.
`deckcheck event FILE --verify SEAL` looks for that.""",
    why="A seal promises that nobody touched a list after the deadline.",
    bad=_GOOD + "# after the seal: lists/ben_ito.deck has changed\n",
    good=_GOOD,
    about="event",
)

NEW_LIST = Rule(
    code="DE202",
    name="new-list",
    summary="A list was added after the seal",
    what="""\
The seal does not list this file. A renamed list is new under its new name, and gone
under its old one.""",
    why="A seal promises that no list was added after the deadline.",
    bad=_GOOD + "# after the seal: lists/Ben Ito.txt is new\n",
    good=_GOOD,
    about="event",
)

REMOVED_LIST = Rule(
    code="DE203",
    name="removed-list",
    summary="A list was removed after the seal",
    what="The seal has a list of this name, and the folder of lists has none.",
    why="A seal promises that every list is still there.",
    bad=_GOOD + "# after the seal: lists/ben_ito.deck is gone\n",
    good=_GOOD,
    about="event",
)

CHANGED_RULES = Rule(
    code="DE204",
    name="changed-rules",
    summary="The rules of the format have changed since the seal",
    what="""\
The event names another format or snapshot than the seal does, or the file of the format
has changed. What was legal then may be illegal now.""",
    why="A seal says which rules the lists were judged by.",
    bad=_GOOD + "# after the seal: format has changed to gwent/advanced\n",
    good=_GOOD,
    about="event",
)

CHANGED_CARDS = Rule(
    code="DE205",
    name="changed-cards",
    summary="The card data has changed since the seal",
    what="""\
A card or a leader of the game was corrected or added since the lists were sealed,
perhaps by a new version of deckcheck. The lists are judged by the new data.""",
    why="A seal says which card data the lists were judged by.",
    bad=_GOOD + "# after the seal: card data has changed\n",
    good=_GOOD,
    severity=Severity.WARNING,
    about="event",
)

OTHER_VERSION = Rule(
    code="DE206",
    name="other-version",
    summary="The seal was made by another version of deckcheck",
    what="""\
Versions may judge differently, as the changelog says. As long as neither lists nor
rules have changed, this is only worth knowing.""",
    why="A seal says which version the lists were judged by.",
    bad=_GOOD + "# after the seal: deckcheck has changed\n",
    good=_GOOD,
    severity=Severity.NOTE,
    about="event",
)

UNVERIFIED_LISTS = Rule(
    code="DE207",
    name="unverified-lists",
    summary="Lists could not be compared with their seal",
    what="""\
A seal hides its lists by salts, which the organiser keeps in the file of `--salts`.
Without that file only the names of the lists can be compared, the rules and the
cards.""",
    why="Nobody should take lists for unchanged that were not compared.",
    bad=_GOOD + "# after the seal: the salts are not named\n",
    good=_GOOD,
    severity=Severity.WARNING,
    about="event",
)

EVENT_RULES: tuple[Rule, ...] = (
    MISSING_LIST,
    UNKNOWN_PLAYER,
    REPEATED_PLAYER,
    SEVERAL_LISTS,
    SEVERAL_DECKS,
    IDENTICAL_LISTS,
    OTHER_FILE,
    OTHER_PLAYER,
    OTHER_DATE,
    CHANGED_LIST,
    NEW_LIST,
    REMOVED_LIST,
    CHANGED_RULES,
    CHANGED_CARDS,
    OTHER_VERSION,
    UNVERIFIED_LISTS,
)


# Findings about a plan: what it expects of win rates, and what games say of that.
#
# What plays them is `deckcheck expect`.

_PLAN = """\
[experiments.duel]
decks = ["nr_siege_masters.deck", "mo_swarm.deck"]
policies = ["random"]
games = {games}
expect = ["win_rate(mo_swarm) {side} {bound}"]
"""

FAILED_EXPECTATION = Rule(
    code="DW101",
    name="failed-expectation",
    summary="A win rate is not what the plan expects",
    what="""\
The interval of a win rate lies outside the bounds that the plan states, with the
confidence that it asks for. Of an expectation about several rates one is enough.""",
    why="""\
A designer who changes a card wants to know what that does to the balance. More games
do not help here: change the cards, or what is expected of them.""",
    bad=_PLAN.format(games=200, side=">", bound="0.99"),
    good=_PLAN.format(games=200, side="<", bound="0.99"),
    about="plan",
)

OPEN_EXPECTATION = Rule(
    code="DW102",
    name="open-expectation",
    summary="Too few games to say whether a win rate is what the plan expects",
    what="""\
The interval of a win rate holds a bound that the plan states: the true rate may lie on
either side of it.""",
    why="""\
Games by chance decide a question only when there are enough of them. Play more, or let
`until_decided = true` play as many as it takes; a rate that lies on the bound is never
decided.""",
    bad=_PLAN.format(games=2, side="<", bound="0.6"),
    good=_PLAN.format(games=200, side="<", bound="0.99"),
    severity=Severity.WARNING,
    about="plan",
)

PLAN_RULES: tuple[Rule, ...] = (FAILED_EXPECTATION, OPEN_EXPECTATION)


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

ALL_RULES: tuple[Rule, ...] = tuple(
    sorted(
        {
            *READING_RULES,
            *NAMING_RULES,
            *SUPPRESSION_RULES,
            *EVENT_RULES,
            *PLAN_RULES,
            *LEGALITY_RULES,
        },
        key=lambda rule: rule.code,
    )
)
"""Every kind of finding, by code."""

DECK_RULES = tuple(rule for rule in ALL_RULES if rule.about == "deck")
"""What may be wrong with decks: comments and configurations have a say in these."""


# Judges resolved decks by every constraint of a format: each alone, then together.


def judge(deck: Deck, fmt: Format, db: CardDatabase) -> tuple[Finding, ...]:
    """Every way in which `deck` alone is not legal in `fmt`; all of them, in order.

    A deck without findings is legal, which does not mean good. `db` is the card
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
        case = Case(constraint, fmt, db, deck)
        for check in legality.checks.values():
            findings.extend(check(case))
    return in_order(findings)


def judge_together(
    decks: Sequence[Deck],
    fmt: Format,
    db: CardDatabase,
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
        case = JointCase(constraint, fmt, db, tuple(decks), unread, others)
        for check in VOCABULARY[constraint.rule].joint_checks.values():
            findings.extend(check(case))
    return findings


# Text about findings: what `deckcheck rule` shows and `docs/` holds.

FAMILIES: tuple[tuple[str, str], ...] = (
    ("DP", "Reading a deck"),
    ("DC", "Cards and names"),
    ("DL", "Sizes and limits"),
    ("DF", "Faction and leader"),
    ("DB", "Banned and restricted cards, banned leaders"),
    ("DX", "Across the decks of a file"),
    ("DE", "Events: players, lists and seals"),
    ("DW", "Plans: what is expected of win rates"),
    ("DS", "Suppression comments"),
)

_LONGEST = 20

_HEAD = """\
# Findings

For those who met a finding of a deck, an event or a plan.
Here is every kind, with its reason and an example with and without it.
`deckcheck rule NAME` shows the same text on the command line.
Codes and names are permanent: none is ever used again for something else.

Read a name after the word "allow": allow `too-many-copies`.
An error makes a deck illegal, an event unsound, a plan fail.
A warning or a note does not.

This page is generated by `python -m tools.pages`.
"""


def shown_deck(text: str) -> str:
    """A deck as an example shows it: cut when it is long, every character printable."""
    lines = text.splitlines()
    if len(lines) > _LONGEST:
        lines = [*lines[:2], f"... {len(lines) - 2:,} more lines"]
    return "\n".join(map(printable, lines))


def reference_page() -> str:
    """The page `docs/reference/findings.md`."""
    parts = [_HEAD]
    for family, title in FAMILIES:
        parts.append(f"## {title}\n")
        for rule in ALL_RULES:
            if rule.code.startswith(family):
                parts.extend(_section(rule))
    return "\n".join(parts)


def _section(rule: Rule) -> Iterator[str]:
    yield f"### {rule.name} ({rule.code})\n"
    yield f"*{rule.severity.value.capitalize()}.* {rule.summary}.\n"
    yield f"{_sentences(rule.what)}\n"
    yield f"**Why:** {_sentences(rule.why)}\n"
    yield f"{rule.example} with this finding:\n\n```\n{shown_deck(rule.bad)}\n```\n"
    yield f"{rule.example} without it:\n\n```\n{shown_deck(rule.good)}\n```\n"


def _sentences(text: str) -> str:
    """A paragraph with each sentence on a line of its own."""
    return " ".join(text.split()).replace(". ", ".\n")
