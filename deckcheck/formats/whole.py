"""Formats in which a deck is a whole faction, and need not be written out."""

from __future__ import annotations

from collections import Counter

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.formats.vocabulary import Condition


def whole_faction(
    db: CardDatabase, faction: str, without: Condition | None = None
) -> Counter[str]:
    """All copies of the cards of a faction and the neutral ones, by id.

    Cards of the side deck and those that fit `without` are left out; a condition
    without any list leaves out nothing.
    """
    fitting = (faction, db.game.neutral)
    leaves_out = without if without not in (None, Condition()) else None
    return Counter(
        {
            card.id: card.copies
            for card in db.cards.values()
            if card.faction in fitting and card.deckable
            if leaves_out is None or not leaves_out.matches(card)
        }
    )


def is_left_to_the_tool(deck: Deck) -> bool:
    """Whether the file of a deck writes out no card at all."""
    return not deck.entries and not deck.unread
