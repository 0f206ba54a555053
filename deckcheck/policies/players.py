"""The players, compiled: they choose moves at random, by learned values or by search.

Endgames are solved here as well, and each seat gets the move of its player.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    copy_to,
    determinize,
    discard_moves,
    features,
    heuristic_move,
    is_endgame,
    is_over,
    judge_pass,
    legal_moves,
    pass_move,
    possible_worlds,
    returns,
    see_move,
    see_turn,
    suppose_plans,
    to_move,
    wins_by_passing,
    within_turn,
)
from deckcheck.engine.jit import (
    Cells,
    Context,
    Move,
    Player,
    State,
    Workspace,
    dispatch,
    jit,
)
from deckcheck.engine.primitives import draw_below
from deckcheck.engine.registry import UnplayedCode
from deckcheck.policies.registry import Policy

# The compiled functions share their arguments: `s` is the state, `x` the context, `p`
# the workspace of all players, `q` the record of a player in it, and `n` a network of
# that player. `t` is a state on trial, and `y` a copy of the context for games on
# trial, which overwrite its moves.

# -----------------------------------------------------------------------------
# Players without a plan, with which every other player can be compared


@jit
def random_move(s: State, x: Context, count: int) -> Move:
    """Return a random legal move. All discards together are as likely as another."""
    discards = discard_moves(s, x, count)
    if discards == 0:
        return x.moves[draw_below(x.rng, count)]
    others = count - discards
    choice = draw_below(x.rng, others + 1)
    if choice == others:
        choice += draw_below(x.rng, discards)
    return x.moves[choice]


@jit
def no_pass_move(s: State, x: Context, count: int) -> Move:
    """Return a random move that plays a card, or a pass if no move does."""
    passing = pass_move(s, x)
    plays = count - discard_moves(s, x, count)
    if passing >= 0 and plays > 1:
        # The pass is among the moves: swap it to the end and leave it out.
        for i in range(plays):
            if x.moves[i] == passing:
                x.moves[i] = x.moves[plays - 1]
                x.moves[plays - 1] = passing
        plays -= 1
    if plays == 0:
        plays = count
    return x.moves[draw_below(x.rng, plays)]


@jit
def sane_random_move(s: State, x: Context, count: int) -> Move:
    """Return a pass if it wins the round, else the move of `no_pass_move`."""
    passing = pass_move(s, x)
    if passing >= 0 and wins_by_passing(s, x):
        return passing
    return no_pass_move(s, x, count)


# -----------------------------------------------------------------------------
# Players that are compiled only with games in which one of them is seated
#
# The workspace `p` of such games has a record named after each of these players, with
# the data they need. Which of them it has is part of its type, so the games with and
# without them are compiled separately.


def if_seated(
    name: str, player: Callable[..., Any], otherwise: Callable[..., Any] | None = None
) -> Callable[[State, Context, Workspace, int], Move]:
    """Return `player` compiled, if the workspace has a record called `name`.

    `"search.solver"` is the record `solver` within the record `search`. Without it
    `player` is not compiled: `otherwise` is called, or a call raises UnplayedCode.
    """
    instead = refuse_to_play if otherwise is None else otherwise

    def choose(s: State, x: Context, p: Workspace, count: int) -> Move:
        return (player if has_record(p.dtype, name) else instead)(s, x, p, count)

    def implementation(s: Any, x: Any, p: Any, count: Any) -> Callable[..., Any]:
        chosen: Any = player if has_record(p.dtype, name) else instead
        return chosen.py_func

    dispatch(choose, implementation)
    return choose


def has_record(dtype: Any, name: str) -> bool:
    """Report whether a record has a record `name`, which may be dotted."""
    first, dot, rest = name.partition(".")
    is_there = first in dtype.names
    return has_record(dtype[first], rest) if is_there and dot else is_there


@jit
def refuse_to_play(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Raise UnplayedCode. It stands in for players that no seat has."""
    if count > 0:
        raise UnplayedCode("player")
    return count  # never happens, but tells the compiler that the result is a number


# -----------------------------------------------------------------------------
# Endgames, solved: the value of a position in which nothing is hidden
#
# All moves are tried, in any game. Values are the half-points of `returns`, with best
# play of both players.

