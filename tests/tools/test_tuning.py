"""Benchmarks and tools start, and do what they say."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.tuning.evolving import Evolution

ROOT = Path(__file__).parents[2]


def test_evolution_finds_the_best_numbers_among_noise() -> None:
    best = np.array([40.0, -7.0, 300.0])
    scale = np.array([5.0, 1.0, 50.0])
    noise = np.random.default_rng(1)
    evolution = Evolution(np.zeros(3), scale, seed=1)

    for _ in range(60):
        evolution.advance(
            lambda values: (
                -float((((values - best) / scale) ** 2).sum()) + noise.normal()
            )
        )

    assert np.abs((evolution.values(evolution.mean) - best) / scale).max() < 2


PROGRAM = """
import sys

from benchmarks.__main__ import DECKS, changed, main
from benchmarks.playing import DEALT, dealt, played
from benchmarks.playing import DECKS as names
from tools.habits import count_habits
from tools.players import meeting
from tools.tuning import regret
from tools.tuning.__main__ import START, pool, worth
from tools.tuning.arena import Arena, Side, sample_decks

assert all((DECKS / name).is_file() for name in names)
assert all(played(dealt(name), 1)[0] == 2 for name in DEALT)
# A machine that slows down from pair to pair changes nothing.
row = changed('random', [(10.0, 20.0), (1.0, 2.5), (4.0, 4.0)])
assert row.split() == ['random', '4.00', '4.00', '2.00', '(1.00', 'to', '2.50)'], row

pairs = meeting.all_pairs(1, 3)
met = meeting.meet('random', 'no_pass', meeting.sample_decks(), pairs, 1)
assert met.pairs == 3 and met.score.games == 6
assert met.by_deck[:, 1].sum() == 3 and 0 <= met.score.value <= 1

arena = Arena(sample_decks()[:2], most_pairs=1)
score = arena.match(Side("heuristic"), Side("heuristic-1"), 1, 2)
assert 0 <= score.share <= 1 and score.games == 4
arenas = {"samples": arena, "random": arena}
assert 0 <= worth(arenas, pool(START)[1:2], START, 0) <= 1
assert (count_habits(arena, "sane_random", 1) >= 0).all()
regret.WORLDS = 2
assert len(list(regret.positions(arena, 1, 1))) == 1

sys.argv = ["benchmarks", "--help"]
main()
"""


@pytest.mark.slow
def test_benchmarks_and_tools_play() -> None:
    """What they find is no test."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "--quick" in done.stdout
