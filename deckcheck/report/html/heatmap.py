"""A matrix of win rates: with all its cells, or as data that a script lays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from deckcheck.findings.words import printable
from deckcheck.report.tables import Table
from deckcheck.report.units import IN_PERCENT, percent, ranged
from deckcheck.stats import Estimate

EVEN = 0.5
DEEPEST = 62
LEGEND = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_CELLS = 900
"""Cells that are laid out one by one; those of thirty decks."""
MOST_RATES = 40_000
"""Rates that a page has as data, some 15 bytes each."""

Rates: TypeAlias = tuple[tuple[Estimate | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A win rate in a matrix; `depth` is how strong its colour is, 0 to 62."""

    value: float
    text: str
    hint: str
    depth: int
    wins: bool


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Win rates of the rows, `names`, against the columns, the same unless named.

    Where both are the same, the rates of one half say those of the other.
    """

    kind: ClassVar[str] = "heatmap"
    caption: str
    names: tuple[str, ...]
    rates: Rates
    note: str = ""
    columns: tuple[str, ...] = ()

    @property
    def is_large(self) -> bool:
        """Whether it is an image, and a list for one row that a reader chooses."""
        return len(self.names) * len(self.columns or self.names) > MOST_CELLS

    @property
    def rows(self) -> tuple[tuple[Cell | None, ...], ...]:
        """The cells, row by row."""
        return tuple(tuple(map(_cell_of, row)) for row in self.rates)

    @property
    def legend(self) -> tuple[Cell, ...]:
        """A cell for some rates, from 0 to 100 %."""
        return tuple(_cell(rate, f"{100 * rate:.0f}", "") for rate in LEGEND)

    @property
    def data(self) -> dict[str, object] | None:
        """What the script needs; None where even that is too much for a page.

        `rates` are those of all rows, without columns of the half above the diagonal:
        in tenths of a percent, with the ends of the interval, and games; 0 for none.
        """
        halves = [
            rate
            for at, row in enumerate(self.rates)
            for rate in (row if self.columns else row[at + 1 :])
        ]
        if len(halves) > MOST_RATES:
            return None
        return {
            "names": list(map(printable, self.names)),
            "columns": list(map(printable, self.columns)),
            "rates": [_numbers(rate) for rate in halves],
        }


def _numbers(rate: Estimate | None) -> list[int] | int:
    if rate is None:
        return 0
    ends = (rate.value, *rate.interval)
    return [*(round(1000 * end) for end in ends), rate.games]


def heatmap_of(table: Table, note: str, columns: tuple[str, ...] = ()) -> Heatmap:
    """Return a matrix of win rates with colours; `columns` are its rows if left out."""
    return Heatmap(
        table.title,
        tuple(str(row[0]) for row in table.rows),
        tuple(
            tuple(rate if isinstance(rate, Estimate) else None for rate in row[1:])
            for row in table.rows
        ),
        note,
        columns,
    )


def _cell_of(rate: Estimate | None) -> Cell | None:
    """The cell of a win rate; the colour is that of the winner."""
    if rate is None:
        return None
    hint = f"{percent(rate.value)} ({ranged(rate.interval)}), {rate.games:,} games"
    return _cell(rate.value, IN_PERCENT.number(rate.value), hint)


def _cell(rate: float, text: str, hint: str) -> Cell:
    depth = round(2 * DEEPEST * abs(rate - EVEN))
    return Cell(rate, text, hint, depth, rate >= EVEN)
