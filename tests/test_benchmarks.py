"""The benchmarks start; what they measure is no test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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
        "from benchmarks.players.meeting import all_pairs, meet, sample_decks; "
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
