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
# The number type of the engine, and the two records that every rule works on.
#
# To a compiled function all numbers are 64-bit integers; these names tell the reader.

State: TypeAlias = Any
"""The record `s` of a game: all that changes as it is played (an `np.record`)."""
States: TypeAlias = Any
"""An array of such records."""
Context: TypeAlias = Any
"""The record `x` of a game: card table, options, players, and buffers."""
Workspace: TypeAlias = Any
"""The record `p`: what players need who are compiled only when seated."""
Card: TypeAlias = int
"""A kind of card by its number, from 1; 0 is none."""
Player: TypeAlias = int
"""A player by the seat, from 0; -1 is nobody."""
Side: TypeAlias = int
"""A side of the board, from 0: that of a player or of a team; -1 is none."""
Row: TypeAlias = int
"""A row of a side, from 0."""
Move: TypeAlias = int
"""A move as the game writes it; -1 is none."""
Cells: TypeAlias = npt.NDArray[np.int64]
"""An array of a record, such as the four cells of a generator."""


# -----------------------------------------------------------------------------
# One decorator for what compiled code calls, one for what Python calls too.
#
# `NUMBA_DISABLE_JIT=1` runs the same functions as plain Python, without numba.

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile `function` when compiled code first calls it; it becomes part of that.

    Bounds are checked. State in records, one integer width and no functions as
    arguments: `docs/explanation/engine.md` gives the reasons. What Python calls needs
    `entry`.
    """
    return compiling.compiled_inside(function) if compiled else function


def entry(function: Function) -> Function:
    """Compile `function` on its first call from Python, and keep it on disk."""
    return compiling.compiled_for_python(function) if compiled else function


def dispatch(caller: Function, choose: Callable[..., Function]) -> None:
    """Let compiled calls of `caller` go to the function that `choose` gives them.

    `choose` is called with the types of the arguments. What it returns is compiled
    into those who call it; its intermediate code is kept on disk for the next one.
    """
    if compiled:
        compiling.send_calls(caller, choose)


def type_of(record: np.dtype[np.void]) -> Any:
    """Return the record type by which `dispatch` chooses, or None uncompiled."""
    return compiling.type_of(record) if compiled else None


# -----------------------------------------------------------------------------
# A small compiled program with an inner function, to try `inner` out on this numba.

CELLS = 5
RECORD = np.dtype(
    [("amount", np.int64), ("cell", np.int64, (CELLS,)), ("table", np.int64, (2, 3))]
)
EXPECTED = 30  # 0 + 2 + 4 + 6 + 8, and 10 of them beyond


@jit
def add_double(s: State, index: int) -> None:
    """Add twice a cell to the amount; any index beyond the cells is an IndexError."""
    s.amount += 2 * s.cell[index]


@entry
def doubled(number: int) -> int:
    """Twice a number: an entry that compiled code calls as well."""
    return number * 2


@entry
def total(s: State, first: int, end: int) -> int:
    """Twice the sum of the cells from `first` to before `end`, and 10."""
    s.table[first, end - CELLS + 2] = doubled(CELLS)
    s.amount = s.table[first, 2]
    for index in range(first, end):
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


def run_trial() -> None:
    """Compile, load again what was kept on disk, and play; raises if anything is off.

    An error in an inner function must reach Python as it does without `inner`.
    """
    states = np.zeros(1, RECORD).view(np.recarray)
    if (nine_times(states[0], CELLS), states[0].amount) != (9 * CELLS, 12 * CELLS):
        raise ValueError(f"the intermediate code gave {states[0].amount}")
    states[0].cell[:] = range(CELLS)
    for function in (total, entry(getattr(total, "py_func", total))):
        answers = function(states[0], 0, CELLS), doubled(CELLS)
        if answers != (EXPECTED, 2 * CELLS):
            raise ValueError(f"the trial gave {answers}")
        if states[0].table.tolist() != [[0, 0, 2 * CELLS], [0, 0, 0]]:
            raise ValueError(f"the trial left {states[0].table.tolist()}")
        for first, end in ((0, CELLS + 1), (-1, CELLS), (-CELLS - 1, CELLS)):
            try:
                function(states[0], first, end)
            except IndexError:
                continue
            raise ValueError("the trial went beyond its cells")
