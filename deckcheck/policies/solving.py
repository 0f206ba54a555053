"""Endgames, solved: the value of a position in which nothing is hidden, by trying all.

It knows no game: values are those of `returns`, with best play of both players.
"""

from __future__ import annotations

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Cells, Context, Move, Player, State, Workspace

WON = 2
WORST, BEST = -1, 3  # below and above every value
DEPTH = 32  # moves to the end of the game
UNKNOWN = -2
COUNT, NEXT, VALUE = 0, 1, 2  # the first columns of a line; then come its moves
COLUMNS = 3
WORLDS = 2  # in which an endgame is solved, for the sake of draws
NO_MOVE = -1


@jit
def solved_move(
    s: State, x: Context, q: Workspace, moves: Cells, count: int, limit: int
) -> Move:
    """The one of `count` moves that is worth most with best play of both.

    NO_MOVE where that takes more than `limit` moves, chance has a part in it, or all
    is lost: an opponent may still go wrong.
    """
    player, left = to_move(s), limit
    best, best_value = NO_MOVE, 0
    for i in range(count):
        total = 0
        for _ in range(WORLDS):
            q.line[0] = s
            determinize(q.line[0], x, player)
            apply_move(q.line[0], x, moves[i])
            value = solve(q, x, player, left)
            left -= q.tried
            if value == UNKNOWN:
                return NO_MOVE
            total += value
        if total > best_value:
            best, best_value = moves[i], total
        if total == WORLDS * WON:
            break
    return best


@entry
def solve(q: Workspace, x: Context, player: Player, limit: int) -> int:
    """The half-points that `player` gets from `q.line[0]` with best play of both.

    `q.tree` holds the moves of the line that is being tried, `q.tried` how many were
    made. Returns UNKNOWN where that takes more than `limit` moves, a line is longer
    than DEPTH, or chance has a part in it.
    """
    q.tried = 0
    if is_over(q.line[0]):
        return returns(q.line[0], x, player)
    value, depth = UNKNOWN, 0
    list_moves(q, x, 0, player)
    while depth >= 0:
        wants_most = to_move(q.line[depth]) == player
        if value != UNKNOWN:
            best = q.tree[depth, VALUE]
            q.tree[depth, VALUE] = max(best, value) if wants_most else min(best, value)
        best = q.tree[depth, VALUE]
        decided = best == WON if wants_most else best == 0
        if decided or q.tree[depth, NEXT] == q.tree[depth, COUNT]:
            value = best
            depth -= 1
            continue
        if q.tried >= limit or depth + 1 == DEPTH:
            return UNKNOWN
        make_next_move(q, x, depth)
        if is_chance(q, depth + 1):
            return UNKNOWN
        value = UNKNOWN
        if is_over(q.line[depth + 1]):
            value = returns(q.line[depth + 1], x, player)
        else:
            depth += 1
            list_moves(q, x, depth, player)
    return value


@jit
def list_moves(q: Workspace, x: Context, depth: int, player: Player) -> None:
    """Open a position of the line: its moves, none of them tried."""
    count = legal_moves(q.line[depth], x)
    q.tree[depth, COUNT], q.tree[depth, NEXT] = count, 0
    q.tree[depth, VALUE] = WORST if to_move(q.line[depth]) == player else BEST
    for i in range(count):
        q.tree[depth, COLUMNS + i] = x.moves[i]


@jit
def make_next_move(q: Workspace, x: Context, depth: int) -> None:
    """Try the next move of a position."""
    q.line[depth + 1] = q.line[depth]
    apply_move(q.line[depth + 1], x, q.tree[depth, COLUMNS + q.tree[depth, NEXT]])
    q.tree[depth, NEXT] += 1
    q.tried += 1


@jit
def is_chance(q: Workspace, depth: int) -> bool:
    """Whether chance has decided anything on the way to a position of the line."""
    for i in range(q.line[0].rng.shape[0]):
        if q.line[depth].rng[i] != q.line[0].rng[i]:
            return True
    return False
