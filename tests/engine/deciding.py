"""Players for tests to call: they are compiled into the games."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.jit import entry
from deckcheck.policies import choose
from deckcheck.policies.host.workspace import new_workspace

BASIC = new_workspace("gwent", "two", ())[0]
"""The workspace of games without extra players, the same for all games."""


@entry
def chosen(s: Any, x: Any, p: Any, policy: Any, count: Any) -> Any:
    """The move of a player, compiled."""
    return choose.choose_move(s, x, p, policy, count)


def choose_move(s: Any, x: Any, policy: Any, count: Any, p: Any = BASIC) -> Any:
    """The move of player number `policy` among the `count` moves in `x.moves`."""
    return chosen(s, x, p, policy, count)
