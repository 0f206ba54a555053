"""The blocks of a page: histograms, heatmaps, forests, lines, tables, notes.

Forests and lines are in `forests`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from deckcheck.messages import game_count, printable
from deckcheck.report.forests import EVEN_RATE, Forest, Line, draw_forest
from deckcheck.report.tables import (
    IN_PERCENT,
    ReportTable,
    percent,
    ranged,
)
from deckcheck.sim.figures import Figure
from deckcheck.stats import Estimate, Histogram

# Histograms as parts of a page: bars, and small ones in the rows of a table.

BAR_GAP = 0.08
"""The space between two bars, as a share of the width of a bin."""
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
        for number, games in enumerate(histogram.counts, start=histogram.first):
            index = (number - self.first) // self.width
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


# A matrix of win rates: with all its cells, or as data that a script lays out.

MAX_COLOUR_DEPTH = 62
"""The depth of a cell whose row wins all games, or none, as in the style sheet."""
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
        cells = []
        for rate in LEGEND_RATES:
            cells.append(_coloured_cell(rate, f"{100 * rate:.0f}", hint=""))
        return tuple(cells)

    @property
    def data(self) -> dict[str, object] | None:
        """The data for the script, or None if it is too much for a page.

        `rates` are the rates of all rows in tenths of a percent, with the ends of the
        interval and games, or 0 for none. If rows and columns are the same decks, only
        the cells above the diagonal are kept.
        """
        cells: list[Estimate | None] = []
        for index, row in enumerate(self.rates):
            first_column = 0 if self.columns else index + 1
            cells += row[first_column:]
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
    shares = (rate.value, *rate.interval)
    return [*(round(1000 * share) for share in shares), rate.games]


def draw_heatmap(
    table: ReportTable, note: str, columns: tuple[str, ...] = ()
) -> Heatmap:
    """Return a matrix of win rates with colours.

    `columns` are the opponents, by default the decks of the rows.
    """
    names: list[str] = []
    rates: list[tuple[Estimate | None, ...]] = []
    for name, *cells in table.rows:
        names.append(str(name))
        row = [cell if isinstance(cell, Estimate) else None for cell in cells]
        rates.append(tuple(row))
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


# Tables and notes, and the choice of a block for a table.

MAX_SLIM_WIDTH = 3
"""Columns of a table whose columns stay close to each other."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A table without a drawing."""

    kind: ClassVar[str] = "figures"
    table: ReportTable

    @property
    def is_slim(self) -> bool:
        """Whether its columns stay close to each other."""
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


BY_COLOUR = "blue: the row wins more; orange: the column does"


def draw_where_possible(table: ReportTable) -> Forest | Heatmap | Figures:
    """Return a table with its intervals or its matrix of rates drawn, if it has any."""
    table = replace(table, title=table.caption or table.title)
    is_measured, has_interval = False, False
    for row in table.rows:
        for column, cell in zip(table.columns, row, strict=True):
            if isinstance(cell, Figure):
                is_measured = True
                has_interval = has_interval or bool(column.interval)
    if table.matrix and is_measured:
        return draw_heatmap(table, table.note or BY_COLOUR, table.heads[1:])
    if has_interval:
        return draw_forest(table)
    return Figures(table)
