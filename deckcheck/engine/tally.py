"""What a block of two-player games leaves behind: counts and sums, mergeable by +.

A tally is a one-dimensional int64 array. Fields that end in a pair are split by who
began: index 0 where the first deck (a) began, 1 where the second (b) did.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["CHECKSUM_MASK", "TALLY_SIZE", "Field", "merge", "new_tally"]

CHECKSUM_MASK = (1 << 48) - 1


class Field(IntEnum):
    """Where a figure starts in the tally."""

    GAMES = 0  # 2 cells: a began, b began
    WINS_A = 2  # 2 cells
    WINS_B = 4  # 2 cells
    DRAWS = 6  # 2 cells
    PAIR_SCORE = 8  # 5 cells: pairs by half-points of a halved: 0, 1/2, 1, 3/2, 2 wins
    ROUNDS = 13  # sum over games
    CARDS_LEFT_A = 14  # sum over games of the cards in hand at the end
    CARDS_LEFT_B = 15
    TURNS = 16  # sum over games of the moves made
    CHECKSUM = 17  # sum of the hashes of the games, 48 bits
    PAIRS_APART = 18  # pairs in which each deck began once; a chooser may begin twice


TALLY_SIZE = 19


def new_tally() -> npt.NDArray[np.int64]:
    """An empty tally."""
    return np.zeros(TALLY_SIZE, np.int64)


def merge(one: Any, other: Any) -> npt.NDArray[np.int64]:
    """The tally of both; the order of merging does not matter."""
    both: npt.NDArray[np.int64] = one + other
    both[Field.CHECKSUM] &= CHECKSUM_MASK
    return both
