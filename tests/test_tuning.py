"""The tools that tune and judge Gwent's heuristic work; what they find is no test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.tuning.evolving import Evolution

ROOT = Path(__file__).resolve().parent.parent


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


def test_the_tools_play() -> None:
    program = """
from benchmarks.habits import count_habits
from benchmarks.tuning import regret
from benchmarks.tuning.__main__ import START, pool, worth
from benchmarks.tuning.arena import Arena, Side, sample_decks

arena = Arena(sample_decks()[:2], most_pairs=1)
score = arena.match(Side("heuristic"), Side("heuristic-1"), 1, 2)
assert 0 <= score.share <= 1 and score.games == 4
arenas = {"samples": arena, "random": arena}
assert 0 <= worth(arenas, pool(START)[1:2], START, 0) <= 1
assert (count_habits(arena, "sane_random", 1) >= 0).all()
regret.WORLDS = 2
assert len(list(regret.positions(arena, 1, 1))) == 1
"""

    subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
