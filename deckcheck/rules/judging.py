"""Judges a resolved deck by every constraint of a format."""

from __future__ import annotations

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.findings import Finding, UsageError, in_order
from deckcheck.formats.models import Format
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.registry import LEGALITIES

__all__ = ["judge"]


def judge(deck: Deck, fmt: Format, db: CardDatabase) -> tuple[Finding, ...]:
    """Every way in which `deck` is not legal in `fmt`; all of them, in order.

    A deck without findings is legal, which does not mean good. `db` is the card
    database of the format's game, and the deck was resolved with it. Raises UsageError
    when a constraint uses a word that no legality rule knows.
    """
    findings: list[Finding] = []
    for constraint in fmt.constraints:
        known = _rules_for(constraint.rule)
        if not known:
            raise UsageError(
                f"Constraint `{constraint.name}` of {fmt.id} uses the unknown rule "
                f"`{constraint.rule}`",
                f"See {constraint.origin}",
            )
        case = Case(deck, fmt, constraint, db)
        for legality in known:
            findings.extend(legality.check(case))
    return in_order(findings)


def _rules_for(vocabulary: str) -> list[Legality]:
    return [known for known in LEGALITIES if known.vocabulary == vocabulary]
