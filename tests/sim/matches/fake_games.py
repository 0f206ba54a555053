"""Games of tournament matches without the engine: decks have chances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deckcheck.playing.kernel import GameOutcome, Ints, ListedGame
from deckcheck.playing.table import Table
from deckcheck.sim.matches import LONGEST, number_of
from deckcheck.sim.selection import Chances


class FakeGames:
    """Stands in for `play_listed`: games fall as the chances say."""

    def __init__(self, chances: Sequence[Sequence[Chances]]) -> None:
        self.cells = [cell for row in chances for cell in row]
        self.played: list[tuple[int, ...]] = []

    @property
    def table(self) -> Table:
        return Table("fake", "two", tuple(b"" for _ in self.cells), streams=4)

    def __call__(self, table: Table, seed: int, games: Ints) -> Ints:
        outcomes = np.zeros((len(games), GameOutcome.PLACE + 8), np.int64)
        for game, outcome in zip(games.tolist(), outcomes, strict=True):
            at, stream = game[ListedGame.CONTEXT], game[ListedGame.STREAM]
            assert stream // table.streams // LONGEST % len(self.cells) == at
            self.played.append(tuple(game))
            win, draw = self.cells[at]
            number = number_of(seed, *game) / 2**64
            outcome[GameOutcome.HISTORY] = number_of(seed, *game) % 2**40
            places = ((1, 2), (1, 1), (2, 1))[(number >= win) + (number >= win + draw)]
            outcome[GameOutcome.PLACE : GameOutcome.PLACE + 2] = places
        return outcomes
