"""What a block of tournament matches leaves behind: counts, mergeable by +.

A tally is a one-dimensional int64 array: the fields of `Count`, then how often each
deck of side 0 and of side 1 was chosen for game 1, then three cells for each pair of
decks, row by row: games that side 0 lost, drew and won.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

__all__ = ["Count", "cell_of", "cells", "new_counts", "opened"]


class Count(IntEnum):
    """Where a figure starts in the tally."""

    MATCHES = 0  # 2 cells: side 0 chose first in game 1, side 1 did
    WON = 2  # 2 cells, in the same way: matches that side 0 won
    LOST = 4  # 2 cells
    DRAWN = 6  # 2 cells
    PAIR_SCORE = 8  # 5 cells: mirrored pairs by half-points of side 0
    FIRST_SCORE = 13  # 5 cells: mirrored pairs by half-points of who chose first
    GAMES = 18  # games, drawn ones included
    GAMES_DRAWN = 19
    GAMES_WON = 20  # 2 cells: by side
    CHOSE_FIRST = 22  # 3 cells: games that who chose first lost, drew and won
    CHECKSUM = 25  # sum of the hashes of the games, 48 bits


HEAD = 26


def new_counts(sizes: tuple[int, int]) -> list[int]:
    """An empty tally of lineups of `sizes` decks, as a list to count in."""
    return [0] * (HEAD + sum(sizes) + 3 * sizes[0] * sizes[1])


def opened(sizes: tuple[int, int], side: int, deck: int) -> int:
    """Where it is counted that a deck was chosen for game 1."""
    return HEAD + side * sizes[0] + deck


def cell_of(sizes: tuple[int, int], a: int, b: int) -> int:
    """Where the games of two decks against each other start: lost, drawn, won."""
    return HEAD + sum(sizes) + 3 * (a * sizes[1] + b)


def cells(tally: Any, sizes: tuple[int, int]) -> list[list[tuple[int, int, int]]]:
    """The games of each deck of side 0 against each of side 1: lost, drawn, won."""

    def cell(a: int, b: int) -> tuple[int, int, int]:
        lost, drawn, won = (int(tally[cell_of(sizes, a, b) + i]) for i in range(3))
        return lost, drawn, won

    return [[cell(a, b) for b in range(sizes[1])] for a in range(sizes[0])]
