"""Sums over the figures printed on the cards of a deck."""

from __future__ import annotations

from deckcheck.decks import DeckEntry
from deckcheck.rules.case import Case


def weights(case: Case) -> list[tuple[DeckEntry, int]]:
    """Each line the constraint is about, with what it adds to the sum."""
    attribute = str(case.constraint.settings["attribute"])
    weighed = []
    for entry, card in case.entries():
        value = getattr(card, attribute, None)
        if isinstance(value, int):
            weighed.append((entry, value * entry.count))
    return weighed


def total(case: Case) -> int:
    """The sum of the constraint's attribute over the deck."""
    return sum(weight for _, weight in weights(case))
