"""Games whose positions are written down: the view of the seat, and the outcome."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    features,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    set_up,
    to_move,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.primitives import draw_below, seed_generator
from deckcheck.playing.kernel import start_game
from deckcheck.policies.players import (
    SURE_CHANCE,
    random_move,
    sane_random_move,
    weigh_moves,
)

__all__ = ["Noted", "Plan", "Who", "record_games"]

STREAM = 7  # of the chance of this module, apart from those of games and players
WANDERING = 65  # per cent of the games that begin with moves at random
LONGEST_WALK = 50  # moves


class Who(IntEnum):
    """Who plays a seat."""

    HEURISTIC = 0
    SANE_RANDOM = 1
    FIRST = 2  # by the weights of the first workspace
    SECOND = 3


class Plan(IntEnum):
    """The columns of a game to be played."""

    CONTEXT = 0
    COUNTER = 1
    BEGINNER = 2
    NOTED = 3  # the players whose positions are written down, a bit each
    FIRST_PLAYER = 4  # a `Who`; the others follow


class Noted(IntEnum):
    """The columns beside the features of a position."""

    WORTH = 0  # the outcome, of `SURE_CHANCE`; the number of the move while a game runs
    PLAYER = 1
    STAGE = 2


@jit
def decide(s: Any, x: Any, works: Any, who: Any, count: Any) -> Any:
    """The move of a player; learned players leave values in their workspace."""
    if who == Who.HEURISTIC:
        return heuristic_move(s, x, count)
    if who == Who.SANE_RANDOM:
        return sane_random_move(s, x, count)
    if count == 1:
        return x.moves[0]
    q = works[who - Who.FIRST.value]
    q.chosen = weigh_moves(s, x, q, count)
    return q.option[q.chosen]


@entry
def record_games(
    states: Any,
    contexts: Any,
    works: Any,
    seed: Any,
    plans: Any,
    results: Any,
    rows: Any,
    notes: Any,
    settings: Any,
) -> Any:
    """Play `plans`; returns how many positions were written to `rows` and `notes`.

    `results` gets the half-points of each player. `settings` are per cents: of
    moves at random in a walk, of positions kept, of trust in the end of the game
    against the values that the player found on the way. After a walk nothing is at
    random, and only then are positions kept.
    """
    s, p = states[0], works[0]
    used = 0
    for game in range(plans.shape[0]):
        plan = plans[game]
        x = contexts[plan[Plan.CONTEXT.value]]
        counter, beginner = plan[Plan.COUNTER.value], plan[Plan.BEGINNER.value]
        start_game(s, x, seed, 0, counter, beginner)
        seed_generator(p.dice, seed, STREAM + beginner, counter)
        used = record_game(s, x, works, plan, used, rows, notes, settings)
        for player in range(results.shape[1]):
            results[game, player] = returns(s, x, player)
    return used


@jit
def record_game(
    s: Any,
    x: Any,
    works: Any,
    plan: Any,
    first: Any,
    rows: Any,
    notes: Any,
    settings: Any,
) -> Any:
    """Play a game and write positions down from row `first` on; returns the next."""
    p = works[0]
    walk = 0
    if settings[0] > 0 and draw_below(p.dice, 100) < WANDERING:
        walk = draw_below(p.dice, LONGEST_WALK)
    set_up(s, x)
    used, step = first, 0
    while not is_over(s):
        player = to_move(s)
        count = legal_moves(s, x)
        p.course[step, 0] = player
        p.course[step, 1] = -1
        if step < walk and draw_below(p.dice, 100) < settings[0]:
            move = random_move(s, x, count)
        else:
            who = plan[Plan.FIRST_PLAYER.value + player]
            move = decide(s, x, works, who, count)
            if who >= Who.FIRST and count > 1:
                q = works[who - Who.FIRST.value]
                p.course[step, 1] = q.value[q.chosen]
        apply_move(s, x, move)
        if step >= walk and plan[Plan.NOTED.value] >> player & 1 and not is_over(s):
            if used < rows.shape[0] and draw_below(p.dice, 100) < settings[1]:
                note_position(s, x, p, player, step, rows[used], notes[used])
                used += 1
        step += 1
    for row in range(first, used):
        note_worth(s, x, p, notes[row], step, settings[2])
    return used


@jit
def note_position(
    s: Any, x: Any, p: Any, player: Any, step: Any, row: Any, note: Any
) -> Any:
    """Write down what the player sees after the move number `step`."""
    note[Noted.STAGE.value] = features(s, x, p, player)
    note[Noted.PLAYER.value] = player
    note[Noted.WORTH.value] = step
    for i in range(row.shape[0]):
        row[i] = p.features[i]


@jit
def note_worth(s: Any, x: Any, p: Any, note: Any, steps: Any, trust: Any) -> Any:
    """The outcome of a position: the end of the game, and values found on the way."""
    player = note[Noted.PLAYER.value]
    worth = returns(s, x, player) * SURE_CHANCE // 2
    for step in range(steps - 1, note[Noted.WORTH.value], -1):
        if p.course[step, 0] == player and p.course[step, 1] >= 0:
            worth = (worth * trust + p.course[step, 1] * (100 - trust)) // 100
    note[Noted.WORTH.value] = worth