WON_VALUE = 2
WORST_VALUE, BEST_VALUE = -1, 3  # below and above every value
UNKNOWN_VALUE = -2
MAX_DEPTH = 32  # moves to the end of the game
# Columns of `q.tree`. The moves of a position begin in the last of them.
MOVE_COUNT, NEXT_MOVE, LINE_VALUE, FIRST_MOVE = 0, 1, 2, 3
ENDGAME_WORLDS = 2  # worlds in which an endgame is solved, as cards may be drawn
NO_MOVE = -1


@jit
def solved_move(
    s: State, x: Context, q: Workspace, moves: Cells, count: int, limit: int
) -> Move:
    """Return the move among `count` worth most with best play of both players.

    Returns NO_MOVE where that takes more than `limit` moves or depends on chance. It
    does so as well where every move loses, as an opponent may still make a mistake.
    """
    player = to_move(s)
    left = limit
    best, best_value = NO_MOVE, 0
    for i in range(count):
        total = 0
        for _ in range(ENDGAME_WORLDS):
            q.line[0] = s
            determinize(q.line[0], x, player)
            apply_move(q.line[0], x, moves[i])
            value = solve(q, x, player, left)
            left -= q.tried
            if value == UNKNOWN_VALUE:
                return NO_MOVE
            total += value
        if total > best_value:
            best, best_value = moves[i], total
        if total == ENDGAME_WORLDS * WON_VALUE:
            break
    return best


@jit
def solve(q: Workspace, x: Context, player: Player, limit: int) -> int:
    """Return the half-points of `player` from `q.line[0]` with best play of both.

    `q.tree` holds the moves of the current line, `q.tried` how many were made. Returns
    UNKNOWN_VALUE where that takes more than `limit` moves, a line is longer than
    MAX_DEPTH, or the result depends on chance.
    """
    q.tried = 0
    if is_over(q.line[0]):
        return returns(q.line[0], x, player)
    value = UNKNOWN_VALUE
    depth = 0
    list_moves(q, x, 0, player)
    while depth >= 0:
        wants_most = to_move(q.line[depth]) == player
        best = q.tree[depth, LINE_VALUE]
        if value != UNKNOWN_VALUE:
            best = max(best, value) if wants_most else min(best, value)
            q.tree[depth, LINE_VALUE] = best
        decided = best == WON_VALUE if wants_most else best == 0
        if decided or q.tree[depth, NEXT_MOVE] == q.tree[depth, MOVE_COUNT]:
            value = best
            depth -= 1
            continue
        if q.tried >= limit or depth + 1 == MAX_DEPTH:
            return UNKNOWN_VALUE
        make_next_move(q, x, depth)
        if is_chance(q, depth + 1):
            return UNKNOWN_VALUE
        value = UNKNOWN_VALUE
        if is_over(q.line[depth + 1]):
            value = returns(q.line[depth + 1], x, player)
        else:
            depth += 1
            list_moves(q, x, depth, player)
    return value


@jit
def list_moves(q: Workspace, x: Context, depth: int, player: Player) -> None:
    """List the moves of a position of the line, none of them tried."""
    count = legal_moves(q.line[depth], x)
    is_own = to_move(q.line[depth]) == player
    q.tree[depth, MOVE_COUNT] = count
    q.tree[depth, NEXT_MOVE] = 0
    q.tree[depth, LINE_VALUE] = WORST_VALUE if is_own else BEST_VALUE
    for i in range(count):
        q.tree[depth, FIRST_MOVE + i] = x.moves[i]


@jit
def make_next_move(q: Workspace, x: Context, depth: int) -> None:
    """Try the next move of a position."""
    q.line[depth + 1] = q.line[depth]
    move = q.tree[depth, FIRST_MOVE + q.tree[depth, NEXT_MOVE]]
    apply_move(q.line[depth + 1], x, move)
    q.tree[depth, NEXT_MOVE] += 1
    q.tried += 1


@jit
def is_chance(q: Workspace, depth: int) -> bool:
    """Report whether chance decided anything on the way to a position of the line."""
    for i in range(q.line[0].rng.shape[0]):
        if q.line[depth].rng[i] != q.line[0].rng[i]:
            return True
    return False


# -----------------------------------------------------------------------------
# A small network of whole numbers: the value of a position, by its features
#
# The first layer is common to all stages of a game, the two behind it have weights for
# each stage. All sums are exact, so every machine, compiled or not, finds the same
# value.

