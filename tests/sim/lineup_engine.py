"""Games of tournament matches without the engine: decks have chances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from deckcheck.engine.match import Table
from deckcheck.engine.tally import Field, new_tally
from deckcheck.sim.lineup_rules import LONGEST
from deckcheck.sim.selection import Chances, random_number


class FakeGames:
    """Stands in for `play_block`: games fall as the chances say."""

    def __init__(self, chances: Sequence[Sequence[Chances]]) -> None:
        self.cells = [cell for row in chances for cell in row]
        self.played: list[tuple[int, int]] = []

    @property
    def table(self) -> Table:
        return Table("fake", "two", tuple(b"" for _ in self.cells))

    def __call__(self, table: Table, *place: int) -> npt.NDArray[np.int64]:
        seed, stream, pair, pairs, at = place
        assert pairs == 1
        assert stream // LONGEST % len(self.cells) == at
        self.played.append((pair, at))
        tally = new_tally()
        for began in range(2):
            number = random_number(seed, stream, pair, began) / 2**64
            win, draw = self.cells[at]
            fields = (Field.WINS_A, Field.DRAWS, Field.WINS_B)
            field = fields[(number >= win) + (number >= win + draw)]
            tally[field + began] += 1
        tally[Field.CHECKSUM] = random_number(seed, stream, pair) % 2**40
        return tally
