"""Benchmarks start, and compare what they measured."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys

from benchmarks.__main__ import DECKS, changed, main
from benchmarks.playing import DEALT, dealt, played
from benchmarks.playing import DECKS as names

assert all((DECKS / name).is_file() for name in names)
assert all(played(dealt(name), 1)[0] == 2 for name in DEALT)
# A machine that slows down from pair to pair changes nothing.
row = changed('random', [(10.0, 20.0), (1.0, 2.5), (4.0, 4.0)])
assert row.split() == ['random', '4.00', '4.00', '2.00', '(1.00', 'to', '2.50)'], row

sys.argv = ["benchmarks", "--help"]
main()
"""


@pytest.mark.slow
def test_benchmarks_play() -> None:
    """The figures are not tested."""
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
