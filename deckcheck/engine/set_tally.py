"""What a block of sets leaves behind: counts and sums, mergeable by +.

A tally is a two-dimensional int64 array. Its first row holds the cells of `Head`; then
follow a row for each entrant, one for each seat, and one for each entrant in each
seat, all with the cells of `Part`. A win is worth `WHOLE` shares, split evenly among
those who share the first place.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

__all__ = ["WHOLE", "Head", "Part", "new_set_tally"]

WHOLE = 60  # divisible by 2 to 6, so that every share is a whole number


class Head(IntEnum):
    """The cells of the first row."""

    CHECKSUM = 0  # sum of the hashes of the games, 48 bits
    SETS = 1
    GAMES = 2
    ROUNDS = 3  # sum over games
    TURNS = 4  # sum over games of the moves made
    DRAWS = 5  # games in which all entrants share the first place


class Part(IntEnum):
    """The cells of every other row: what an entrant, or a seat, came to.

    Sums are squared over sets; in the rows of one entrant in one seat over games, and
    so are the shares counted.
    """

    GAMES = 0
    WINS = 1  # first places of its own
    SHARED = 2  # first places shared with others
    PLACES = 3  # sum of the places
    POINTS = 4  # sum of the points
    PLACES_SQUARED = 5
    POINTS_SQUARED = 6
    SHARES = 7  # from here: how often the sum of shares was 0, 1, 2, ...


def new_set_tally(entrants: int, rotation: int) -> npt.NDArray[np.int64]:
    """An empty tally for sets of `rotation` games."""
    rows = 1 + 2 * entrants + entrants * entrants
    return np.zeros((rows, Part.SHARES + WHOLE * rotation + 1), np.int64)
