"""`search`: honest, the same in every block and uncompiled, and in every game."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from deciding import choose_move
from searching import GAMES, late

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    is_over,
    legal_moves,
    suppose_plans,
    to_move,
)
from deckcheck.engine.primitives import seed_generator
from deckcheck.policies.players import ONE, is_decided
from deckcheck.policies.registry import Policy

DECISIONS = """
import sys
sys.path.insert(0, "tests/engine")
from searching import GAMES, decisions
for game in GAMES:
    print(game, decisions(game))
"""


@pytest.mark.slow
@pytest.mark.parametrize("sample", GAMES, ids=str)
def test_it_decides_by_what_it_can_see(sample):
    states, s, x, p = late(sample, 16)
    step = 0
    while not is_over(s):
        chosen = []
        for world in range(3):
            states[1] = states[0]
            if world:
                seed_generator(x.rng, step, world, 0)
                determinize(states[1], x, to_move(s))
            seed_generator(x.rng, step, 0, 0)
            count = legal_moves(states[1], x)
            chosen.append(int(choose_move(states[1], x, Policy.SEARCH, count, p)))
        assert len(set(chosen)) == 1
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, Policy.RANDOM, count))
        step += 1

    assert step > 3


@pytest.mark.slow
@pytest.mark.parametrize("sample", GAMES, ids=str)
def test_thinking_changes_nothing_but_its_own_chance(sample):
    _, s, x, p = late(sample, 16)
    before, policy = sample.snapshot(s), x.policy.tolist()
    choose_move(s, x, Policy.SEARCH, legal_moves(s, x), p)

    assert sample.snapshot(s) == before
    assert x.policy.tolist() == policy


@pytest.mark.slow
def test_it_does_not_know_who_the_other_is():
    """The other's plans differ: those of the first heuristic, and of today's."""
    decided = []
    for other in ("heuristic-1", "heuristic"):
        _, s, x, p = late(GAMES[0], 32, other)
        while not is_over(s):
            count = legal_moves(s, x)
            policy = Policy.RANDOM if to_move(s) else Policy.SEARCH
            decided.append(int(choose_move(s, x, policy, count, p)))
            apply_move(s, x, decided[-1])

    half = len(decided) // 2
    assert half > 3
    assert decided[:half] == decided[half:]


def test_in_every_second_world_the_other_plays_as_the_first_heuristic_does():
    _, s, x, _ = late(GAMES[0], 32, "heuristic")
    for world in range(4):
        suppose_plans(s, x, 0, world)
        assert x.figures[0] != x.first_figures
        assert (x.figures[1] == x.first_figures) == (world % 2 == 1)
        assert (x.figures[1] == x.figures[0]) == (world % 2 == 0)


@pytest.mark.parametrize(
    ("lead", "alive", "left", "decided"),
    [
        *((14, 2, 42, True), (12, 2, 42, False), (-14, 2, 42, True)),
        *((14, 4, 42, False), (1, 2, 0, True), (0, 2, 1, False)),
    ],
)
def test_the_last_two_are_tried_until_one_is_far_ahead(lead, alive, left, decided):
    scores = np.zeros(1, [("score", np.int64, (2,))]).view(np.recarray)[0]
    scores.score[:] = (20 * ONE, (20 - lead) * ONE)
    compute = getattr(is_decided, "py_func", is_decided)

    assert compute(scores, alive, left) == decided


@pytest.mark.slow
@pytest.mark.parametrize("sample", GAMES, ids=str)
def test_a_game_does_not_depend_on_those_before(sample):
    table = sample.table("search:2", "heuristic")
    whole = table.play(5, 0, 0, 3)
    parts = [table.play(5, 0, first, 1) for first in (2, 0, 1)]

    assert sum(part[0, 0] for part in parts) % (1 << 48) == whole[0, 0]
    assert sum(parts)[1:].tolist() == whole[1:].tolist()


@pytest.mark.slow
def test_compiled_and_uncompiled_it_decides_the_same():
    said = []
    for switch in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", DECISIONS],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout)

    assert said[0].count("\n") == len(GAMES)
    assert said[0] == said[1]