FIRST_UNITS, SECOND_UNITS = 64, 16  # units of the two hidden layers
WEIGHT_BITS = 13  # a weight of 1 is 2 ** 13
UNIT_BITS = 10  # a unit of 1 is 2 ** 10, and so is a logit of 1
UNIT_LIMIT = 8 << UNIT_BITS
LOGIT_LIMIT = 16 << UNIT_BITS
STEP_BITS = 4  # the table of chances has an entry for each 2 ** 4 of a logit
CHANCE_ENTRIES = (2 * LOGIT_LIMIT >> STEP_BITS) + 2
LISTED_TRAITS = 31  # the most traits of a move, as a mask
LISTED_FEATURES = 511  # the most features that may have changed, as a mask
SURE_CHANCE = 1 << 40
"""A chance of 1."""


@jit
def logit(q: Workspace, player: Player, stage: int) -> int:
    """Return the value of `q.features` at this stage of a game, as a logit."""
    sum_first(q, q, player)
    for j in range(FIRST_UNITS):
        unit = q.first_sum[player, j] >> (WEIGHT_BITS - UNIT_BITS)
        q.unit[j] = min(max(unit, 0), UNIT_LIMIT)
    sum_second(q, stage)
    total = q.last_bias[stage]
    for j in range(SECOND_UNITS):
        unit = min(max(q.second_sum[j] >> WEIGHT_BITS, 0), UNIT_LIMIT)
        total += unit * q.last[stage, j]
    return min(max(total >> WEIGHT_BITS, -LOGIT_LIMIT), LOGIT_LIMIT)


@jit
def chance(q: Workspace, value: int) -> int:
    """Return the chance for a logit, by a table of the sigmoid. 1 is `SURE_CHANCE`."""
    entry = (value + LOGIT_LIMIT) >> STEP_BITS
    rest = value & ((1 << STEP_BITS) - 1)
    step = q.chance[entry + 1] - q.chance[entry]
    return q.chance[entry] + (step * rest >> STEP_BITS)


def sum_first(q: Workspace, n: Workspace, player: Player) -> None:
    """Compute the sums of the first layer, which fit 32 bits (see `tools.training`)."""
    n.first_sum[player] = n.first_bias + q.features.astype("i4") @ n.first


def change_first(q: Workspace, n: Workspace, player: Player) -> None:
    """Update the sums of the first layer from the player's last view.

    Changed features are listed first, without a branch that a processor would have to
    guess, and four are added at once, so that it need not wait for each.
    """
    count = 0
    for i in range(n.first.shape[0]):
        q.changed[count & LISTED_FEATURES] = i
        count += q.features[i] != n.summed[player, i]
    for i in range(count, count + 4):
        q.changed[i & LISTED_FEATURES] = 0  # taking a change again adds nothing
    for i in range(0, count, 4):
        a, a_change = take_change(q, n, player, i)
        b, b_change = take_change(q, n, player, i + 1)
        c, c_change = take_change(q, n, player, i + 2)
        d, d_change = take_change(q, n, player, i + 3)
        for j in range(FIRST_UNITS):
            n.first_sum[player, j] += a_change * n.first[a, j]
            n.first_sum[player, j] += b_change * n.first[b, j]
            n.first_sum[player, j] += c_change * n.first[c, j]
            n.first_sum[player, j] += d_change * n.first[d, j]


@jit
def take_change(
    q: Workspace, n: Workspace, player: Player, index: int
) -> tuple[int, int]:
    """Return a listed feature and its change since the sums, and note its value."""
    i = q.changed[index & LISTED_FEATURES]
    change = q.features[i] - n.summed[player, i]
    n.summed[player, i] = q.features[i]
    return i, change


def sum_second(q: Workspace, stage: int) -> None:
    """Compute the sums of the second layer."""
    q.second_sum[:] = q.second_bias[stage] + q.second[stage] @ q.unit


def add_second(q: Workspace, stage: int) -> None:
    """Compute the sums of the second layer in loops, for compiled code."""
    for j in range(SECOND_UNITS):
        total = q.second_bias[stage, j]
        for i in range(FIRST_UNITS):
            total += q.unit[i] * q.second[stage, j, i]
        q.second_sum[j] = total


