"""Blunders: the worst moves that are kept, and the judge that found them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.blunders.judging import BLUNDER, advantage, judge, try_moves
from benchmarks.blunders.kinds import Kind, in_words, kind_of
from benchmarks.blunders.positions import (
    decisions,
    open_position,
    read_blunders,
    workspace,
)
from benchmarks.blunders.tables import KEPT, rate
from deckcheck.engine.contract import determinize, legal_moves, to_move
from deckcheck.engine.gwent.codes import PASS, Phase
from deckcheck.engine.primitives import seed_generator

WORST = read_blunders()
SOME = WORST[:: max(1, len(WORST) // 8)]


@pytest.mark.parametrize("blunder", SOME, ids=lambda each: each.made)
def test_a_blunder_can_be_made_again_and_so_can_the_better_move(blunder):
    states, x = open_position(blunder.position)
    count = legal_moves(states[0], x)
    made, better = blunder.codes

    assert {made, better} <= set(x.moves[:count].tolist())
    assert kind_of(states[0], x, made) == blunder.kind
    assert (in_words(made), in_words(better)) == (blunder.made, blunder.better)


def test_the_worst_moves_of_each_player_are_kept_the_worst_first():
    costs = {}
    for blunder in WORST:
        costs.setdefault(blunder.player, []).append(blunder.cost)

    assert set(costs) >= {"heuristic", "learned", "search:64"}
    assert all(len(each) <= KEPT for each in costs.values())
    assert all(each == sorted(each, reverse=True) for each in costs.values())
    assert min(min(each) for each in costs.values()) >= BLUNDER


def test_choices_belong_to_the_card_or_the_leader_that_asks():
    states, x = open_position(SOME[0].position)
    s = states[0]
    choice = 3 << 24 | 7
    kinds = []
    for phase in (Phase.MEDIC, Phase.DECOY, Phase.FROM_DECK):
        s.phase = phase
        kinds.append(kind_of(s, x, choice))

    assert kinds == [Kind.MEDIC, Kind.DECOY, Kind.LEADER]
    assert kind_of(s, x, PASS) == Kind.PASS


def test_a_rate_has_the_interval_of_means_of_games():
    """Two decisions that always agree are worth one."""
    alone = rate([0, 1, 0, 0, 1, 0], list(range(6)))
    twice = rate([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0], [i // 2 for i in range(12)])

    assert alone == pytest.approx(twice)
    # Student's t of 5 degrees of freedom, and the standard error of a mean.
    assert alone == pytest.approx((1 / 3, 2.5706 * 0.5164 / 6**0.5), abs=1e-3)
    assert rate([0.5, 1.0], [3, 3]) == (0.75, 0.0)


def tried(states, x, seed):
    """What all moves of a position bring in a few worlds."""
    moves = x.moves[: legal_moves(states[0], x)].copy()
    values = np.zeros((4, len(moves)), np.int64)
    try_moves(states, x, workspace(), moves, seed, 0, values)
    return values


@pytest.mark.slow
def test_the_judge_does_not_see_what_its_player_does_not_see():
    for number, blunder in enumerate(SOME):
        states, x = open_position(blunder.position)
        here = tried(states, x, number)
        seed_generator(x.rng, 99, number, 0)
        determinize(states[0], x, to_move(states[0]))
        there = tried(states, x, number)

        assert here.tolist() == there.tolist()


@pytest.mark.slow
def test_a_seed_decides_which_decisions_are_judged_and_how():
    found = []
    for _ in range(2):
        games = decisions("heuristic", 5)
        found.append([next(games) for _ in range(3)])
    verdicts = {judge(position, made, 7) for _, position, made in found[0][:1] * 2}

    assert found[0] == found[1]
    assert len(verdicts) == 1


@pytest.mark.slow
def test_the_better_moves_are_better_in_other_worlds_too():
    gains = [
        advantage(each.position, each.codes[1], each.codes[0], 1000)
        for each in WORST[::4]
    ]

    assert np.mean([gain > BLUNDER / 2 for gain in gains]) >= 0.8
    assert np.mean(gains) > 0.85 * np.mean([each.cost for each in WORST[::4]])
