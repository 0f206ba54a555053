"""Benchmarks and tools start, and do what they say."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tools.tuning.evolving import Evolution

# The benchmarks start; what they measure is no test.

ROOT = Path(__file__).parents[2]


def test_the_command_starts_and_explains_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "--quick" in done.stdout


def test_random_decks_are_dealt_in_every_format_that_is_measured() -> None:
    code = (
        "from benchmarks.random_decks import FORMATS, _rate, _table; "
        "assert all(_rate(_table(name, 'random'), 1) > 0 for name in FORMATS)"
    )

    subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )


def test_every_sample_deck_that_is_played_exists() -> None:
    code = (
        "from benchmarks.__main__ import DECKS; "
        "from benchmarks.playing import DECKS as names; "
        "assert all((DECKS / name).is_file() for name in names)"
    )

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_players_meet_with_either_beginning() -> None:
    code = (
        "from tools.players.meeting import all_pairs, meet, sample_decks; "
        "met = meet('random', 'no_pass', sample_decks(), all_pairs(1, 3), 1); "
        "assert met.pairs == 3 and met.score.games == 6; "
        "assert met.by_deck[:, 1].sum() == 3 and 0 <= met.score.value <= 1"
    )

    subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )


# The tools that tune and judge Gwent's heuristic work; what they find is no test.


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
from tools.habits import count_habits
from tools.tuning import regret
from tools.tuning.__main__ import START, pool, worth
from tools.tuning.arena import Arena, Side, sample_decks

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
