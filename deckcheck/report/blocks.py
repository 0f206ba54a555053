"""The blocks of a page: histograms, heatmaps, forests, lines, tables, notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import ClassVar, TypeAlias

from deckcheck.messages import game_count, printable
from deckcheck.report.tables import (
    IN_PERCENT,
    Cell,
    Column,
    ReportTable,
    cell_texts,
    percent,
    ranged,
)
from deckcheck.sim.figures import Figure
from deckcheck.stats import Estimate, Histogram, Interval

# Histograms as parts of a page: bars, and small ones in the rows of a table


BAR_GAP = 0.08
BOX_HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin of a histogram, in words."""

    label: str
    """The numbers of the bin."""
    games: str
    """How many games it has."""
    share: str
    """Their share of all games."""


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Bins of a histogram. The outer bins include everything beyond."""

    first: int
    """The first number of the first bin."""
    bins: int
    """The number of bins."""
    width: int
    """How many numbers are in a bin."""
    ticks: tuple[tuple[float, str], ...]
    """Places in % with their labels."""
    zero: float | None
    """The place of 0 in %, if it is inside."""

    @property
    def last(self) -> int:
        """The greatest number of the last bin."""
        return self.first + self.bins * self.width - 1

    def counts(self, histogram: Histogram) -> list[int]:
        """Return the number of values in each bin."""
        counts = [0] * self.bins
        for i, games in enumerate(histogram.counts):
            index = (histogram.first + i - self.first) // self.width
            counts[min(max(index, 0), self.bins - 1)] += games
        return counts


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars above a scale."""

    kind: ClassVar[str] = "bars"
    caption: str
    """The heading."""
    answer: str
    """The main result in words."""
    of: str
    """The meaning of the numbers."""
    scale: AxisScale
    """The scale below the bars."""
    bars: tuple[Bar, ...]
    """The bins, from left to right."""
    path: str
    """The bars in a box of `bins` by 100."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A row with small bars."""

    name: str
    """The deck or card of the row."""
    cells: tuple[str, ...]
    """The values of the row in words."""
    path: str
    """The bars in a box of `bins` by 100."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """A table with small bars in each row, all of the same scale and height."""

    kind: ClassVar[str] = "outlines"
    caption: str
    """The heading."""
    of: str
    """The meaning of the numbers."""
    columns: tuple[str, ...]
    """The heads of the columns."""
    scale: AxisScale
    """The scale of all rows."""
    rows: tuple[Outline, ...]
    """The rows, the most important first."""
    note: str = ""
    """A sentence below the table."""


def draw_path(counts: Sequence[float], most: float) -> str:
    """Return bars of width 1 as a path. A bar of `most` is 100 high, as the box."""
    parts = []
    for i, games in enumerate(counts):
        if games:
            top = round(BOX_HEIGHT * (1 - games / most), 1)
            parts.append(f"M{i} {BOX_HEIGHT}V{top:g}H{i + 1 - BAR_GAP:g}V{BOX_HEIGHT}")
    return "".join(parts)


# A matrix of win rates: with all its cells, or as data that a script lays out


EVEN_RATE = 0.5
MAX_COLOUR_DEPTH = 62
LEGEND_RATES = (0.0, 0.25, 0.5, 0.75, 1.0)
MAX_CELLS = 900
"""The most cells that are laid out one by one, enough for thirty decks."""
MAX_RATES = 40_000
"""The most rates that a page carries as data, about 15 bytes each."""

Rates: TypeAlias = tuple[tuple[Estimate | None, ...], ...]


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """A win rate in a matrix."""

    value: float
    """The rate, from 0 to 1."""
    text: str
    """The rate in words."""
    hint: str
    """The rate with its interval and games."""
    depth: int
    """The strength of the colour, 0 to 62."""
    wins: bool
    """Whether the row wins at least half of its games."""


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A matrix of win rates.

    If rows and columns are the same decks, each half of the rates determines the other.
    """

    kind: ClassVar[str] = "heatmap"
    caption: str
    """The heading."""
    names: tuple[str, ...]
    """The decks of the rows."""
    rates: Rates
    """The win rates of the rows, by column."""
    note: str = ""
    """A sentence below the matrix."""
    columns: tuple[str, ...] = ()
    """The opponents of the columns, if they are not the decks of the rows."""

    @property
    def is_large(self) -> bool:
        """Whether it is an image with a list for a row that the reader chooses."""
        return len(self.names) * len(self.columns or self.names) > MAX_CELLS

    @property
    def rows(self) -> tuple[tuple[HeatmapCell | None, ...], ...]:
        """The cells, row by row."""
        return tuple(tuple(map(_rate_cell, row)) for row in self.rates)

    @property
    def legend(self) -> tuple[HeatmapCell, ...]:
        """A cell for some rates, from 0 to 100%."""
        return tuple(
            _coloured_cell(rate, f"{100 * rate:.0f}", "") for rate in LEGEND_RATES
        )

    @property
    def data(self) -> dict[str, object] | None:
        """The data for the script, or None if it is too much for a page.

        `rates` are the rates of all rows in tenths of a percent, with the ends of the
        interval and games, or 0 for none. If rows and columns are the same decks, only
        the cells above the diagonal are kept.
        """
        cells: list[Estimate | None] = []
        for index, row in enumerate(self.rates):
            cells += row if self.columns else row[index + 1 :]
        if len(cells) > MAX_RATES:
            return None
        return {
            "names": list(map(printable, self.names)),
            "columns": list(map(printable, self.columns)),
            "rates": [_rate_data(rate) for rate in cells],
        }