dispatch(sum_first, lambda q, n, player: change_first)
dispatch(sum_second, lambda q, stage: add_second)


# -----------------------------------------------------------------------------
# The move after which the position looks best, in a possible world or several

SOLVED_MOVES = 20_000  # most moves to solve an endgame


@jit
def learned_1_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Return the best of the `count` moves in `x.moves` by their learned value."""
    q = p.learned_1
    return x.moves[0] if count == 1 else q.option[weigh_moves(s, x, q, count)]


@jit
def valued_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Return the best move by the values of `learned-3`, and solve endgames."""
    q = p.learned_3
    if count == 1:
        return x.moves[0]
    best = q.net.option[weigh_moves(s, x, q.net, count)]
    if is_endgame(s, x, to_move(s)):
        return sure_move(s, x, q.net, q.rating.solver, count, best)
    return best


@jit
def sure_move(
    s: State, x: Context, q: Workspace, solver: Workspace, count: int, best: Move
) -> Move:
    """Return the best of the moves in `q` that win by force, or `best` if none does.

    `q` holds the values of the moves as well.
    """
    sort_moves(q.option, q.value, count)
    move = solved_move(s, x, solver, q.option, count, SOLVED_MOVES)
    return best if move == NO_MOVE else move


@jit
def weigh_moves(s: State, x: Context, q: Workspace, count: int) -> int:
    """Value the moves in `x.moves` (`q.option`, `q.value`) and return the best index.

    All are tried in the same possible world. While a move that draws cards looks best,
    it is tried in more worlds.
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
    """Make a possible world: the player's view, and the rest by chance."""
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
    """Return the index of the option with the highest value, the first of equals."""
    best = 0
    for i in range(1, count):
        if q.value[i] > q.value[best]:
            best = i
    return best


@jit
def are_rated_equal(q: Workspace, count: int) -> bool:
    """Report whether all options have the same value."""
    for i in range(1, count):
        if q.value[i] != q.value[0]:
            return False
    return True


@jit
def sort_moves(moves: Cells, values: Cells, count: int) -> None:
    """Bring the first `count` moves into the order of their values, the highest first.

    Equals keep their order.
    """
    for i in range(1, count):
        move = moves[i]
        value = values[i]
        j = i
        while j > 0 and values[j - 1] < value:
            moves[j] = moves[j - 1]
            values[j] = values[j - 1]
            j -= 1
        moves[j] = move
        values[j] = value


@jit
def value_after(t: State, x: Context, q: Workspace, move: Move, player: Player) -> int:
    """Return the chance to win after a move and answers to all its choices."""
    apply_move(t, x, move)
    while not is_over(t) and to_move(t) == player and within_turn(t):
        apply_move(t, x, best_answer(t, x, q, player))
    return win_chance(t, x, q, player)


@jit
def best_answer(t: State, x: Context, q: Workspace, player: Player) -> Move:
    """Return the answer to an open choice after which the position looks best."""
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
    """Return the chance of `player` to win by the player's own view of the game."""
    if is_over(s):
        return returns(s, x, player) * SURE_CHANCE // 2
    if q.sure and passes_to_win(s, x, q, player):
        return SURE_CHANCE
    stage = features(s, x, q, player)
    return chance(q, logit(q, player, stage))


@jit
def passes_to_win(s: State, x: Context, q: Workspace, player: Player) -> bool:
    """Report whether nobody else has a turn and a pass wins the game."""
    if to_move(s) != player or pass_move(s, x) < 0:
        return False
    copy_to(s, x, q.trial, 2)
    apply_move(q.trial[2], x, pass_move(s, x))
    return is_over(q.trial[2]) and returns(q.trial[2], x, player) == 2


# -----------------------------------------------------------------------------
# `learned`: rates each move at sight, by the position and traits of the move
#
# The network has one hidden layer, and the share of the position in its sums is the
# same for all moves, so it is computed once. Nothing is tried, so it takes a fraction
# of the time of the players above, from whose values it has learned.

LOWEST_RATING = -(1 << 62)
"""A rating below all others."""


