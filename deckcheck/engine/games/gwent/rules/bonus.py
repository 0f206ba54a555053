"""A bonus that only one record type knows, decided when a function is compiled.

Records without the field compile as if the rule did not exist.
"""

from __future__ import annotations

from collections.abc import Callable

from numba import types
from numba.extending import overload

from deckcheck.engine.types import Side, State


def agile_bonus(s: State, side: Side) -> int:
    """What each agile unit of the side has on top (rules 6.7.9), else 0."""
    return s.agile_bonus[side] if "agile_bonus" in s.dtype.names else 0


def implementation(s: types.Record, side: types.Type) -> Callable[..., int]:
    """The bonus of the record, or the constant 0."""
    if "agile_bonus" in s.fields:
        return lambda s, side: s.agile_bonus[side]
    return lambda s, side: 0


overload(agile_bonus, strict=False, jit_options={"boundscheck": True})(implementation)
