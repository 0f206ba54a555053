"""The results of tables: counts and statistics of each entrant, from a tally."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod, sqrt
from typing import NamedTuple

import numpy as np

from deckcheck.playing.kernel import (
    CHECKSUM_MASK,
    Head,
    Ints,
    SeatColumns,
    count_shares,
)
from deckcheck.playing.versions import MAX_MARGIN, Counts, counts_in, with_counts
from deckcheck.sim.performances import Performance, read_performance
from deckcheck.sim.playing_blocks import PackedTally
from deckcheck.stats import Estimate, Histogram, correlated_difference


class Endings(NamedTuple):
    """How games ended: by their rounds, and by their margins, see `Counts`."""

    rounds: Histogram
    margins: Histogram


class EndingsSum:
    """How the games at several tables ended, summed up without a histogram of each."""

    def __init__(self) -> None:
        # The sum of the tallies for each number of entrants, shape and step.
        self._sums: dict[tuple[int, tuple[int, ...], int], Ints] = {}

    def add(self, table: TableResult, step: int = 1) -> None:
        """Add a table, from the side of its second entrant if `step` is -1."""
        shape = table.counted.shape
        kind = len(table.entrants), shape, step
        if kind not in self._sums:
            self._sums[kind] = np.zeros(prod(shape), np.int64)
        # Most cells are zeros, so only the other cells are added.
        places, cells = table.counted.pairs()
        self._sums[kind][places] += cells

    @property
    def endings(self) -> Endings | None:
        """The endings of all these games, or None if matches were played instead."""
        rounds: Ints = np.zeros(1, np.int64)  # gets the length of what is added
        margins = rounds
        for (entrants, shape, step), sums in self._sums.items():
            counts = counts_in(sums.reshape(shape), entrants)
            if counts is None:
                return None
            rounds = rounds + counts.rounds
            margins = margins + counts.margins[::step]
        return Endings(_make_histogram(rounds), _make_histogram(margins, -MAX_MARGIN))


@dataclass(frozen=True)
class TableResult:
    """All games of a table.

    A set is the same shuffles once with each seat beginning, and the unit of all
    intervals. Only the tally is stored, and statistics are computed on demand: a large
    field has many thousand tables.
    """

    entrants: tuple[str, ...]
    """The names of the possible winners: decks, teams, or a deck and the automa."""
    counted: PackedTally = field(repr=False)
    """The tally of the games."""
    anytime: bool
    """Whether the games were looked at before their end."""

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
        """The win share of equally strong entrants."""
        return 1 / len(self.entrants)

    @property
    def performances(self) -> tuple[Performance, ...]:
        """The performance of each entrant."""
        return (self.first, *self._others)

    @cached_property
    def first(self) -> Performance:
        """The performance of the first entrant.

        For two entrants it determines the second, except for the cards left.
        """
        [first] = self._read_performances(0, 1)
        return first

    @cached_property
    def _others(self) -> tuple[Performance, ...]:
        return self._read_performances(1, len(self.entrants) - 1)

    @property
    def seats(self) -> tuple[Performance, ...]:
        """The performance in each seat. Seat 0 began."""
        return self._read_performances(len(self.entrants), len(self.entrants))

    @property
    def by_seat(self) -> tuple[tuple[Performance, ...], ...]:
        """The performance of each entrant in each seat, as `by_seat[entrant][seat]`."""
        numbers = range(len(self.entrants))
        rows = []
        for entrant in numbers:
            rows.append(tuple(self.in_seat(entrant, seat) for seat in numbers))
        return tuple(rows)

    def in_seat(self, entrant: int, seat: int) -> Performance:
        """Return the performance of an entrant in a seat.

        It is the performance of the entrant if it played all of its games there.
        """
        # The rows of later entrants are unpacked only where they are needed.
        performance = self.first if entrant == 0 else self.performances[entrant]
        count = len(self.entrants)
        row = self._tally[find_joint_row(count, entrant, seat)]
        if row[SeatColumns.GAMES] == performance.games:
            return performance
        # A game is worth 0 to `count_shares(count)` shares.
        score_count = count_shares(count) + 1
        if performance.games == sum(performance.scores):
            # The entrant plays a single game in each set, which brings as many shares
            # as a whole set.
            score_count = len(performance.scores)
        return read_performance(row, score_count, count, 1, anytime=self.anytime)

    @property
    def rounds(self) -> Histogram | None:
        """Games by their number of rounds, or None if matches were played instead."""
        counts = self.counts
        return None if counts is None else _make_histogram(counts.rounds)

    @property
    def margins(self) -> Histogram | None:
        """Games by their margin, see `Counts`, or None if matches were played."""
        counts = self.counts
        if counts is None:
            return None
        return _make_histogram(counts.margins, -MAX_MARGIN)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...] | None:
        """The shares of each entrant by groups of sets, see `Counts`."""
        counts = self.counts
        return None if counts is None else tuple(map(tuple, counts.groups.tolist()))

    def swap_sides(self) -> TableResult:
        """Return the games of two entrants, counted from the side of the second."""
        tally, counts = self._tally, self.counts
        header, entrants, seats = tally[:1], tally[1:3], tally[3:5]
        first_in_seats = tally[find_joint_row(2, 0, 0) :][:2]
        second_in_seats = tally[find_joint_row(2, 1, 0) :][:2]
        swapped = np.concatenate(
            [header, entrants[::-1], seats, second_in_seats, first_in_seats]
        )
        if counts is not None:
            mirrored = Counts(counts.rounds, counts.margins[::-1], counts.groups[::-1])
            swapped = with_counts(swapped, mirrored)
        return make_table_result(self.entrants[::-1], swapped, anytime=self.anytime)

    @property
    def best(self) -> int:
        """The index of the entrant with the largest win share."""
        shares = [performance.share.value for performance in self.performances]
        return shares.index(max(shares))

    def names_from(self, entrant: int) -> tuple[str, ...]:
        """Return an entrant, followed by all others at the table."""
        names = self.entrants
        return names[entrant], *names[:entrant], *names[entrant + 1 :]

    def lead(self, entrant: int) -> Estimate:
        """Return by how much the win share of an entrant exceeds all others.

        Of the differences to each other entrant, it is the one whose interval reaches
        lowest.
        """
        leads = []
        for other in range(len(self.entrants)):
            if other != entrant:
                leads.append(self.difference(entrant, other))
        return min(leads, key=lambda lead: lead.interval.low)

    def difference(self, a: int, b: int) -> Estimate:
        """Return the win share of an entrant minus the win share of another entrant.

        `a` and `b` are their indices. All shares of a set add up to 1, so two entrants
        have a correlation of -1, and of three the third determines the correlation of
        the others: var(c) = var(a) + var(b) + 2 cov(a, b). With more entrants -1 is the
        worst case: one entrant wins what the other loses.
        """
        first, second = self.performances[a], self.performances[b]
        assert first.win_share is not None
        assert second.win_share is not None
        correlation = -1.0
        if len(self.performances) == 3 and first.variance > 0 and second.variance > 0:
            [third] = {0, 1, 2} - {a, b}
            rest = self.performances[third].variance
            covariance = (rest - first.variance - second.variance) / 2
            correlation = covariance / sqrt(first.variance * second.variance)
        correlation = max(-1.0, min(1.0, correlation))
        return correlated_difference(first.win_share, second.win_share, correlation)

    @property
    def _tally(self) -> Ints:
        return self.counted.unpack()

    @cached_property
    def _head(self) -> list[int]:
        head: list[int] = self.counted.unpack(rows=1)[0, : len(Head)].tolist()
        return head

    @property
    def counts(self) -> Counts | None:
        """Rounds, margins and groups, or None if matches were played instead."""
        return counts_in(self._tally, len(self.entrants))

    def _read_performances(self, skipped: int, count: int) -> tuple[Performance, ...]:
        """Return the performances in `count` rows, after the header and `skipped`."""
        rows = self.counted.unpack(1 + skipped + count)[1 + skipped :]
        rotation, anytime = self.rotation, self.anytime
        return _read_rows(rows, len(self.entrants), rotation, anytime=anytime)


def find_joint_row(entrants: int, entrant: int, seat: int) -> int:
    """Return the row of a tally that counts the games of an entrant in a seat.

    Above it are the header, a row for each of the `entrants`, a row for each seat, and
    the rows of the entrants before, each with a row for every seat.
    """
    return 1 + entrants + entrants + entrants * entrant + seat


def _read_rows(
    rows: Ints, entrants: int, rotation: int, *, anytime: bool
) -> tuple[Performance, ...]:
    """Return the performance in each row of entrants, or of seats."""
    cells = rows.shape[1] - SeatColumns.SHARES
    performances = []
    for row in rows:
        performances.append(
            read_performance(row, cells, entrants, rotation, anytime=anytime)
        )
    return tuple(performances)


def _make_histogram(counts: Ints, first: int = 0) -> Histogram:
    """Return the histogram of `counts[i]` times the number `first + i`."""
    (used,) = counts.nonzero()
    if not len(used):
        return Histogram(first, ())
    start, end = int(used[0]), int(used[-1]) + 1
    return Histogram(first + start, tuple(counts[start:end].tolist()))


def make_table_result(
    entrants: Sequence[str], tally: Ints, *, anytime: bool = False
) -> TableResult:
    """Return the result of a table from the tally of its games."""
    return TableResult(tuple(entrants), PackedTally.of(tally), anytime)


def estimate_shares(tally: Ints, entrants: int, *, anytime: bool) -> list[Estimate]:
    """Return the win share of each entrant that has played a game."""
    rotation = int(tally[0, Head.GAMES]) // int(tally[0, Head.SETS])
    shares = []
    for performance in _read_rows(
        tally[1 : 1 + entrants], entrants, rotation, anytime=anytime
    ):
        if performance.win_share is not None:
            shares.append(performance.win_share)
    return shares


def combine_checksums(tallies: Iterable[Ints]) -> str:
    """Return the checksum over all games as 12 hex digits, regardless of order."""
    total = sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"
