"""The cards of a deck by kind, in the order in which decks are written and counted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from deckcheck.cards import CardDatabase, normalise

_TITLES = {
    "hero": "Heroes",
    "weather": "Weather",
    "bronze": "Bronze",
    "silver": "Silver",
    "gold": "Gold",
}


class Section(NamedTuple):
    """The cards of one kind: ids with their counts."""

    kind: str
    cards: tuple[tuple[str, int], ...]

    @property
    def title(self) -> str:
        """`Units`, `Heroes`, `Weather`."""
        return section_title(self.kind)

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(count for _, count in self.cards)


def sections(counts: Mapping[str, int], db: CardDatabase) -> tuple[Section, ...]:
    """Counted cards by kind, as the game lists them, each sorted by name."""
    ordered = sorted(counts, key=lambda id: card_order(id, db))
    kinds = groupby(ordered, key=lambda id: db.cards[id].kind)
    return tuple(
        Section(kind, tuple((id, counts[id]) for id in ids)) for kind, ids in kinds
    )


def section_title(kind: str) -> str:
    """What stands above the cards of a kind."""
    return _TITLES.get(kind, f"{kind.capitalize().replace('_', ' ')}s")


def card_order(card: str, db: CardDatabase) -> tuple[int, str]:
    """Cards are sorted by kind, as the game lists them, then by name."""
    record = db.cards[card]
    return db.game.kinds.index(record.kind), normalise(record.name)
