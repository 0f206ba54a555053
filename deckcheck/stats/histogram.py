"""Counts of whole numbers, in bins of equal width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTHS = (1, 3, 5, 15, 25)
MOST_BINS = 31


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often whole numbers came: bin i has `width` of them from `first + i * width`.

    The first and the last bin hold at least one, if there is any.
    """

    first: int
    counts: tuple[int, ...]
    width: int = 1

    @classmethod
    def of(cls, counts: Sequence[int], first: int = 0) -> Histogram:
        """The histogram of `counts[i]` times the number `first + i`."""
        there = [i for i, count in enumerate(counts) if count]
        if not there:
            return cls(first, ())
        return cls(first + there[0], tuple(counts[there[0] : there[-1] + 1]))

    @property
    def total(self) -> int:
        """How many numbers were counted."""
        return sum(self.counts)

    @property
    def last(self) -> int:
        """The greatest number of the last bin."""
        return self.first + len(self.counts) * self.width - 1

    @property
    def mean(self) -> float:
        """The mean, of numbers in the middle of their bins; 0 for none."""
        middle = (self.width - 1) / 2
        values = ((self.first + i * self.width + middle, n) for i, n in self._bins())
        return sum(value * n for value, n in values) / (self.total or 1)

    def binned(self, width: int) -> Histogram:
        """The same in bins of an odd `width`, one of which has 0 in its middle.

        Raises ValueError unless the bins have a width of 1 before, and an odd one then.
        """
        if self.width != 1 or width % 2 == 0:
            raise ValueError(f"no bins of {width} from bins of {self.width}")
        half = width // 2
        low, high = ((at + half) // width for at in (self.first, self.last))
        counts = [0] * (high - low + 1) if self.counts else []
        for i, count in self._bins():
            counts[(self.first + i + half) // width - low] += count
        return Histogram(low * width - half, tuple(counts), width)

    def ends(self, beyond: float = 0.005) -> tuple[int, int]:
        """Numbers below and above which no larger share than `beyond` lies.

        Of a histogram of nothing both are `first`.
        """
        if not self.counts:
            return self.first, self.first
        most, low, high = beyond * self.total, 0, len(self.counts) - 1
        left = right = 0
        while left + self.counts[low] <= most:
            left, low = left + self.counts[low], low + 1
        while right + self.counts[high] <= most:
            right, high = right + self.counts[high], high - 1
        return self.first + low * self.width, self.first + (high + 1) * self.width - 1

    def mirrored(self) -> Histogram:
        """The same of all numbers with the other sign."""
        return Histogram(-self.last, self.counts[::-1], self.width)

    def folded(self) -> Histogram:
        """The same of all numbers without their sign.

        Raises ValueError unless the bins have a width of 1.
        """
        if self.width != 1:
            raise ValueError(f"bins of {self.width} cannot be folded")
        counts = [0] * (1 + max(abs(self.first), abs(self.last)))
        for i, count in self._bins():
            counts[abs(self.first + i)] += count
        return Histogram.of(counts)

    @classmethod
    def sum(cls, parts: Iterable[Histogram]) -> Histogram:
        """All numbers of several histograms, whose bins have a width of 1."""
        filled = [part for part in parts if part.counts]
        if not filled:
            return cls(0, ())
        first = min(part.first for part in filled)
        counts = [0] * (1 + max(part.last for part in filled) - first)
        for part in filled:
            for i, count in part._bins():
                counts[part.first + i - first] += count
        return cls(first, tuple(counts))

    def _bins(self) -> Iterable[tuple[int, int]]:
        return enumerate(self.counts)


def round_width(histogram: Histogram) -> int:
    """The least of a few widths with which almost all numbers need few bins."""
    low, high = histogram.ends()
    for width in WIDTHS:
        if high - low < MOST_BINS * width:
            return width
    return WIDTHS[-1]
