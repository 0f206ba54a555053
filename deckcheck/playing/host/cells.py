"""Tallies with cells of a player's own below the rows of a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import ceil

import numpy as np

from deckcheck.playing.host.table import Table
from deckcheck.playing.tally import Ints


@dataclass(frozen=True)
class TableWithCells(ABC):
    """A table whose sets are played in a way that counts more than the table does.

    A tally has the rows of the table's, and below them the cells.
    """

    table: Table

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many cells a tally has below the rows of the table."""

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return self.table.engine

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The entrants in the order of a game, for the orders of the seats in turn."""
        return self.table.entrant_in

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        rows, columns = self.table.tally_shape
        return rows + rows_of(self.cells, columns), columns

    def cells_of(self, tally: Ints) -> Ints:
        """The cells of a tally, in a row."""
        return cells_below(tally, self.table.tally_shape[0], self.cells)


def rows_of(cells: int, columns: int) -> int:
    """How many rows of a tally the cells take."""
    return ceil(cells / columns)


def with_cells(tally: Ints, cells: Ints) -> Ints:
    """The tally with the cells in further rows, the rest of which is 0."""
    columns = tally.shape[1]
    below = np.zeros((rows_of(cells.size, columns), columns), np.int64)
    below.ravel()[: cells.size] = cells.ravel()
    return np.concatenate([tally, below])


def cells_below(tally: Ints, rows: int, cells: int) -> Ints:
    """The cells below so many rows of a tally; fewer if it has none."""
    return tally[rows:].ravel()[:cells]
