"""The tables of reports: columns with a unit, and cells that keep their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from deckcheck.report.units import UNKNOWN, Unit
from deckcheck.stats import Interval


@runtime_checkable
class Measured(Protocol):
    """A value with its interval: an estimate, a difference, an effect."""

    @property
    def value(self) -> float:
        """The measured value."""

    @property
    def interval(self) -> Interval:
        """Its interval."""


Cell: TypeAlias = str | float | Interval | Measured | None
"""Text is shown as it is, numbers in the unit of their column, None as `-`."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; one without a `unit` holds words.

    One with an `interval` holds measured values and is shown as two columns, the second
    of that name, whose ends are joined by `joint`.
    """

    name: str
    unit: Unit | None = None
    interval: str | None = None
    joint: str = " to "

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns that are shown."""
        return (self.name,) if self.interval is None else (self.name, self.interval)

    def texts(self, cell: Cell) -> tuple[str, ...]:
        """The texts that a cell shows, one for each of `heads`."""
        if self.interval is None:
            return (self._text(cell),)
        if isinstance(cell, Measured):
            return self._text(cell), self._text(cell.interval)
        return (self._text(cell),) * 2

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return UNKNOWN
        if isinstance(cell, str):
            return cell
        unit = self.unit or Unit()
        if isinstance(cell, Interval):
            return unit.ends(cell, self.joint)
        return unit.number(cell.value if isinstance(cell, Measured) else cell)


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the cells of its first column name the rows.

    The columns of a `matrix` may be laid out in several parts. The rows of a `ranked`
    one are numbered. First cells that are `whole` are never cut. `note` stands below.
    A drawing marks `even`; differences are even at 0. It has a ring at the value of the
    column `before`, if there is one.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    matrix: bool = False
    ranked: bool = False
    note: str | None = None
    whole: bool = False
    even: float | None = 0.5
    before: str = ""

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of all columns that are shown."""
        return tuple(head for column in self.columns for head in column.heads)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The texts of all rows, one for each of `heads`."""
        return tuple(texts_of(self.columns, row) for row in self.rows)

    @property
    def is_number(self) -> tuple[bool, ...]:
        """Whether each of the columns that are shown holds numbers."""
        return tuple(c.unit is not None for c in self.columns for _ in c.heads)

    @property
    def places(self) -> tuple[str, ...]:
        """What stands before the name of each row."""
        if not self.ranked:
            return ("",) * len(self.rows)
        digits = len(str(len(self.rows)))
        return tuple(f"{n:>{digits}}  " for n in range(1, len(self.rows) + 1))


def texts_of(columns: Sequence[Column], row: Sequence[Cell]) -> tuple[str, ...]:
    """Return the texts of the cells of a row."""
    pairs = zip(columns, row, strict=True)
    return tuple(text for column, cell in pairs for text in column.texts(cell))


def words(*names: str) -> tuple[Column, ...]:
    """Return columns of words."""
    return tuple(map(Column, names))


def numbers(unit: Unit, *names: str) -> tuple[Column, ...]:
    """Return columns of numbers of one unit."""
    return tuple(Column(name, unit) for name in names)
