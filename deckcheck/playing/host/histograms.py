"""A table of which more is counted than sums: rounds, margins, and scores by groups.

They are counted from the outcomes of games, here and not in compiled code, which costs
less than a hundredth of the time that the fastest players take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deckcheck.playing.host.cells import TableWithCells, cells_below, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import SETS_AT_ONCE
from deckcheck.playing.kernel import Outcome
from deckcheck.playing.tally import Ints, new_tally, whole

MOST_ROUNDS = 31
MOST_MARGIN = 200
_ROUNDS = MOST_ROUNDS + 1
_CELLS = _ROUNDS + 2 * MOST_MARGIN + 1
_TWO = 2
GROUPS = 128
"""Sets whose numbers leave the same rest are a group: runs can be paired by groups."""


class Counts(NamedTuple):
    """Histograms of the rounds of games, and of their margins.

    `rounds[n]` are games of n rounds, `margins[MOST_MARGIN + m]` those with a margin of
    m: where two can win, the lead of the first entrant on the board at the end; where
    more can, the points by which the first is ahead of the second, never negative. The
    last cells of both, and the first of margins, have all that is beyond, too.
    `groups[i, k]` are the shares of entrant i in the sets whose numbers leave the rest
    k: equal numbers have equal shuffles in all runs with the same seed.
    """

    rounds: Ints
    margins: Ints
    groups: Ints


@dataclass(frozen=True)
class Counted(TableWithCells):
    """A table whose tallies have `Counts` below their rows."""

    @property
    def cells(self) -> int:
        """The histograms, and the shares of each entrant by groups."""
        return _CELLS + len(self.entrant_in[0]) * GROUPS

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play as the table does; see `Table.play`."""
        table, end = self.table, first_set + sets
        tally = new_tally(len(table.entrant_in[0]), table.rotation)
        cells = np.zeros(self.cells, np.int64)
        for first in range(first_set, end, SETS_AT_ONCE):
            count = min(SETS_AT_ONCE, end - first)
            kept = GameLog() if log is None else log
            tally += table.play(seed, number, first, count, kept)
            numbers = np.arange(first, first + count)
            cells += self._count(
                numbers, kept.last_outcomes(count * table.games_of_set)
            )
        return with_cells(tally, cells)

    def _count(self, sets: Ints, outcomes: Ints) -> Ints:
        rounds = np.minimum(outcomes[:, Outcome.ROUNDS], MOST_ROUNDS)
        margins = self._margins(sets, outcomes).clip(-MOST_MARGIN, MOST_MARGIN)
        return np.concatenate(
            [
                np.bincount(rounds, minlength=_ROUNDS),
                np.bincount(margins + MOST_MARGIN, minlength=2 * MOST_MARGIN + 1),
                self._groups(sets, outcomes).ravel(),
            ]
        )

    def _groups(self, sets: Ints, outcomes: Ints) -> Ints:
        """The shares of each entrant by the groups of the sets."""
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        won = outcomes[:, Outcome.PLACE : Outcome.PLACE + entrants] == 1
        full = whole(entrants) * self.table.rotation // self.table.games_of_set
        shares = won * (full // won.sum(axis=1))[:, None]
        of_game = sets.repeat(self.table.games_of_set)
        who = entrant_in[of_game % len(entrant_in)]
        cells = who * GROUPS + (of_game % GROUPS)[:, None]
        counted = np.bincount(
            cells.ravel(), weights=shares.ravel(), minlength=entrants * GROUPS
        )
        groups: Ints = counted.astype(np.int64).reshape(entrants, GROUPS)
        return groups

    def _margins(self, sets: Ints, outcomes: Ints) -> Ints:
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        if entrants == _TWO:
            # The lead is that of the first seat.
            signs = np.where(entrant_in[:, 0] == 0, 1, -1)[sets % len(entrant_in)]
            of_games = signs.repeat(self.table.games_of_set)
            led: Ints = outcomes[:, Outcome.LEAD] * of_games
            return led
        points = outcomes[:, Outcome.PLACE + entrants : Outcome.PLACE + 2 * entrants]
        best = np.sort(points, axis=1)
        ahead: Ints = best[:, -1] - best[:, -2]
        return ahead


def counts_in(tally: Ints, entrants: int) -> Counts | None:
    """The counts in a tally of `entrants`; None if there are none."""
    cells = _CELLS + entrants * GROUPS
    rows = 1 + 2 * entrants + entrants * entrants
    below = cells_below(tally, rows, cells)
    if len(below) < cells:
        return None
    groups = below[_CELLS:].reshape(entrants, GROUPS)
    return Counts(below[:_ROUNDS], below[_ROUNDS:_CELLS], groups)


def with_counts(rows: Ints, counts: Counts) -> Ints:
    """A tally with these rows, and the counts below."""
    return with_cells(rows, np.concatenate([part.ravel() for part in counts]))
