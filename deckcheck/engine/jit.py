"""The types of the engine, and the decorators that compile it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from deckcheck.engine.cache import compiled

if compiled:
    from deckcheck.engine import compiling

# -----------------------------------------------------------------------------
# The number type of the engine, and the two records that every rule works on
#
# To a compiled function all numbers are 64-bit integers. These names are for readers.

State: TypeAlias = Any
"""The record `s` of a game: all that changes as it is played (an `np.record`)."""
States: TypeAlias = Any
"""An array of such records."""
Context: TypeAlias = Any
"""The record `x` of a game: card table, options, players, and buffers."""
Workspace: TypeAlias = Any
"""The record `p` with the data of players that are compiled only when seated."""
Card: TypeAlias = int
"""A kind of card by its number, from 1. 0 is none."""
Player: TypeAlias = int
"""A player by the seat, from 0. -1 is nobody."""
Side: TypeAlias = int
"""A side of the board, of a player or a team, from 0. -1 is none."""
Row: TypeAlias = int
"""A row of a side, from 0."""
Move: TypeAlias = int
"""A move as the game writes it. -1 is none."""
Cells: TypeAlias = npt.NDArray[np.int64]
"""An array of a record, such as the four cells of a generator."""


# -----------------------------------------------------------------------------
# Decorators: `jit` for callers in compiled code, `entry` for callers in Python too
#
# `NUMBA_DISABLE_JIT=1` runs the same functions as plain Python, without numba.

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile `function` into the compiled code that first calls it.

    Bounds are checked. `docs/explanation/engine.md` gives the reasons for state in
    records, a single integer width and no functions as arguments. Functions that
    Python calls need `entry`.
    """
    return compiling.compiled_inside(function) if compiled else function


def entry(function: Function) -> Function:
    """Compile `function` on its first call from Python, and keep it on disk."""
    return compiling.compiled_for_python(function) if compiled else function


def dispatch(caller: Function, choose: Callable[..., Function]) -> None:
    """Let compiled calls of `caller` go to the function that `choose` gives them.

    `choose` is called with the types of the arguments. Its result is compiled into the
    callers, and its intermediate code is kept on disk for the next caller.
    """
    if compiled:
        compiling.send_calls(caller, choose)


def record_type(record: np.dtype[np.void]) -> Any:
    """Return the record type by which `dispatch` chooses, or None uncompiled."""
    return compiling.record_type(record) if compiled else None


# -----------------------------------------------------------------------------
# A small compiled program with an inner function, to try `inner` out on this numba

TRIAL_CELLS = 5
TRIAL_RECORD = np.dtype(
    [
        ("amount", np.int64),
        ("cell", np.int64, (TRIAL_CELLS,)),
        ("table", np.int64, (2, 3)),
    ]
)
TRIAL_TOTAL = 30  # 0 + 2 + 4 + 6 + 8, and 10 of them beyond


@jit
def add_double(s: State, index: int) -> None:
    """Add twice a cell to the amount. Any index beyond the cells is an IndexError."""
    s.amount += 2 * s.cell[index]


@entry
def double_number(number: int) -> int:
    """Return twice a number, as an entry that compiled code calls as well."""
    return number * 2


@entry
def total(s: State, first: int, end: int) -> int:
    """Return twice the sum of the cells from `first` to before `end`, plus 10."""
    s.table[first, end - TRIAL_CELLS + 2] = double_number(TRIAL_CELLS)
    s.amount = s.table[first, 2]
    for index in range(first, end):
        add_double(s, index)
    return s.amount


def triple_number(s: State, number: int) -> int:
    """Add three times a number to the amount and return it. Its code is kept."""
    s.amount += 3 * number
    return 3 * number


def first(s: State, number: int) -> int:
    """Return the result of `triple_number`, to which compiled calls go."""
    return triple_number(s, number)


def second(s: State, number: int) -> int:
    """Return the result of `triple_number` as well, which is now loaded."""
    return triple_number(s, number)


dispatch(first, lambda s, number: triple_number)
dispatch(second, lambda s, number: triple_number)


@entry
def nine_times(s: State, number: int) -> int:
    """Return nine times a number, by new and by kept intermediate code."""
    s.amount = 0
    return second(s, first(s, number))


def run_trial() -> None:
    """Compile, load the kept code again, and play. Raises if anything is wrong.

    An error in an inner function must reach Python as it does without `inner`.
    """
    states = np.zeros(1, TRIAL_RECORD).view(np.recarray)
    product = nine_times(states[0], TRIAL_CELLS)
    if (product, states[0].amount) != (9 * TRIAL_CELLS, 12 * TRIAL_CELLS):
        raise ValueError(f"the intermediate code gave {states[0].amount}")
    states[0].cell[:] = range(TRIAL_CELLS)
    for function in (total, entry(getattr(total, "py_func", total))):
        answers = function(states[0], 0, TRIAL_CELLS), double_number(TRIAL_CELLS)
        if answers != (TRIAL_TOTAL, 2 * TRIAL_CELLS):
            raise ValueError(f"the trial gave {answers}")
        if states[0].table.tolist() != [[0, 0, 2 * TRIAL_CELLS], [0, 0, 0]]:
            raise ValueError(f"the trial left {states[0].table.tolist()}")
        last, beyond = TRIAL_CELLS, TRIAL_CELLS + 1
        for first, end in ((0, beyond), (-1, last), (-beyond, last)):
            try:
                function(states[0], first, end)
            except IndexError:
                continue
            raise ValueError("the trial went beyond its cells")
