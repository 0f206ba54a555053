"""`search`: plays each candidate on to the end of the game, in many possible worlds.

The budget is a number of games played on trial. It goes by sequential halving: all
candidates are tried in the same worlds, the better half of them in more, and so on.
"""

from __future__ import annotations

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, State, Workspace

__all__ = ["search_move"]


@jit
def search_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """The candidate that wins most when it is tried."""
    q = p.search
    player = to_move(s)
    alive = count
    for i in range(count):
        q.candidate[i] = x.moves[i]
        q.score[i] = 0
    halvings = 0
    while 1 << halvings < count:
        halvings += 1
    while alive > 1:
        for _ in range(max(x.budget[player] // (halvings * alive), 1)):
            try_in_one_world(s, x, q, player, alive)
        sort_candidates(q, alive)
        alive = (alive + 1) // 2
    return q.candidate[0]


@jit
def try_in_one_world(
    s: State, x: Context, q: Workspace, player: Player, alive: int
) -> None:
    """Play every candidate that is left to the end, in the same world."""
    q.world[0] = s
    determinize(q.world[0], x, player)
    trial = q.trial[0]
    for i in range(alive):
        q.trial[0] = q.world[0]
        apply_move(trial, x, q.candidate[i])
        while not is_over(trial):
            apply_move(trial, x, heuristic_move(trial, x, legal_moves(trial, x)))
        q.score[i] += returns(trial, player)


@jit
def sort_candidates(q: Workspace, alive: int) -> None:
    """Bring the best candidates to the front; equals keep their order."""
    for i in range(1, alive):
        move, score = q.candidate[i], q.score[i]
        j = i
        while j > 0 and q.score[j - 1] < score:
            q.candidate[j] = q.candidate[j - 1]
            q.score[j] = q.score[j - 1]
            j -= 1
        q.candidate[j] = move
        q.score[j] = score
