"""All rules: their register, judging by them, their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.findings import NAMING_RULES, READING_RULES, SUPPRESSION_RULES
from deckcheck.findings import Finding, Rule, UsageError, in_order
from deckcheck.formats.model import Format
from deckcheck.messages import printable
from deckcheck.rules import bans, factions, limits, lineups
from deckcheck.rules.case import Case, DeckFinding, JointCase, JointLegality, Legality
from deckcheck.rules.event_rules import EVENT_RULES, PLAN_RULES

# The register of all legality rules, and of every kind of finding.

LEGALITIES: tuple[Legality, ...] = (
    bans.BANNED_CARD_LEGALITY,
    bans.BANNED_LEADER_LEGALITY,
    bans.BANNED_FACTION_LEGALITY,
    bans.RESTRICTED_CARD_LEGALITY,
    bans.UNDECKABLE_CARD_LEGALITY,
    limits.TOO_FEW_CARDS_LEGALITY,
    limits.TOO_MANY_CARDS_LEGALITY,
    limits.TOO_MANY_COPIES_LEGALITY,
    limits.TOO_MANY_COPIES_IN_RESERVES,
    limits.TOO_LOW_TOTAL_LEGALITY,
    limits.TOO_HIGH_TOTAL_LEGALITY,
    limits.TOO_MANY_POINTS_LEGALITY,
    limits.MISSING_CARDS_LEGALITY,
    factions.MISSING_LEADER_LEGALITY,
    factions.TOO_MANY_LEADERS_LEGALITY,
    factions.FOREIGN_LEADER_LEGALITY,
    factions.FOREIGN_CARD_LEGALITY,
    factions.FOREIGN_CARD_IN_RESERVES,
    factions.MIXED_FACTIONS_LEGALITY,
    limits.MISSING_RESERVE_LEGALITY,
    limits.INCOMPLETE_RESERVES_LEGALITY,
)

JOINT_LEGALITIES: tuple[JointLegality, ...] = (
    lineups.WRONG_NUMBER_OF_DECKS_LEGALITY,
    lineups.REPEATED_FACTION_LEGALITY,
    lineups.SHARED_CARD_LEGALITY,
)

ALL_RULES: tuple[Rule, ...] = tuple(
    sorted(
        {
            *READING_RULES,
            *NAMING_RULES,
            *SUPPRESSION_RULES,
            *EVENT_RULES,
            *PLAN_RULES,
            *(legality.rule for legality in LEGALITIES),
            *(legality.rule for legality in JOINT_LEGALITIES),
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
        rules = _rules_for(constraint.rule)
        if not rules and not _joint_rules_for(constraint.rule):
            raise UsageError(
                f"Constraint `{constraint.name}` of {fmt.id} uses the unknown rule "
                f"`{constraint.rule}`",
                f"See {constraint.origin}",
            )
        case = Case(deck, fmt, constraint, db)
        for legality in rules:
            findings.extend(legality.check(case))
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
        case = JointCase(tuple(decks), fmt, constraint, db, unread, others)
        for legality in _joint_rules_for(constraint.rule):
            findings.extend(legality.check(case))
    return findings


def _joint_rules_for(vocabulary: str) -> list[JointLegality]:
    return [rule for rule in JOINT_LEGALITIES if rule.vocabulary == vocabulary]


def _rules_for(vocabulary: str) -> list[Legality]:
    return [rule for rule in LEGALITIES if rule.vocabulary == vocabulary]


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

This page is generated by `python -m benchmarks.pages`.
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
