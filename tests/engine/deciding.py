"""Players for tests to call: they are compiled into the games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deckcheck.engine.contract import determinize
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import seed_generator
from deckcheck.policies import players as choose
from deckcheck.policies.workspace import new_workspace

BASIC = new_workspace("gwent", "two", ())[0]
"""The workspace of games without extra players, the same for all games."""


@entry
def chosen(s: Any, x: Any, p: Any, policy: Any, count: Any) -> Any:
    """The move of a player, compiled."""
    return choose.choose_move(s, x, p, policy, count)


def choose_move(s: Any, x: Any, policy: Any, count: Any, p: Any = BASIC) -> Any:
    """The move of player number `policy` among the `count` moves in `x.moves`."""
    return chosen(s, x, p, policy, count)


def dealt_alike(
    states: Any, x: Any, player: int, snapshot: Callable[[Any], Any], step: int
) -> tuple[Any, Any]:
    """What `determinize` makes of `states[0]`, and of another that looks like it."""
    found = []
    for is_other in (False, True):
        states[1] = states[0]
        if is_other:
            seed_generator(x.rng, step, 1, 1)
            determinize(states[1], x, player)
        seed_generator(x.rng, step, 2, 2)
        determinize(states[1], x, player)
        found.append(snapshot(states[1]))
    return found[0], found[1]
