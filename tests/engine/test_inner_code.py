"""Inner functions without machine code: used only where a trial succeeds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.engine import cache as trying
from deckcheck.engine.cache import FAILS, VERDICT, WORKS, inner_code_works

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).resolve().parents[2]
PLAY = """
import sys
from deckcheck import simulate
from deckcheck.engine.inner import is_installed
played = simulate(*sys.argv[1:], games=100, policies=["heuristic", "sane_random"])
print(is_installed(), played.checksum)
"""
FAILED_BEFORE = f"""
from deckcheck.engine.host import cache, trying
(cache.choose_cache_folder()[0] / trying.VERDICT).write_text("{FAILS}")
"""
DECKS = ROOT / "decks" / "gwen_t" / "pool"


@pytest.fixture
def first_process(monkeypatch):
    """A process in which nothing was tried yet."""
    monkeypatch.setattr(trying, "is_installed", lambda: False)
    monkeypatch.setattr(trying, "SHIPPED", None)


@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize(
    "trial",
    [
        "raise AttributeError('no such method')",
        "import os; os.abort()",
        "from deckcheck.engine import trial; trial.EXPECTED = 31; trial.run()",
    ],
    ids=["a method is gone", "the process dies", "the number is wrong"],
)
def test_a_trial_that_fails_is_remembered(tmp_path, monkeypatch, trial):
    monkeypatch.setattr(trying, "TRIAL", trial)

    assert not inner_code_works(tmp_path)
    assert (tmp_path / VERDICT).read_text() == FAILS

    monkeypatch.setattr(trying, "TRIAL", "")
    assert not inner_code_works(tmp_path)


@pytest.mark.usefixtures("first_process")
def test_a_trial_that_succeeds_is_made_once(tmp_path, monkeypatch):
    assert inner_code_works(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [VERDICT]

    monkeypatch.setattr(trying, "TRIAL", "raise SystemExit(1)")
    assert inner_code_works(tmp_path)


@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize("kept", [b"", b"maybe", b"\xff\xfe"])
def test_a_spoiled_verdict_is_found_anew(tmp_path, kept):
    (tmp_path / VERDICT).write_bytes(kept)

    assert inner_code_works(tmp_path)
    assert (tmp_path / VERDICT).read_text() == WORKS


@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize("folder", ["missing", None])
def test_where_nothing_can_be_kept_the_trial_decides(tmp_path, monkeypatch, folder):
    monkeypatch.setattr(trying, "TRIAL", "raise SystemExit(1)")

    assert not inner_code_works(folder and tmp_path / folder)


def told(program, **environment):
    """What a program prints that plays two decks of a small game."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, sorted(DECKS.glob("*.deck"))[:2])],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.slow
def test_without_it_the_same_games_are_played(tmp_path):
    usual = told(PLAY)
    without = told(FAILED_BEFORE + PLAY, NUMBA_CACHE_DIR=str(tmp_path))

    assert usual[0] == "True"
    assert without == ["False", *usual[1:]]
