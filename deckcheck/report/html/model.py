"""The parts of a page of a report, ready to be laid out; they know no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import ClassVar, TypeAlias

from deckcheck.report.html.bars import Bars, Outlines
from deckcheck.report.html.heatmap import Heatmap
from deckcheck.report.tables import Cell, Column, Measured, Table, texts_of
from deckcheck.report.units import ranged
from deckcheck.stats import Estimate, Interval

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MOST_TICKS = 6
EVEN = 0.5
SHORT = 28
SLIM = 3
RING = "the ring is the value before"
TWO = 2


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
    """A row of a forest: its name, its measured value, and further texts.

    `deck` is whose value it is, where rows can be filtered; one that `is_other` says
    again, from the other side, what another row says, and is shown by a filter alone.
    `before` is where the value was before a change, in % of the axis.
    """

    name: str
    value: str
    interval: str
    mark: Mark
    texts: tuple[str, ...] = ()
    place: str = ""
    deck: str = ""
    is_other: bool = False
    before: float | None = None


@dataclass(frozen=True, slots=True)
class Forest:
    """Measured values with their intervals, drawn above one axis.

    `of` is the head of the names, `measured` that of the values, `reach` that of their
    intervals; `heads` are those of the further columns, and `is_number` says which of
    them hold numbers.
    """

    kind: ClassVar[str] = "forest"
    caption: str
    of: str
    measured: str
    reach: str
    axis: Axis
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    is_number: tuple[bool, ...] = ()
    note: str = ""

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks by which rows can be filtered, if there are several."""
        decks = sorted({row.deck for row in self.rows if row.deck}, key=str.casefold)
        return tuple(decks) if len(decks) > TWO else ()

    @property
    def is_short(self) -> bool:
        """Whether all names fit on one line with the other columns."""
        return all(len(row.name) <= SHORT for row in self.rows)

    @property
    def has_places(self) -> bool:
        """Whether the rows have places."""
        return any(row.place for row in self.rows)


@dataclass(frozen=True, slots=True)
class Figures:
    """A table without a drawing."""

    kind: ClassVar[str] = "figures"
    table: Table

    @property
    def is_slim(self) -> bool:
        """Whether it has so few columns that they stay close to each other."""
        return len(self.table.columns) <= SLIM


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
    rates: Sequence[Measured], even: float | None = EVEN, *, signed: bool = False
) -> Axis:
    """Return an axis with round ends that holds all intervals, and `even`, or else 0.

    `signed` rates are differences: they may be below 0, and are shown with their sign.
    """
    ends = [end for rate in rates for end in rate.interval]
    # Where no value is even, they are shares of a whole.
    ends += [0.0 if even is None else even]
    least, most = min(ends), max(ends)
    least, most = max(-1.0 if signed else 0.0, least), min(1.0, most)
    step = next((s for s in STEPS if (most - least) / s < MOST_TICKS - 1), STEPS[-1])
    first, last = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    last = max(last, first + 1)
    low, high = first * step, last * step
    bare = Axis(low, high, (), None)
    sign = "+" if signed else ""
    ticks = tuple(
        (bare.at(n * step), f"{100 * n * step:{sign}.0f}" if n else "0")
        for n in range(first, last + 1)
    )
    return Axis(low, high, ticks, None if even is None else bare.at(even))


def mark_on(axis: Axis, estimate: Measured) -> Mark:
    """Return where a value and its interval lie on an axis."""
    low, high = estimate.interval
    return Mark(axis.at(low), axis.at(estimate.value), axis.at(high))


def forest_of(
    table: Table,
    *,
    axis: Axis | None = None,
    places: Sequence[str] = (),
    decks: Sequence[tuple[str, bool]] = (),
) -> Forest:
    """Return a table with the intervals of its first measured column drawn.

    The axis is that of all its values unless there is an `axis`. `decks` has whose
    value each row is, and whether that row says another one again, from the other side.
    Rows without a value are left out.
    """
    at = next(i for i, column in enumerate(table.columns) if column.interval)
    unit = table.columns[at].unit
    others = [i for i in range(1, len(table.columns)) if i != at]
    further = [table.columns[i] for i in others]
    measured = [(row, row[at]) for row in table.rows]
    drawn = [(row, value) for row, value in measured if isinstance(value, Measured)]
    before = _before(table, [row for row, _ in drawn])
    if axis is None:
        signed = unit is not None and unit.signed
        values = [value for _, value in drawn]
        values += [Estimate(b, Interval(b, b), 0) for b in before if b is not None]
        axis = axis_of(values, 0.0 if signed else table.even, signed=signed)
    rows = []
    for number, (row, value) in enumerate(drawn):
        was = before[number]
        shown, _ = table.columns[at].texts(value)
        interval = ranged(value.interval)
        texts = texts_of(further, [row[i] for i in others])
        place = places[number] if places else ""
        whose = decks[number] if decks else ("", False)
        mark = mark_on(axis, value)
        ring = None if was is None else axis.at(was)
        name = str(row[0])
        rows.append(Row(name, shown, interval, mark, texts, place, *whose, before=ring))
    return Forest(
        table.title,
        table.columns[0].name,
        table.columns[at].name,
        _reach(table.columns[at]),
        axis,
        tuple(rows),
        tuple(head for column in further for head in column.heads),
        tuple(column.unit is not None for column in further for _ in column.heads),
        "; ".join(filter(None, (table.note, RING if table.before else ""))),
    )


def _before(table: Table, rows: Sequence[Sequence[Cell]]) -> list[float | None]:
    """The values of the column `before`, None without one."""
    names = [column.name for column in table.columns]
    if table.before not in names:
        return [None] * len(rows)
    cells = [row[names.index(table.before)] for row in rows]
    return [cell if isinstance(cell, float) else None for cell in cells]


def _reach(column: Column) -> str:
    """What an interval is called above a drawing: `95 %`, or by its name."""
    return (column.interval or "").replace(" % interval", " %")


def drawn_or_not(table: Table) -> Forest | Figures:
    """Return a table with its intervals drawn, if it has any."""
    is_measured = any(
        isinstance(cell, Measured) and column.interval
        for row in table.rows
        for column, cell in zip(table.columns, row, strict=True)
    )
    return forest_of(table) if is_measured else Figures(table)
