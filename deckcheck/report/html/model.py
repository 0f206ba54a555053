"""The parts of a page of a report, ready to be laid out; they know no game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import ClassVar, TypeAlias

from deckcheck.report.html.bars import Bars, Outlines
from deckcheck.report.sections import Table, percent, plain_percent, ranged
from deckcheck.stats import Estimate

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MOST_TICKS = 6
EVEN = 0.5
DEEPEST = 62
SHORT = 28
NUMBER = re.compile(r"[-+]?\d|-(?: |$)")


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale of rates from `low` to `high`; `ticks` and `even` are in % of it."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    even: float | None

    def at(self, rate: float) -> float:
        """Where a rate lies, in % of the axis."""
        share = (rate - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)


@dataclass(frozen=True, slots=True)
class Mark:
    """A value and the ends of its interval, in % of an axis."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a forest: what has the rate, the rate, and further cells."""

    name: str
    rate: str
    interval: str
    mark: Mark
    cells: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Forest:
    """Rates with their intervals, drawn above one axis; `columns` name further cells.

    `rate` says what the rates are.
    """

    kind: ClassVar[str] = "forest"
    caption: str
    of: str
    axis: Axis
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    rate: str = "win rate"
    places: bool = False
    note: str = ""

    @property
    def is_short(self) -> bool:
        """Whether all names fit on one line with the other columns."""
        return all(len(row.name) <= SHORT for row in self.rows)


@dataclass(frozen=True, slots=True)
class Cell:
    """A win rate in a matrix; `depth` is how strong its colour is, 0 to 62."""

    text: str
    hint: str
    depth: int
    wins: bool


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Win rates of the rows, `names`, against the columns, the same unless named."""

    kind: ClassVar[str] = "heatmap"
    caption: str
    names: tuple[str, ...]
    rows: tuple[tuple[Cell | None, ...], ...]
    note: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """A table; `numeric` says of each column whether it holds numbers."""

    kind: ClassVar[str] = "figures"
    table: Table
    numeric: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Words and what they say; folded away below `title` if there is one."""

    kind: ClassVar[str] = "facts"
    facts: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences, an item each."""

    kind: ClassVar[str] = "notes"
    notes: tuple[str, ...]


Block: TypeAlias = Forest | Heatmap | Figures | Bars | Outlines | Facts | Notes


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page with an address of its own, `#id`.

    `link` is what leads there, its title if that is None, nothing if it is empty.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says: first `answers`, in sentences."""

    title: str
    about: str
    answers: tuple[str, ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]
    digest: str


def axis_of(
    rates: Sequence[Estimate], even: float | None = EVEN, *, signed: bool = False
) -> Axis:
    """Return an axis with round ends that holds all intervals, and `even`.

    `signed` rates are differences: they may be below 0, and are shown with their sign.
    """
    ends = [end for rate in rates for end in rate.interval]
    ends += [] if even is None else [even]
    least, most = min(ends), max(ends)
    least, most = max(-1.0 if signed else 0.0, least), min(1.0, most)
    step = next((s for s in STEPS if (most - least) / s < MOST_TICKS - 1), STEPS[-1])
    first, last = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    last = max(last, first + 1)
    low, high = first * step, last * step
    bare = Axis(low, high, (), None)
    sign = "+" if signed else ""
    ticks = tuple(
        (bare.at(n * step), f"{100 * n * step:{sign}.0f}")
        for n in range(first, last + 1)
    )
    return Axis(low, high, ticks, None if even is None else bare.at(even))


def mark_on(axis: Axis, estimate: Estimate) -> Mark:
    """Return where a value and its interval lie on an axis."""
    low, high = estimate.interval
    return Mark(axis.at(low), axis.at(estimate.value), axis.at(high))


def row_of(
    name: str, rate: Estimate, axis: Axis, cells: Sequence[str] = (), place: str = ""
) -> Row:
    """Return the row of a rate on an axis."""
    mark = mark_on(axis, rate)
    return Row(
        name, percent(rate.value), ranged(rate.interval), mark, tuple(cells), place
    )


def cell_of(rate: Estimate) -> Cell:
    """Return the cell of a win rate; the colour is that of who wins."""
    depth = min(DEEPEST, round(200 * abs(rate.value - EVEN)))
    hint = f"{percent(rate.value)} ({ranged(rate.interval)}), {rate.games:,} games"
    return Cell(plain_percent(rate.value), hint, depth, rate.value >= EVEN)


def figures(table: Table) -> Figures:
    """Return a table with what its columns hold."""
    columns = zip(*table.rows, strict=True)
    numeric = tuple(
        number > 0 and all(NUMBER.match(cell) for cell in column)
        for number, column in enumerate(columns)
    )
    return Figures(table, numeric or (False,) * len(table.columns))
