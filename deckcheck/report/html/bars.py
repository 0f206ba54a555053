"""Histograms as parts of a page: bars, and small ones in the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from deckcheck.report.units import count, percent
from deckcheck.stats import Histogram, round_width

MOST_TICKS = 9
MOST_BINS = 25
GAP = 0.08
HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin: its numbers in words, how many games it has, and their share."""

    label: str
    games: str
    share: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Bins of `width` numbers from `first` on; the outer ones have all beyond, too.

    `ticks` are places in % with their labels, `zero` is where 0 lies, if it is inside.
    """

    first: int
    bins: int
    width: int
    ticks: tuple[tuple[float, str], ...]
    zero: float | None

    @property
    def last(self) -> int:
        """The greatest number of the last bin."""
        return self.first + self.bins * self.width - 1

    def counts(self, histogram: Histogram) -> list[int]:
        """How many of the numbers each bin has."""
        counts = [0] * self.bins
        for i, games in enumerate(histogram.counts):
            at = (histogram.first + i - self.first) // self.width
            counts[min(max(at, 0), self.bins - 1)] += games
        return counts


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars above a scale; `path` draws them in a box of `bins` by 100.

    `answer` says the main thing, `of` what the numbers are.
    """

    kind: ClassVar[str] = "bars"
    caption: str
    answer: str
    of: str
    scale: Scale
    bars: tuple[Bar, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A row: whose numbers these are, its figures, and its bars as a path."""

    name: str
    cells: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Outlines:
    """A table with small bars in each row, all of one scale and of one height."""

    kind: ClassVar[str] = "outlines"
    caption: str
    of: str
    columns: tuple[str, ...]
    scale: Scale
    rows: tuple[Outline, ...]
    note: str = ""


def scale_of(histogram: Histogram) -> Scale:
    """A scale for numbers that are not negative; almost all lie on it."""
    low, high = histogram.ends()
    width = next(w for w in (1, 2, 5, 10, 20) if (high - low) / w < MOST_BINS)
    low, high = low // width, high // width
    at = 0.5 if width == 1 else 0.0
    return Scale(low * width, high - low + 1, width, _ticks(low, high, width, at), None)


def signed_scale_of(histogram: Histogram) -> Scale:
    """A scale for differences: 0 lies in the middle of a bin."""
    width = round_width(histogram)
    half = width // 2
    low, high = ((end + half) // width for end in histogram.ends())
    bins = high - low + 1
    ticks = _ticks(low, high, width, 0.5, signed=True)
    zero = next((at for at, label in ticks if label == "0"), None)
    return Scale(low * width - half, bins, width, ticks, zero)


def bars_of(
    caption: str, answer: str, of: str, scale: Scale, histogram: Histogram
) -> Bars:
    """The bars of a histogram on a scale."""
    counts = scale.counts(histogram)
    bars = tuple(
        Bar(
            _label(scale, i, histogram),
            count(games),
            percent(games / (histogram.total or 1)),
        )
        for i, games in enumerate(counts)
    )
    return Bars(caption, answer, of, scale, bars, path_of(counts, max(counts)))


def path_of(counts: Sequence[float], most: float) -> str:
    """Bars of width 1 as a path; `most` would be as high as the box, 100."""
    parts = []
    for i, games in enumerate(counts):
        if games:
            top = round(HEIGHT * (1 - games / most), 1)
            parts.append(f"M{i} {HEIGHT}V{top:g}H{i + 1 - GAP:g}V{HEIGHT}")
    return "".join(parts)


def _ticks(
    low: int, high: int, width: int, at: float, *, signed: bool = False
) -> tuple[tuple[float, str], ...]:
    """Labels for bins `low` to `high`: where in its bin each lies is `at`, 0 to 1."""
    bins = high - low + 1
    step = next(s for s in (1, 2, 5, 10, 20, 50) if bins / s < MOST_TICKS)
    return tuple(
        (
            round(100 * (n - low + at) / bins, 2),
            f"{n * width:+}" if signed and n else f"{n * width}",
        )
        for n in range(low, high + 1)
        if n % step == 0
    )


def _label(scale: Scale, number: int, histogram: Histogram) -> str:
    low = scale.first + number * scale.width
    high = low + scale.width - 1
    if number == 0 and histogram.first < low:
        return f"{high} or less"
    if number == scale.bins - 1 and histogram.last > high:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low} to {high}"
