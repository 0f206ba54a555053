"""A small compiled program with an inner function, to try `inner` out on this numba."""

from __future__ import annotations

import numpy as np

from deckcheck.engine.jit import dispatch, entry, jit
from deckcheck.engine.types import State

CELLS = 5
RECORD = np.dtype([("amount", np.int64), ("cell", np.int64, (CELLS,))])
EXPECTED = 30  # 0 + 2 + 4 + 6 + 8, and 10 of them beyond


@jit
def add_double(s: State, index: int) -> None:
    """Add twice a cell to the amount; an index beyond the cells is an IndexError."""
    s.amount += 2 * s.cell[index]


@entry
def doubled(number: int) -> int:
    """Twice a number: an entry that compiled code calls as well."""
    return number * 2


@entry
def total(s: State, count: int) -> int:
    """Twice the sum of the first `count` cells, and 10."""
    s.amount = doubled(CELLS)
    for index in range(count):
        add_double(s, index)
    return s.amount


def tripled(s: State, number: int) -> int:
    """Three times a number, and as much to the amount: compiled and kept."""
    s.amount += 3 * number
    return 3 * number


def first(s: State, number: int) -> int:
    """Calls of this go to `tripled`."""
    return tripled(s, number)


def second(s: State, number: int) -> int:
    """Calls of this go to `tripled` as well, which is now loaded."""
    return tripled(s, number)


dispatch(first, lambda s, number: tripled)
dispatch(second, lambda s, number: tripled)


@entry
def nine_times(s: State, number: int) -> int:
    """Nine times a number, by intermediate code that was made and that was kept."""
    s.amount = 0
    return second(s, first(s, number))


def run() -> None:
    """Compile, load again what was kept on disk, and play; raises if anything is off.

    An error in an inner function must reach Python as it does without `inner`.
    """
    states = np.zeros(1, RECORD).view(np.recarray)
    if (nine_times(states[0], CELLS), states[0].amount) != (9 * CELLS, 12 * CELLS):
        raise ValueError(f"the intermediate code gave {states[0].amount}")
    states[0].cell[:] = range(CELLS)
    for function in (total, entry(getattr(total, "py_func", total))):
        answers = function(states[0], CELLS), doubled(CELLS)
        if answers != (EXPECTED, 2 * CELLS):
            raise ValueError(f"the trial gave {answers}")
        try:
            function(states[0], CELLS + 1)
        except IndexError:
            continue
        raise ValueError("the trial went beyond its cells")
