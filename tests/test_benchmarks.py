"""The benchmarks start; what they measure is no test."""

from __future__ import annotations

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


def test_every_sample_deck_that_is_played_exists() -> None:
    code = (
        "from benchmarks.__main__ import DECKS; "
        "from benchmarks.playing import DECKS as names; "
        "assert all((DECKS / name).is_file() for name in names)"
    )

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