def _rate_data(rate: Estimate | None) -> list[int] | int:
    """Return the rate, the ends of its interval and its games, or 0 without a rate."""
    if rate is None:
        return 0
    ends = (rate.value, *rate.interval)
    return [*(round(1000 * end) for end in ends), rate.games]


def draw_heatmap(
    table: ReportTable, note: str, columns: tuple[str, ...] = ()
) -> Heatmap:
    """Return a matrix of win rates with colours. `columns` are its rows if left out."""
    names: list[str] = []
    rates: list[tuple[Estimate | None, ...]] = []
    for name, *cells in table.rows:
        names.append(str(name))
        rates.append(
            tuple(cell if isinstance(cell, Estimate) else None for cell in cells)
        )
    return Heatmap(
        caption=table.title,
        names=tuple(names),
        rates=tuple(rates),
        note=note,
        columns=columns,
    )


def _rate_cell(rate: Estimate | None) -> HeatmapCell | None:
    """Return the cell of a win rate, or None without a rate."""
    if rate is None:
        return None
    games = game_count(rate.games)
    hint = f"{percent(rate.value)} ({ranged(rate.interval)}), {games}"
    return _coloured_cell(rate.value, IN_PERCENT.number(rate.value), hint)


def _coloured_cell(rate: float, text: str, hint: str) -> HeatmapCell:
    """Return a cell in the colour of the winner, stronger for a clearer win."""
    depth = round(2 * MAX_COLOUR_DEPTH * abs(rate - EVEN_RATE))
    return HeatmapCell(rate, text, hint, depth, wins=rate >= EVEN_RATE)


# Measured values above an axis, tables, and notes


