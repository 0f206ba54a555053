"""Differences between runs that had the same shuffles, by sums over groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deckcheck.stats.bounded import bounded_interval
from deckcheck.stats.combine import Estimate


@dataclass(frozen=True, slots=True)
class GroupedDifference:
    """By how much a mean score differs between two runs that are paired by groups.

    `value` is the difference of the means over `count` observations, -1 to 1,
    `variance` that of the value, known with `freedom` degrees of freedom.
    """

    value: float
    variance: float
    count: int
    freedom: int

    def opposite(self) -> GroupedDifference:
        """The same, seen from the other side of the table."""
        return GroupedDifference(-self.value, self.variance, self.count, self.freedom)

    def estimate(self, level: float, games: int) -> Estimate:
        """The difference with its interval."""
        ends = bounded_interval(
            self.value,
            self.variance * self.count,
            self.count,
            self.freedom,
            level=level,
        )
        return Estimate(self.value, ends, games)


def grouped_difference(
    before: Sequence[int], after: Sequence[int], count: int, most: int
) -> GroupedDifference:
    """Return the difference of the mean scores of two runs of `count` observations.

    Observation i of both had the same shuffles, and its score, 0 to `most`, was added
    to group `i % len(before)`. Groups are independent and nearly alike in size, so what
    they vary by tells the variance of the sum, however strongly the two runs go
    together: the method of random groups.

    Source: K. M. Wolter (2007), Introduction to variance estimation, chapter 2.
    """
    groups = min(count, len(before))
    total = sum(after) - sum(before)
    mean = total / count
    squares = 0.0
    for place in range(groups):
        size = (count - place - 1) // len(before) + 1
        squares += (after[place] - before[place] - size * mean) ** 2
    variance = squares * groups / max(1, groups - 1) / count**2
    return GroupedDifference(mean / most, variance / most**2, count, groups - 1)


def mean_of_grouped(parts: Sequence[GroupedDifference]) -> GroupedDifference:
    """Return the mean of differences that are independent of each other."""
    return GroupedDifference(
        sum(part.value for part in parts) / len(parts),
        sum(part.variance for part in parts) / len(parts) ** 2,
        sum(part.count for part in parts),
        sum(part.freedom for part in parts),
    )
