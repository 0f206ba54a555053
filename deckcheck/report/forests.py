"""Measured values above a common axis: forests, and lines over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import ClassVar

from deckcheck.report.tables import Cell, Column, ReportTable, cell_texts, ranged
from deckcheck.sim.figures import Figure
from deckcheck.stats import Estimate, Interval

EVEN_RATE = 0.5
"""The win rate of two equally strong decks."""
TICK_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
"""Distances between the ticks of an axis."""
MAX_TICKS = 6
MAX_SHORT_NAME = 28
"""Characters of a name that fits on one line with the other columns."""
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
    texts: tuple[str, ...]
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
        decks = {row.deck for row in self.rows if row.deck}
        if len(decks) <= 2:
            return ()
        return tuple(sorted(decks, key=str.casefold))

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


def fit_axis(
    rates: Iterable[Figure], even: float | None = EVEN_RATE, *, signed: bool = False
) -> Axis:
    """Return an axis with round ends around all intervals, and around `even` or 0.

    `signed` rates are differences: they may be below 0 and are shown with their sign.
    """
    # Without an even value, the rates are shares of a whole.
    ends = [even or 0.0]
    for rate in rates:
        ends += rate.interval
    least, sign = (-1.0, "+") if signed else (0.0, "")
    lowest, highest = max(least, min(ends)), min(1.0, max(ends))
    step = _choose_step(highest - lowest)
    first = floor(lowest / step + 1e-9)
    last = max(ceil(highest / step - 1e-9), first + 1)
    # The axis without ticks places them.
    axis = Axis(first * step, last * step, ticks=(), even=None)
    ticks: list[tuple[float, str]] = []
    for number in range(first, last + 1):
        tick = number * step
        label = f"{100 * tick:{sign}.0f}" if number else "0"
        ticks.append((axis.at(tick), label))
    if even is None:
        return replace(axis, ticks=tuple(ticks))
    return replace(axis, ticks=tuple(ticks), even=axis.at(even))


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
    ticks, marks = [], []
    for index, (name, rate) in enumerate(rates.items()):
        place = round(100 * (index + 0.5) / len(rates), 2)
        ticks.append((place, name))
        marks.append((place, place_mark(axis, rate)))
    if len(ticks) > MAX_TICKS:
        ticks = [ticks[0], ticks[-1]]
    return Line(caption, answer, axis, tuple(ticks), tuple(marks))


def draw_forest(
    table: ReportTable,
    *,
    axis: Axis | None = None,
    places: Sequence[str] = (),
    decks: Sequence[tuple[str, bool]] = (),
) -> Forest:
    """Return a table with the intervals of its first measured column drawn.

    The axis covers all values unless there is an `axis`. `places` has the place of each
    row of the table in a ranking. `decks` has the deck of each row, and whether the row
    repeats another row from the other side. Rows without a value are left out.
    """
    drawn_index = next(i for i, column in enumerate(table.columns) if column.interval)
    column = table.columns[drawn_index]
    others = [i for i in range(1, len(table.columns)) if i != drawn_index]
    further = [table.columns[i] for i in others]
    values: dict[int, Figure] = {}
    values_before: dict[int, float | None] = {}
    for number, cells in enumerate(table.rows):
        cell = cells[drawn_index]
        if isinstance(cell, Figure):
            values[number] = cell
            values_before[number] = _find_value_before(table, cells)
    if axis is None:
        axis = _fit_forest_axis(table, column, values.values(), values_before.values())
    rows = []
    for number, value in values.items():
        cells, before = table.rows[number], values_before[number]
        row = Row(
            name=str(cells[0]),
            value=column.texts(value)[0],
            interval=ranged(value.interval),
            mark=place_mark(axis, value),
            texts=cell_texts(further, [cells[i] for i in others]),
            before=None if before is None else axis.at(before),
        )
        if places:
            row = replace(row, place=places[number])
        if decks:
            deck, is_other = decks[number]
            row = replace(row, deck=deck, is_other=is_other)
        rows.append(row)
    heads = [head for other in further for head in other.heads]
    is_number: list[bool] = []
    for other in further:
        is_number += [other.unit is not None] * len(other.heads)
    notes = [table.note] if table.note else []
    if table.before:
        notes.append(RING_LEGEND)
    return Forest(
        caption=table.title,
        of=table.columns[0].name,
        measured=column.name,
        reach=(column.interval or "").replace("% interval", "%"),
        axis=axis,
        rows=tuple(rows),
        heads=tuple(heads),
        is_number=tuple(is_number),
        note="; ".join(notes),
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
    if column.unit is not None and column.unit.signed:
        return fit_axis(figures, 0.0, signed=True)
    return fit_axis(figures, table.even)


def _find_value_before(table: ReportTable, cells: Sequence[Cell]) -> float | None:
    """Return the cell of the column `before`, or None without such a value."""
    for column, cell in zip(table.columns, cells, strict=True):
        if column.name == table.before and isinstance(cell, float):
            return cell
    return None
