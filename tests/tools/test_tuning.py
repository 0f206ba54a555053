"""Benchmarks and tools start, and do what they say."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.coverage.cases import Case, measured, worst
from tools.coverage.catalogue import every_case
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


# What is printed is true as often as it says: a short run of the benchmark.

CASES = list(every_case())


def is_quick(case: Case) -> bool:
    return case.cost <= 2


def named(case: Case) -> str:
    return f"{case.command}: {case.figure}, {case.situation}"


QUICK = [case for case in CASES if is_quick(case)]


def check(case: Case, runs: int) -> None:
    line = measured(case, runs * case.cost)

    # Hundreds of cases are tried, and 93.5 % are enough of 95 %.
    assert line.lead >= -0.015 - 3.5 * line.error, f"{100 * line.share:.1f} %"


@pytest.mark.parametrize("case", QUICK, ids=named)
def test_intervals_hold_and_claims_are_right(case: Case) -> None:
    check(case, 60)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [case for case in CASES if not is_quick(case)], ids=named
)
def test_those_that_take_longer_are_right_too(case: Case) -> None:
    check(case, 200)


def test_every_command_that_prints_an_interval_is_measured() -> None:
    commands = {case.command for case in CASES}

    assert commands >= {
        *("balance", "build", "compare", "expect", "impact", "meta", "report"),
        *("simulate", "solve", "tune"),
    }


def test_the_same_cases_give_the_same_table() -> None:
    case = QUICK[0]

    assert measured(case, 20) == measured(case, 20)
    assert worst([measured(case, 20)]) == [measured(case, 20)]


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