@jit
def learned_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Return the move, or between turns the answer, with the highest rating.

    A pass that wins the game comes first, then a move that wins an endgame by force,
    then a pass that wins the round, unless the best move draws cards. A pass that would
    lose the game comes last. The heuristic answers where nothing is known of an answer,
    as of who starts: the first answer would make the order of seats count.
    """
    q = p.learned
    if count == 1:
        return x.moves[0]
    passing = pass_move(s, x)
    verdict = judge_pass(s, x) if passing >= 0 else 0
    if verdict > 0:
        return passing
    stage = rate_moves(s, x, q, count)
    if verdict < 0:
        set_rating(x, q, count, passing, LOWEST_RATING)
    best = x.moves[best_index(q, count)]
    if stage >= q.net[0].last.shape[0] and are_rated_equal(q, count):
        best = heuristic_move(s, x, count)
    if passing >= 0 and wins_by_passing(s, x) and possible_worlds(s, x, best) <= 1:
        best = passing
    return solved_or_rated_move(s, x, q, count, best)


@jit
def set_rating(x: Context, q: Workspace, count: int, move: Move, rating: int) -> None:
    """Replace the rating of a move."""
    for i in range(count):
        if x.moves[i] == move:
            q.value[i] = rating


@jit
def learned_3_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Return the move with the highest rating, or the answer with the best value."""
    q = p.learned_3.rating
    if count == 1:
        return x.moves[0]
    stage = rate_moves(s, x, q, count)
    # The stages after those of the first network are between turns.
    if stage >= q.net[0].last.shape[0]:
        return valued_move(s, x, p, count)
    return solved_or_rated_move(s, x, q, count, x.moves[best_index(q, count)])


@jit
def solved_or_rated_move(
    s: State, x: Context, q: Workspace, count: int, best: Move
) -> Move:
    """Return the best-rated move that wins an endgame by force, or else `best`."""
    if not is_endgame(s, x, to_move(s)):
        return best
    for i in range(count):
        q.option[i] = x.moves[i]
    return sure_move(s, x, q, q.solver, count, best)


