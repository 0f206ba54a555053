"""The move after which the position looks best, in a possible world or several."""

from __future__ import annotations

from deckcheck.engine.contract import (
    apply_move,
    copy_to,
    determinize,
    features,
    is_endgame,
    is_over,
    legal_moves,
    pass_move,
    possible_worlds,
    returns,
    to_move,
    within_turn,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Cells, Context, Move, Player, State, Workspace
from deckcheck.policies.learned.network import ONE, chance, logit
from deckcheck.policies.solving import NO_MOVE, solved_move

SOLVED_MOVES = 20_000  # most moves that are made to solve an endgame


@jit
def learned_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """The best of the `count` moves in `x.moves` by their learned value."""
    return most_valued_move(s, x, p.learned, count)


@jit
def second_learned_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """The same by the weights of the second version, which solves endgames."""
    q = p.learned_2
    if count == 1:
        return x.moves[0]
    best = q.net.option[weigh_moves(s, x, q.net, count)]
    if is_endgame(s, x, to_move(s)):
        # Of several moves that win by force it makes the one that looks best.
        sort_moves(q.net.option, q.net.value, count)
        move = solved_move(s, x, q.solver, q.net.option, count, SOLVED_MOVES)
        if move != NO_MOVE:
            return move
    return best


@jit
def most_valued_move(s: State, x: Context, q: Workspace, count: int) -> Move:
    """The best move by the weights in `q`."""
    if count == 1:
        return x.moves[0]
    return q.option[weigh_moves(s, x, q, count)]


@jit
def weigh_moves(s: State, x: Context, q: Workspace, count: int) -> int:
    """Value the moves in `x.moves`: `q.option` and `q.value`; returns the best index.

    All are tried in one possible world. A move that needs several, since it draws
    cards, has to prove itself in those as long as it looks best.
    """
    player = to_move(s)
    for i in range(count):
        q.option[i] = x.moves[i]
        q.worlds[i] = possible_worlds(s, x, x.moves[i])
        q.tried[i] = 0
        q.total[i] = 0
    imagine(s, x, q, player, 0)
    for i in range(count):
        if q.worlds[i] > 0:
            try_move(x, q, i, player)
        else:
            q.value[i] = -1
    made = 1
    best = best_index(q, count)
    while q.tried[best] < q.worlds[best]:
        if q.tried[best] == made:
            imagine(s, x, q, player, made)
            made += 1
        try_move(x, q, best, player)
        best = best_index(q, count)
    return best


@jit
def imagine(s: State, x: Context, q: Workspace, player: Player, number: int) -> None:
    """Make a possible world: what the player sees, and the rest by chance."""
    copy_to(s, x, q.world, number)
    determinize(q.world[number], x, player)


@jit
def try_move(x: Context, q: Workspace, i: int, player: Player) -> None:
    """Value option `i` in the next world in which it was not tried."""
    copy_to(q.world[q.tried[i]], x, q.trial, 0)
    q.total[i] += value_after(q.trial[0], x, q, q.option[i], player)
    q.tried[i] += 1
    q.value[i] = q.total[i] // q.tried[i]


@jit
def best_index(q: Workspace, count: int) -> int:
    """The option with the highest value, the first of equals."""
    best = 0
    for i in range(1, count):
        if q.value[i] > q.value[best]:
            best = i
    return best


@jit
def sort_moves(moves: Cells, values: Cells, count: int) -> None:
    """Bring the first `count` moves into the order of their values, the highest first.

    Equals keep their order.
    """
    for i in range(1, count):
        move, value = moves[i], values[i]
        j = i
        while j > 0 and values[j - 1] < value:
            moves[j] = moves[j - 1]
            values[j] = values[j - 1]
            j -= 1
        moves[j] = move
        values[j] = value


@jit
def value_after(t: State, x: Context, q: Workspace, move: Move, player: Player) -> int:
    """The chance to win after a move, whose own choices are answered one by one."""
    apply_move(t, x, move)
    while not is_over(t) and to_move(t) == player and within_turn(t):
        apply_move(t, x, best_answer(t, x, q, player))
    return win_chance(t, x, q, player)


@jit
def best_answer(t: State, x: Context, q: Workspace, player: Player) -> Move:
    """The answer to an open choice after which the position looks best."""
    count = legal_moves(t, x)
    for i in range(count):
        q.answer[i] = x.moves[i]
    best, best_value = q.answer[0], -1
    for i in range(count):
        copy_to(t, x, q.trial, 1)
        apply_move(q.trial[1], x, q.answer[i])
        value = win_chance(q.trial[1], x, q, player)
        if value > best_value:
            best, best_value = q.answer[i], value
    return best


@jit
def win_chance(s: State, x: Context, q: Workspace, player: Player) -> int:
    """The chance of `player` to win from here, as the seat sees it: 0 to `ONE`."""
    if is_over(s):
        return returns(s, x, player) * ONE // 2
    if q.sure and passes_to_win(s, x, q, player):
        return ONE
    stage = features(s, x, q, player)
    return chance(q, logit(q, stage))


@jit
def passes_to_win(s: State, x: Context, q: Workspace, player: Player) -> bool:
    """Whether nobody else has a turn, and to pass now wins the game."""
    if to_move(s) != player or pass_move(s, x) < 0:
        return False
    copy_to(s, x, q.trial, 2)
    apply_move(q.trial[2], x, pass_move(s, x))
    return is_over(q.trial[2]) and returns(q.trial[2], x, player) == 2
