"""Dispatch to the policy of a seat: one if-chain, for compiled code."""

from __future__ import annotations

from deckcheck.engine.contract import heuristic_move
from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, State, Workspace
from deckcheck.policies.codes import Policy
from deckcheck.policies.learned.player import learned_move, second_learned_move
from deckcheck.policies.random import no_pass_move, random_move, sane_random_move
from deckcheck.policies.search.player import search_move, tried_move
from deckcheck.policies.seated import if_seated

best_learned_move = if_seated("learned", learned_move)
second_best_learned_move = if_seated("learned_2", second_learned_move)
searched_move = if_seated("search", search_move)
first_searched_move = if_seated("search", tried_move)


@jit
def choose_move(s: State, x: Context, p: Workspace, policy: int, count: int) -> Move:
    """The move of player number `policy` among the `count` moves in `x.moves`."""
    if policy == Policy.HEURISTIC:
        return heuristic_move(s, x, count)
    if policy == Policy.SANE_RANDOM:
        return sane_random_move(s, x, count)
    if policy == Policy.NO_PASS:
        return no_pass_move(s, x, count)
    if policy == Policy.RANDOM:
        return random_move(s, x, count)
    if policy == Policy.SEARCH:
        return searched_move(s, x, p, count)
    if policy == Policy.FIRST_SEARCH:
        return first_searched_move(s, x, p, count)
    if policy == Policy.LEARNED:
        return best_learned_move(s, x, p, count)
    if policy == Policy.LEARNED_2:
        return second_best_learned_move(s, x, p, count)
    raise UnplayedCode("player")