@jit
def rate_moves(s: State, x: Context, q: Workspace, count: int) -> int:
    """Rate the moves in `x.moves` to `q.value` and return the stage of the game."""
    player = to_move(s)
    stage = see_turn(s, x, q, player, count)
    n = q.net[stage // q.net[0].last.shape[0]]
    sum_first(q, n, player)
    for j in range(FIRST_UNITS):
        q.unit_sum[j] = n.first_sum[player, j]
    sum_traits(q, n)
    for j in range(FIRST_UNITS):
        q.shared[j] = q.unit_sum[j]
    for i in range(count):
        see_move(s, x, q, player, i)
        for j in range(FIRST_UNITS):
            q.unit_sum[j] = q.shared[j]
        sum_traits(q, n)
        q.value[i] = rating(q, n, stage % n.last.shape[0])
    return stage


def sum_traits(q: Workspace, n: Workspace) -> None:
    """Add the listed traits to the sums of the hidden layer."""
    places = q.place[: q.listed]
    q.unit_sum += q.amount[: q.listed].astype("i4") @ n.trait[places]


def add_traits(q: Workspace, n: Workspace) -> None:
    """Add the listed traits in loops, for compiled code, four at once."""
    for index in range(0, q.listed, 4):
        a, a_value = take_trait(q, n, index)
        b, b_value = take_trait(q, n, index + 1)
        c, c_value = take_trait(q, n, index + 2)
        d, d_value = take_trait(q, n, index + 3)
        for j in range(FIRST_UNITS):
            q.unit_sum[j] += a_value * n.trait[a, j]
            q.unit_sum[j] += b_value * n.trait[b, j]
            q.unit_sum[j] += c_value * n.trait[c, j]
            q.unit_sum[j] += d_value * n.trait[d, j]


@jit
def take_trait(q: Workspace, n: Workspace, index: int) -> tuple[int, int]:
    """Return a listed trait and its value, 0 beyond the list."""
    trait = q.place[index & LISTED_TRAITS]
    value = q.amount[index & LISTED_TRAITS]
    n.trait[trait, 0]  # checks the bounds once, and not in the loop
    return trait, value if index < q.listed else 0


@jit
def rating(q: Workspace, n: Workspace, stage: int) -> int:
    """Return the rating by the sums. A logit is 2 ** (`UNIT_BITS` + `WEIGHT_BITS`)."""
    total = 0
    for j in range(FIRST_UNITS):
        unit = min(max(q.unit_sum[j] >> (WEIGHT_BITS - UNIT_BITS), 0), UNIT_LIMIT)
        total += unit * n.last[stage, j]
    return total


dispatch(sum_traits, lambda q, n: add_traits)


# -----------------------------------------------------------------------------
# `search`: plays each candidate on to the end of the game, in many possible worlds
#
# The budget is a number of games played on trial. It goes by sequential halving: all
# candidates are tried in the same worlds, the better half of them in more, and so on.
# In advised games `learned-1` chooses the moves worth trying, its opinion of them
# counts as some played games, and endgames with known cards are solved.

# Both numbers were found by play against the first heuristic, in 300 games each: with
# all moves as candidates 71% were won, with the best eight 73%, and with the opinion
# of `learned-1` as well 81%.
CANDIDATE_COUNT = 8
PRIOR_GAMES = 32  # games that the opinion of `learned-1` counts for
SURE_OPINION = 2 * PRIOR_GAMES * SURE_CHANCE  # more than any opinion

MOVES_OF_TRIAL = 10  # about as many moves as a game on trial has in an endgame


@jit
def solved_or_tried_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Return a move that wins an endgame by force, else the best of the trials."""
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
    """Return the candidate that wins most trials."""
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
    # The chance of the game continues where the trials ended.
    for i in range(x.rng.shape[0]):
        x.rng[i] = y.rng[i]
    return q.candidate[0]


@jit
def list_all_moves(s: State, y: Context, p: Workspace, count: int) -> int:
    """Make all moves candidates, the heuristic's first, and return their number."""
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
def list_best_moves(s: State, y: Context, p: Workspace, count: int) -> int:
    """Make candidates of the best moves, the pass, and the heuristic's move."""
    q = p.search
    net = p.learned_1
    first = heuristic_move(s, y, count)
    passing = pass_move(s, y)
    weigh_moves(s, y, net, count)
    for i in range(count):
        q.candidate[i] = net.option[i]
        q.score[i] = PRIOR_GAMES * net.value[i]
        if net.option[i] == first or net.option[i] == passing:
            q.score[i] += SURE_OPINION
    sort_moves(q.candidate, q.score, count)
    candidates = min(count, CANDIDATE_COUNT)
    for i in range(candidates):
        if q.score[i] >= SURE_OPINION:
            q.score[i] -= SURE_OPINION
    sort_moves(q.candidate, q.score, candidates)
    return candidates


list_candidates = if_seated("search.solver", list_best_moves, list_all_moves)
better_move = if_seated("search.solver", solved_or_tried_move, tried_move)


@jit
def search_move(s: State, x: Context, p: Workspace, count: int) -> Move:
    """Return the move of `search`, which solves endgames where it knows how."""
    return better_move(s, x, p, count)


@jit
def try_candidates(s: State, y: Context, q: Workspace, alive: int, world: int) -> None:
    """Try the remaining candidates in another possible world."""
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
    """Report whether the better of the last two candidates can hardly be caught.

    The results of both in a world differ by at most 1, and mostly not at all. So in
    `left` worlds the other hardly ever makes up more than twice the root of `left`.
    """
    ahead = (q.score[0] - q.score[1]) / SURE_CHANCE
    return alive == 2 and ahead * ahead > 4 * left


@jit
def play_out(t: State, y: Context, player: Player) -> int:
    """Play by the heuristic to the end and return the value, up to `SURE_CHANCE`."""
    while not is_over(t):
        apply_move(t, y, heuristic_move(t, y, legal_moves(t, y)))
    return returns(t, y, player) * SURE_CHANCE // 2


# -----------------------------------------------------------------------------
# The move of the policy in a seat, by an if-chain, as compiled code needs it

best_rated_move = if_seated("learned", learned_move)
most_valued_move = if_seated("learned_1", learned_1_move)
third_rated_move = if_seated("learned_3", learned_3_move)
searched_move = if_seated("search", search_move)


@jit
def choose_move(s: State, x: Context, p: Workspace, policy: int, count: int) -> Move:
    """Return the move of player `policy` among the `count` moves in `x.moves`."""
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
    if policy == Policy.LEARNED:
        return best_rated_move(s, x, p, count)
    if policy == Policy.LEARNED_1:
        return most_valued_move(s, x, p, count)
    if policy == Policy.LEARNED_3:
        return third_rated_move(s, x, p, count)
    raise UnplayedCode("player")
