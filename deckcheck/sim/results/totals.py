"""The results of a table from its tally: statistics of each entrant, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

from deckcheck.playing.host.histograms import (
    MOST_MARGIN,
    Counts,
    counts_in,
    with_counts,
)
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints, Part, whole
from deckcheck.sim.jobs.tallies import PackedTally
from deckcheck.sim.results.performance import Performance, performance_of
from deckcheck.stats import Estimate, Histogram, correlated_difference


@dataclass(frozen=True)
class TableResult:
    """All games of one table, as they were `counted`.

    `entrants` are the names of who can win: decks, teams, or a deck and the automa. A
    set is the same shuffles once with each seat beginning, and the unit of all
    intervals. `anytime` is for games that were looked at before their end. Of a large
    field only the counts are kept, and statistics are made of them on demand.
    """

    entrants: tuple[str, ...]
    counted: PackedTally = field(repr=False)
    anytime: bool = False

    @property
    def games(self) -> int:
        """All games at the table."""
        return self._head[Head.GAMES]

    @property
    def sets(self) -> int:
        """How many sets these are."""
        return self._head[Head.SETS]

    @property
    def draws(self) -> int:
        """Games in which all shared the first place."""
        return self._head[Head.DRAWS]

    @property
    def rounds_mean(self) -> float:
        """Rounds per game."""
        return self._head[Head.ROUNDS] / self.games

    @property
    def turns_mean(self) -> float:
        """Moves per game, of all players."""
        return self._head[Head.TURNS] / self.games

    @property
    def rotation(self) -> int:
        """How many games make a set."""
        return self.games // self.sets

    @property
    def even_share(self) -> float:
        """The win share of entrants that are all alike."""
        return 1 / len(self.entrants)

    @cached_property
    def performances(self) -> tuple[Performance, ...]:
        """What the entrants did."""
        return self._of_sets(0)

    @property
    def seats(self) -> tuple[Performance, ...]:
        """What was done in each seat; seat 0 began."""
        return self._of_sets(len(self.entrants))

    @property
    def by_seat(self) -> tuple[tuple[Performance, ...], ...]:
        """What each entrant did in each seat; `by_seat[i][k]` is `in_seat(i, k)`."""
        places = range(len(self.entrants))
        return tuple(tuple(self.in_seat(i, k) for k in places) for i in places)

    def in_seat(self, entrant: int, seat: int) -> Performance:
        """What an entrant did in one seat: one that never changed it did it all there.

        A single game that counts for its set brings as much as that.
        """
        own, count = self.performances[entrant], len(self.entrants)
        row = self._tally[1 + count * (2 + entrant) + seat]
        if row[Part.GAMES] == own.games:
            return own
        is_once = own.games == sum(own.scores)
        cells = len(own.scores) if is_once else whole(count) + 1
        return performance_of(row, cells, count, 1, anytime=self.anytime)

    @property
    def rounds(self) -> Histogram | None:
        """Games by their number of rounds; None where matches were played instead."""
        counts = self._counts
        return counts and Histogram.of(counts.rounds.tolist())

    @property
    def margins(self) -> Histogram | None:
        """Games by their margin, see `Counts`; None where matches were played."""
        counts = self._counts
        return counts and Histogram.of(counts.margins.tolist(), -MOST_MARGIN)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...] | None:
        """The shares of each entrant by groups of sets, see `Counts`."""
        counts = self._counts
        return counts and tuple(tuple(row) for row in counts.groups.tolist())

    def mirrored(self) -> TableResult:
        """The same games of two, counted from the side of the other one."""
        tally = self._tally
        rows = [0, 2, 1, 3, 4, 7, 8, 5, 6]
        mirrored, counts = tally[rows], self._counts
        if counts is not None:
            rounds, margins, groups = counts
            counts = Counts(rounds, margins[::-1], groups[::-1])
            mirrored = with_counts(mirrored, counts)
        return table_result(self.entrants[::-1], mirrored, anytime=self.anytime)

    def difference(self, a: int, b: int) -> Estimate:
        """By how much the win share of an entrant exceeds that of another one.

        Both are by their places. All shares of a set add up to 1: so that of the second
        of two is known by the first, and that of three tells how two of them go
        together. Of more the worst case is taken: what one wins, the other loses.
        """
        first, second = (self.performances[i].win_share for i in (a, b))
        assert first is not None
        assert second is not None
        correlation = -1.0
        if len(self.performances) == 3:
            own, other = (self.performances[i].variance for i in (a, b))
            [rest] = (self.performances[i].variance for i in {0, 1, 2} - {a, b})
            if own > 0 and other > 0:
                correlation = (rest - own - other) / (2 * sqrt(own * other))
        return correlated_difference(first, second, max(-1.0, min(1.0, correlation)))

    @property
    def _tally(self) -> Ints:
        return self.counted.unpacked()

    @cached_property
    def _head(self) -> list[int]:
        head: list[int] = self._tally[0, : len(Head)].tolist()
        return head

    @property
    def _counts(self) -> Counts | None:
        return counts_in(self._tally, len(self.entrants))

    def _of_sets(self, first: int) -> tuple[Performance, ...]:
        """What the rows say from the one that is `first` behind the head."""
        tally, count = self._tally, len(self.entrants)
        cells = tally.shape[1] - Part.SHARES
        return tuple(
            performance_of(row, cells, count, self.rotation, anytime=self.anytime)
            for row in tally[1 + first :][:count]
        )


def table_result(
    entrants: Sequence[str], tally: Ints, *, anytime: bool = False
) -> TableResult:
    """Return the table of `entrants` that `tally` counts; see `TableResult`.

    It is the same for the same counts, however the games were cut into blocks.
    """
    counted = tally.copy()
    # Hashes are summed up by the block, and told of whole runs.
    counted[0, Head.CHECKSUM] = 0
    return TableResult(tuple(entrants), PackedTally.of(counted), anytime)


def shares_of(tally: Ints, entrants: int, *, anytime: bool) -> list[Estimate]:
    """Return the win share of each entrant; see `TableResult`."""
    rotation = int(tally[0, Head.GAMES]) // int(tally[0, Head.SETS])
    cells = tally.shape[1] - Part.SHARES
    rows = tally[1 : 1 + entrants]
    shares = (
        performance_of(row, cells, entrants, rotation, anytime=anytime).win_share
        for row in rows
    )
    return [share for share in shares if share is not None]


def checksum_of(tallies: Iterable[Ints]) -> str:
    """Return the checksum over all games as 12 hex digits; order does not matter."""
    total = sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"