TICK_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MAX_TICKS = 6
MAX_SHORT_NAME = 28
MAX_SLIM_WIDTH = 3
RING_LEGEND = "the ring is the value before"


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale of rates."""

    low: float
    """The rate at the left end."""
    high: float
    """The rate at the right end."""
    ticks: tuple[tuple[float, str], ...]
    """Places in % of the axis with their labels."""
    even: float | None
    """The place of an even rate in %, if there is one."""

    def at(self, rate: float) -> float:
        """Return the place of a rate in % of the axis."""
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
    """A row of a forest."""

    name: str
    """The deck or card of the row."""
    value: str
    """The measured value in words."""
    interval: str
    """The interval of the value in words."""
    mark: Mark
    """The value and its interval on the axis."""
    texts: tuple[str, ...] = ()
    """The cells of the further columns."""
    place: str = ""
    """The place in a ranking, if there is one."""
    deck: str = ""
    """The deck that has the value, where rows can be filtered."""
    is_other: bool = False
    """Whether the row repeats another from the other side. Only a filter shows it."""
    before: float | None = None
    """The place of the value before a change, in % of the axis."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Measured values with their intervals, drawn above a common axis."""

    kind: ClassVar[str] = "forest"
    caption: str
    """The heading."""
    of: str
    """The head of the names."""
    measured: str
    """The head of the values."""
    reach: str
    """The head of the intervals."""
    axis: Axis
    """The axis of all rows."""
    rows: tuple[Row, ...]
    """The rows, the most important first."""
    heads: tuple[str, ...] = ()
    """The heads of the further columns."""
    is_number: tuple[bool, ...] = ()
    """Whether each further column has numbers."""
    note: str = ""
    """A sentence below the rows."""

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks by which rows can be filtered, if there are several."""
        decks = sorted({row.deck for row in self.rows if row.deck}, key=str.casefold)
        return tuple(decks) if len(decks) > 2 else ()

    @property
    def is_short(self) -> bool:
        """Whether all names fit on one line with the other columns."""
        return all(len(row.name) <= MAX_SHORT_NAME for row in self.rows)

    @property
    def has_places(self) -> bool:
        """Whether the rows have places."""
        return any(row.place for row in self.rows)


@dataclass(frozen=True, slots=True)
class Line:
    """A value over time with its intervals, in a box of 100 by 100."""

    kind: ClassVar[str] = "line"
    caption: str
    """The heading."""
    answer: str
    """The main result in words."""
    axis: Axis
    """The axis of the values."""
    ticks: tuple[tuple[float, str], ...]
    """Places in % with their labels."""
    marks: tuple[tuple[float, Mark], ...]
    """The values, each with its place in %."""

    @property
    def path(self) -> str:
        """The line that joins the values."""
        return "M" + "L".join(f"{x} {100 - mark.value:.2f}" for x, mark in self.marks)


@dataclass(frozen=True, slots=True)
class Figures:
    """A table without a drawing."""

    kind: ClassVar[str] = "figures"
    table: ReportTable

    @property
    def is_slim(self) -> bool:
        """Whether it has so few columns that they stay close to each other."""
        return len(self.table.columns) <= MAX_SLIM_WIDTH


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Words with their meanings, folded away below a `title` if any."""

    kind: ClassVar[str] = "facts"
    facts: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences, an item each."""

    kind: ClassVar[str] = "notes"
    notes: tuple[str, ...]


Block: TypeAlias = (
    Forest | Heatmap | Figures | Bars | Outlines | Line | PageFacts | Notes
)


def fit_axis(
    rates: Sequence[Figure], even: float | None = EVEN_RATE, *, signed: bool = False
) -> Axis:
    """Return an axis with round ends around all intervals, and around `even` or 0.

    `signed` rates are differences: they may be below 0 and are shown with their sign.
    """
    ends = [end for rate in rates for end in rate.interval]
    # Without an even value, the rates are shares of a whole.
    ends.append(0.0 if even is None else even)
    lowest = max(-1.0 if signed else 0.0, min(ends))
    highest = min(1.0, max(ends))
    step = _choose_step(highest - lowest)
    first = floor(lowest / step + 1e-9)
    last = max(ceil(highest / step - 1e-9), first + 1)
    # The axis without ticks places them.
    axis = Axis(first * step, last * step, ticks=(), even=None)
    sign = "+" if signed else ""
    ticks: list[tuple[float, str]] = []
    for number in range(first, last + 1):
        rate = number * step
        ticks.append((axis.at(rate), f"{100 * rate:{sign}.0f}" if number else "0"))
    even_place = None if even is None else axis.at(even)
    return replace(axis, ticks=tuple(ticks), even=even_place)


def _choose_step(length: float) -> float:
    """Return the distance between the ticks of an axis of a length."""
    for step in TICK_STEPS:
        if length / step < MAX_TICKS - 1:
            return step
    return TICK_STEPS[-1]


def place_mark(axis: Axis, estimate: Figure) -> Mark:
    """Return the places of a value and its interval on an axis."""
    low, high = estimate.interval
    return Mark(axis.at(low), axis.at(estimate.value), axis.at(high))


def draw_line(
    caption: str, answer: str, axis: Axis, rates: Mapping[str, Figure]
) -> Line:
    """Return a line through rates by their names, in order."""
    places = [round(100 * (i + 0.5) / len(rates), 2) for i in range(len(rates))]
    marks = [place_mark(axis, rate) for rate in rates.values()]
    ticks = tuple(zip(places, rates, strict=True))
    shown = ticks if len(ticks) <= MAX_TICKS else (ticks[0], ticks[-1])
    return Line(caption, answer, axis, shown, tuple(zip(places, marks, strict=True)))


def draw_forest(
    table: ReportTable,
    *,
    axis: Axis | None = None,
    places: Sequence[str] = (),
    decks: Sequence[tuple[str, bool]] = (),
) -> Forest:
    """Return a table with the intervals of its first measured column drawn.

    The axis covers all values unless there is an `axis`. `decks` has the deck of each
    row, and whether the row repeats another row from the other side. Rows without a
    value are left out.
    """
    drawn_index = next(i for i, column in enumerate(table.columns) if column.interval)
    drawn_column = table.columns[drawn_index]
    others = [i for i in range(1, len(table.columns)) if i != drawn_index]
    further = [table.columns[i] for i in others]
    measured = [(row, row[drawn_index]) for row in table.rows]
    drawn = [(row, value) for row, value in measured if isinstance(value, Figure)]
    values_before = _values_before(table, [row for row, _ in drawn])
    if axis is None:
        values = [value for _, value in drawn]
        axis = _fit_forest_axis(table, drawn_column, values, values_before)
    rows = []
    for number, (row, value) in enumerate(drawn):
        before = values_before[number]
        shown, _ = drawn_column.texts(value)
        deck, is_other = decks[number] if decks else ("", False)
        rows.append(
            Row(
                name=str(row[0]),
                value=shown,
                interval=ranged(value.interval),
                mark=place_mark(axis, value),
                texts=cell_texts(further, [row[i] for i in others]),
                place=places[number] if places else "",
                deck=deck,
                is_other=is_other,
                before=None if before is None else axis.at(before),
            )
        )
    heads: list[str] = []
    is_number: list[bool] = []
    for column in further:
        heads += column.heads
        is_number += [column.unit is not None] * len(column.heads)
    notes = (table.note, RING_LEGEND if table.before else "")
    return Forest(
        caption=table.title,
        of=table.columns[0].name,
        measured=drawn_column.name,
        reach=(drawn_column.interval or "").replace("% interval", "%"),
        axis=axis,
        rows=tuple(rows),
        heads=tuple(heads),
        is_number=tuple(is_number),
        note="; ".join(filter(None, notes)),
    )


def _fit_forest_axis(
    table: ReportTable,
    column: Column,
    values: Iterable[Figure],
    values_before: Iterable[float | None],
) -> Axis:
    """Return an axis around all values of a column, now and before a change."""
    figures = list(values)
    for value in values_before:
        if value is not None:
            figures.append(Estimate(value, Interval(value, value), 0))
    signed = column.unit is not None and column.unit.signed
    return fit_axis(figures, 0.0 if signed else table.even, signed=signed)


def _values_before(
    table: ReportTable, rows: Sequence[Sequence[Cell]]
) -> list[float | None]:
    """Return the values of the column `before`, or None in rows without a value."""
    names = [column.name for column in table.columns]
    if table.before not in names:
        return [None] * len(rows)
    cells = [row[names.index(table.before)] for row in rows]
    return [cell if isinstance(cell, float) else None for cell in cells]


BY_COLOUR = "blue: the row wins more; orange: the column does"


def draw_where_possible(table: ReportTable) -> Forest | Heatmap | Figures:
    """Return a table with its intervals or its matrix of rates drawn, if it has any."""
    table = replace(table, title=table.caption or table.title)
    measured: list[Column] = []
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        measured += [column for column, cell in cells if isinstance(cell, Figure)]
    if table.matrix and measured:
        return draw_heatmap(table, table.note or BY_COLOUR, table.heads[1:])
    is_drawn = any(column.interval for column in measured)
    return draw_forest(table) if is_drawn else Figures(table)
