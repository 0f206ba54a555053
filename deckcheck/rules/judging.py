"""Judges resolved decks by every constraint of a format: each alone, then together."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.findings import Finding, UsageError, in_order
from deckcheck.formats.models import Format
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.joint import DeckFinding, JointCase, JointLegality
from deckcheck.rules.registry import JOINT_LEGALITIES, LEGALITIES


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
