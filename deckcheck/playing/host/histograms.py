"""A table of which more is counted than sums: rounds, and by how much games are won.

Both are counted from the outcomes of games, here and not in compiled code, which costs
less than a hundredth of the time that the fastest players take.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import SETS_AT_ONCE, Table
from deckcheck.playing.kernel import Outcome
from deckcheck.playing.tally import Ints, new_tally

__all__ = ["MOST_MARGIN", "MOST_ROUNDS", "Counted", "Counts", "counts_in"]

MOST_ROUNDS = 31
MOST_MARGIN = 200
_ROUNDS = MOST_ROUNDS + 1
_CELLS = _ROUNDS + 2 * MOST_MARGIN + 1
_TWO = 2


class Counts(NamedTuple):
    """How many games had so many rounds, and so large a margin.

    `rounds[n]` are games of n rounds, `margins[MOST_MARGIN + m]` those with a margin of
    m: where two can win, the lead of the first entrant on the board at the end; where
    more can, the points by which the first is ahead of the second, never negative. The
    last cells of both, and the first of margins, have all that is beyond, too.
    """

    rounds: Ints
    margins: Ints


@dataclass(frozen=True)
class Counted:
    """A table whose tallies have `Counts` below their rows."""

    base: Table

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The entrants in the order of a game."""
        return self.base.entrant_in

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        rows, columns = self.base.tally_shape
        return rows + ceil(_CELLS / columns), columns

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play as the table does; see `Table.play`."""
        table, end = self.base, first_set + sets
        tally = new_tally(len(table.entrant_in[0]), table.rotation)
        cells = np.zeros(_CELLS, np.int64)
        for first in range(first_set, end, SETS_AT_ONCE):
            count = min(SETS_AT_ONCE, end - first)
            kept = GameLog() if log is None else log
            tally += table.play(seed, number, first, count, kept)
            numbers = np.arange(first, first + count)
            cells += self._count(numbers, kept.last_outcomes(count * table.rotation))
        below = np.zeros((ceil(_CELLS / tally.shape[1]), tally.shape[1]), np.int64)
        below.ravel()[:_CELLS] = cells
        return np.concatenate([tally, below])

    def _count(self, sets: Ints, outcomes: Ints) -> Ints:
        rounds = np.minimum(outcomes[:, Outcome.ROUNDS], MOST_ROUNDS)
        margins = self._margins(sets, outcomes).clip(-MOST_MARGIN, MOST_MARGIN)
        return np.concatenate(
            [
                np.bincount(rounds, minlength=_ROUNDS),
                np.bincount(margins + MOST_MARGIN, minlength=2 * MOST_MARGIN + 1),
            ]
        )

    def _margins(self, sets: Ints, outcomes: Ints) -> Ints:
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        if entrants == _TWO:
            # The lead is that of the first player, whoever sits there.
            signs = np.where(entrant_in[:, 0] == 0, 1, -1)[sets % len(entrant_in)]
            led: Ints = outcomes[:, Outcome.LEAD] * signs.repeat(self.base.rotation)
            return led
        points = outcomes[:, Outcome.PLACE + entrants : Outcome.PLACE + 2 * entrants]
        best = np.sort(points, axis=1)
        ahead: Ints = best[:, -1] - best[:, -2]
        return ahead


def counts_in(tally: Ints, entrants: int) -> Counts | None:
    """What a tally of so many entrants has of counts; None if it was not counted."""
    below = tally[1 + 2 * entrants + entrants * entrants :].ravel()[:_CELLS]
    if len(below) < _CELLS:
        return None
    return Counts(below[:_ROUNDS], below[_ROUNDS:])
