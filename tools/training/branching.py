"""Positions after the moves that were not made: what each of the best was worth.

A player that learns from its own games sees the outcome of the moves that it makes, and
it makes those that it values too highly more often than others. Here some of its
decisions are taken back: the moves that it values most, and the pass, are made in
copies of the game, which are played to the end by the same players.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    features,
    is_over,
    legal_moves,
    pass_move,
    returns,
    set_up,
    to_move,
    within_turn,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.primitives import draw_below, seed_generator
from deckcheck.playing.kernel import start_game
from deckcheck.policies.players import SURE_CHANCE, best_answer, best_index
from tools.training.recording import STREAM, Noted, Plan, Who, decide

BRANCHES = 4  # moves of a decision that are tried


@entry
def record_branches(
    states: Any,
    contexts: Any,
    works: Any,
    seed: Any,
    plans: Any,
    rows: Any,
    notes: Any,
    keep: Any,
) -> Any:
    """Play `plans`; returns how many positions were written to `rows` and `notes`.

    `keep` in 1,000 decisions of the players of a plan are tried.
    """
    p = works[0]
    used = 0
    for game in range(plans.shape[0]):
        plan = plans[game]
        x = contexts[plan[Plan.CONTEXT.value]]
        counter, beginner = plan[Plan.COUNTER.value], plan[Plan.BEGINNER.value]
        start_game(states[0], x, seed, 0, counter, beginner)
        seed_generator(p.dice, seed, STREAM + beginner, counter)
        set_up(states[0], x)
        while not is_over(states[0]):
            player = to_move(states[0])
            count = legal_moves(states[0], x)
            who = plan[Plan.FIRST_PLAYER.value + player]
            move = decide(states[0], x, works, who, count)
            noted = plan[Plan.NOTED.value] >> player & 1
            if noted and count > 1 and draw_below(p.dice, 1000) < keep:
                used = branch(states, x, works, plan, count, used, rows, notes)
            apply_move(states[0], x, move)
    return used


@jit
def branch(
    states: Any,
    x: Any,
    works: Any,
    plan: Any,
    count: Any,
    first: Any,
    rows: Any,
    notes: Any,
) -> Any:
    """Try the best of the moves that were just valued; returns the next free row."""
    p = works[0]
    player = to_move(states[0])
    q = works[plan[Plan.FIRST_PLAYER.value + player] - Who.FIRST.value]
    passing = pass_move(states[0], x)
    chosen = min(count, BRANCHES)
    for i in range(count):
        if q.option[i] == passing:
            q.value[i] = 2 * SURE_CHANCE
    for i in range(chosen):
        best = best_index(q, count)
        p.course[i, 0] = q.option[best]
        q.value[best] = -1
    used = first
    for i in range(chosen):
        if used == rows.shape[0]:
            return used
        states[1] = states[0]
        t = states[1]
        apply_move(t, x, p.course[i, 0])
        while not is_over(t) and to_move(t) == player and within_turn(t):
            apply_move(t, x, best_answer(t, x, q, player))
        if is_over(t):
            continue
        notes[used, Noted.STAGE.value] = features(t, x, p, player)
        notes[used, Noted.PLAYER.value] = player
        for j in range(rows.shape[1]):
            rows[used, j] = p.features[j]
        while not is_over(t):
            who = plan[Plan.FIRST_PLAYER.value + to_move(t)]
            answers = legal_moves(t, x)
            apply_move(t, x, decide(t, x, works, who, answers))
        notes[used, Noted.WORTH.value] = returns(t, x, player) * SURE_CHANCE // 2
        used += 1
    return used
