"""`search`: plays each candidate on to the end of the game, in many possible worlds.

The budget is a number of games played on trial. It goes by sequential halving: all
candidates are tried in the same worlds, the better half of them in more, and so on.
In a game in which it is advised, `learned` says which moves are worth trying, and what
it thinks of them counts as some games that were played, and endgames in which its
player knows the cards of the other are solved.
"""

from __future__ import annotations

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_endgame,
    is_over,
    legal_moves,
    pass_move,
    returns,
    suppose_plans,
    to_move,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, State, Workspace
from deckcheck.policies.learned.network import ONE
from deckcheck.policies.learned.player import sort_moves, weigh_moves
from deckcheck.policies.seated import if_seated
from deckcheck.policies.solving import NO_MOVE, solved_move

# Both were found by play: of all moves 71 % were won against the first heuristic, of
# the best eight 73, and 81 with what `learned` thinks of them (300 games each).
WIDTH = 8  # candidates
PRIOR = 32  # games that the opinion of `learned` counts for
AHEAD = 2 * PRIOR * ONE  # more than any opinion

MOVES_OF_TRIAL = 10  # about as many as a game on trial has in an endgame


@jit
def solved_or_tried_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """The move that wins by force in an endgame; else the best of the trials."""
    if count > 1 and is_endgame(s, x, to_move(s)):
        q = p.search
        y = q.context[0]
        q.context[0] = x
        limit = MOVES_OF_TRIAL * x.budget[to_move(s)]
        candidates = list_candidates(s, y, p, count)
        move = solved_move(s, y, q.solver, q.candidate, candidates, limit)
        if move != NO_MOVE:
            return move
    return tried_move(s, x, p, count)


@jit
def tried_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """The candidate that wins most when it is tried."""
    if count == 1:
        return x.moves[0]
    q = p.search
    y = q.context[0]
    q.context[0] = x
    player = to_move(s)
    suppose_plans(s, y, player, 0)
    alive = list_candidates(s, y, p, count)
    halvings = 0
    while 1 << halvings < alive:
        halvings += 1
    worlds = 0
    while alive > 1:
        left = max(x.budget[player] // (halvings * alive), 1)
        while left > 0 and not is_decided(q, alive, left):
            try_candidates(s, y, q, alive, worlds)
            worlds += 1
            left -= 1
        sort_moves(q.candidate, q.score, alive)
        alive = (alive + 1) // 2
    for i in range(x.rng.shape[0]):
        x.rng[i] = y.rng[i]
    return q.candidate[0]


@jit
def all_moves(s: State, y: Context, p: Workspace, count: int) -> int:
    """Make all moves candidates, that of the heuristic first; returns their number."""
    q = p.search
    for i in range(count):
        q.candidate[i] = y.moves[i]
        q.score[i] = 0
    best = heuristic_move(s, y, count)
    for i in range(count):
        q.score[i] = int(q.candidate[i] == best)
    sort_moves(q.candidate, q.score, count)
    q.score[0] = 0
    return count


@jit
def best_moves(s: State, y: Context, p: Workspace, count: int) -> int:
    """Make those moves candidates that look best, the pass, and the heuristic's."""
    q, net = p.search, p.learned
    first, passing = heuristic_move(s, y, count), pass_move(s, y)
    weigh_moves(s, y, net, count)
    for i in range(count):
        q.candidate[i] = net.option[i]
        q.score[i] = PRIOR * net.value[i]
        if net.option[i] == first or net.option[i] == passing:
            q.score[i] += AHEAD
    sort_moves(q.candidate, q.score, count)
    kept = min(count, WIDTH)
    for i in range(kept):
        if q.score[i] >= AHEAD:
            q.score[i] -= AHEAD
    sort_moves(q.candidate, q.score, kept)
    return kept


list_candidates = if_seated("search.solver", best_moves, all_moves)


better_move = if_seated("search.solver", solved_or_tried_move, tried_move)


@jit
def search_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """The move of `search`; of its first version it is `tried_move`."""
    return better_move(s, x, p, count)


@jit
def try_candidates(s: State, y: Context, q: Workspace, alive: int, world: int) -> None:
    """Try the candidates that are left in one more possible world."""
    player = to_move(s)
    suppose_plans(s, y, player, world)
    q.world[0] = s
    determinize(q.world[0], y, player)
    for i in range(alive):
        q.trial[0] = q.world[0]
        apply_move(q.trial[0], y, q.candidate[i])
        q.score[i] += play_out(q.trial[0], y, player)


@jit
def is_decided(q: Workspace, alive: int, left: int) -> bool:
    """Whether one of the last two candidates is too far ahead to be caught up with.

    In `left` worlds the other hardly ever makes up more than twice their root: in one
    world the results of both differ by at most 1, and mostly not at all.
    """
    ahead = (q.score[0] - q.score[1]) / ONE
    return alive == 2 and ahead * ahead > 4 * left


@jit
def play_out(t: State, y: Context, player: Player) -> int:
    """Play by rules of thumb to the end; returns what that is worth, up to `ONE`."""
    while not is_over(t):
        apply_move(t, y, heuristic_move(t, y, legal_moves(t, y)))
    return returns(t, y, player) * ONE // 2
