"""A position of Gwent in the engine's records, and its cards by their ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.host.cardtable import card_numbers

__all__ = ["TWO_SIDES", "Board"]

TWO_SIDES = 2


class Board:
    """The records `s` and `x`, and who sits there: `players`, and `sides` of teams."""

    def __init__(
        self,
        s: Any,
        x: Any,
        database: CardDatabase,
        players: tuple[str, ...],
        sides: tuple[str, ...],
    ) -> None:
        self.s, self.x = s, x
        self.database = database
        self.players, self.sides = players, sides
        self.cards = database.cards
        self.numbers = card_numbers(database)
        self._ids = {number: id for id, number in self.numbers.items()}

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return None if self.s.phase == Phase.OVER else self.players[self.s.turn]

    @property
    def has_teams(self) -> bool:
        """Whether players share their sides."""
        return self.sides != self.players

    def id_of(self, number: Any) -> str:
        """The card of a number, whatever its colour."""
        return self._ids[int(self.x.plain[int(number)])]

    def ids_of(self, numbers: Iterable[Any]) -> list[str]:
        """The cards of these numbers."""
        return [self.id_of(number) for number in numbers]

    def names_of(self, ids: Iterable[str]) -> str:
        """The names of cards, with commas."""
        return ", ".join(self.cards[id].name for id in ids)
