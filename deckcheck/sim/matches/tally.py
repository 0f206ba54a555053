"""What a block of tournament matches leaves behind: a tally with rows for the decks.

Its first rows are those of a table of two (see `playing.tally`), counted in matches:
who chose first in game 1 is in seat 0, rounds are games, points are games won. Then
follows a row with the cells of `Chosen`, and one with those of `Cell` for each deck of
side 0 against each of side 1.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from deckcheck.playing import tally
from deckcheck.playing.tally import Ints

ROWS, COLUMNS = tally.new_tally(2, 2).shape


class Chosen(IntEnum):
    """Single games, from the side of who chose the deck first."""

    LOST = 0
    DRAWN = 1
    WON = 2
    GAMES = 3
    GAMES_DRAWN = 4


class Cell(IntEnum):
    """Games of two decks, from side 0, and matches that these two opened."""

    LOST = 0
    DRAWN = 1
    WON = 2
    OPENED = 3


def new_tally(sizes: tuple[int, int]) -> Ints:
    """An empty tally of lineups of `sizes` decks."""
    return np.zeros((ROWS + 1 + sizes[0] * sizes[1], COLUMNS), np.int64)


def chosen_row() -> int:
    """The row of `Chosen`, behind those of the table."""
    return int(ROWS)


def cell_row(sizes: tuple[int, int], a: Ints, b: Ints) -> Ints:
    """The rows of decks `a` of side 0 against decks `b` of side 1."""
    rows: Ints = ROWS + 1 + a * sizes[1] + b
    return rows
