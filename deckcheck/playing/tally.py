"""The tally of a block of sets: counts and sums, mergeable by +.

A tally is a two-dimensional int64 array. Its first row holds the cells of `Head`; then
follow a row for each entrant, one for each seat, and one for each entrant in each
seat, all with the cells of `Part`. A win is worth `whole(entrants)` shares, split
evenly among those who share the first place: in a duel these are half-points.
"""

from __future__ import annotations

from enum import IntEnum
from math import lcm
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

CHECKSUM_MASK = (1 << 48) - 1

Ints: TypeAlias = npt.NDArray[np.int64]


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
    GAMES_SQUARED = 1  # sum over sets of the squared number of games
    WINS = 2  # first places of its own
    SHARED = 3  # first places shared with others
    PLACES = 4  # sum of the places
    POINTS = 5  # sum of the points
    CARDS_LEFT = 6  # sum of the cards left in hand
    PLACES_SQUARED = 7
    POINTS_SQUARED = 8
    SHARES = 9  # from here: how often the sum of shares was 0, 1, 2, ...


def whole(entrants: int) -> int:
    """The shares that a win is worth: every even split of it is a whole number."""
    return lcm(*range(1, entrants + 1))


def new_tally(entrants: int, rotation: int) -> Ints:
    """An empty tally for sets of `rotation` games."""
    rows = 1 + 2 * entrants + entrants * entrants
    return np.zeros((rows, Part.SHARES + whole(entrants) * rotation + 1), np.int64)
