"""Players that are compiled only with games in which one of them is seated.

The workspace `p` of such games has a record named after each of these players, with
the data they need. Which of them it has is part of its type, so the games with and
without them are compiled apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.jit import dispatch, jit
from deckcheck.engine.types import Context, Move, State, Workspace


def if_seated(
    name: str, player: Callable[..., Any], otherwise: Callable[..., Any] | None = None
) -> Callable[[State, Context, Workspace, int], Move]:
    """The compiled function `player`, where the workspace has a record called `name`.

    `search.solver` is the record `solver` within the record `search`. Elsewhere it is
    `otherwise`, or else a call raises UnplayedCode; `player` is not compiled there.
    """
    instead = nobody if otherwise is None else otherwise

    def choose(s: State, x: Context, p: Workspace, count: int) -> Move:
        return (player if has_record(p.dtype, name) else instead)(s, x, p, count)

    def implementation(s: Any, x: Any, p: Any, count: Any) -> Callable[..., Any]:
        chosen: Any = player if has_record(p.dtype, name) else instead
        return chosen.py_func

    dispatch(choose, implementation)
    return choose


def has_record(dtype: Any, name: str) -> bool:
    """Whether a record has one within it of that name: `search`, `search.solver`."""
    first, dot, rest = name.partition(".")
    is_there = first in dtype.names
    return has_record(dtype[first], rest) if is_there and dot else is_there


@jit
def nobody(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Stands for a player who has no seat."""
    if count > 0:
        raise UnplayedCode("player")
    return count  # never: it says that the answer is a number
