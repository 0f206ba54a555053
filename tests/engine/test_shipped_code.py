"""Machine code that came with the package: loaded where it fits, else compiled anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from llvmlite import binding

from deckcheck.engine import cache
from deckcheck.engine.cache import CPU_NEEDED, PACKAGE

pytestmark = pytest.mark.compiled
PLAY = """
from deckcheck import simulate
played = simulate(
    random_decks=True, format="deckmaster/standard", policies="random", games=200
)
print(played.checksum)
"""
ANOTHER_NUMBA = "import numba; numba.__version__ += '.1'" + PLAY
COMPILES = "compiling the deckmaster engine"
AGAIN = "compiled code that was kept is not used and is compiled again"
IS_LINUX = binding.get_process_triple() == "x86_64-unknown-linux-gnu"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder with a package that has machine code for one game."""
    folder = tmp_path_factory.mktemp("installed")
    ignored = shutil.ignore_patterns("__pycache__", cache.SHIPPED_CODE.name)
    shutil.copytree(PACKAGE, folder / "deckcheck", ignore=ignored)
    shutil.copytree(PACKAGE.parent / "card_db", folder / "card_db")
    run(folder, "-m", "deckcheck.sim.warmup", "deckmaster/standard")
    return folder


@pytest.fixture(scope="module")
def checksum(tmp_path_factory) -> str:
    """What the games of the test come to where nothing is compiled."""
    return run(PACKAGE.parent, "-c", PLAY, NUMBA_DISABLE_JIT="1").stdout


def run(package: Path, *arguments: str, **variables: str):
    """Run Python where it imports the package in this folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=package,
        env=os.environ | {"NUMBA_DISABLE_JIT": "0"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )


def play(installed: Path, kept: Path, program=PLAY, **variables):
    """The checksum of a first run, what it said, and the code that it kept."""
    done = run(installed, "-c", program, NUMBA_CACHE_DIR=str(kept), **variables)
    return done.stdout, done.stderr, list(kept.rglob("*.nbc"))


def shipped(installed: Path, pattern: str) -> Path:
    (file,) = (installed / "deckcheck/engine/machine_code").rglob(pattern)
    return file


@pytest.mark.slow
@pytest.mark.skipif(not IS_LINUX, reason="machine code is shipped for Linux")
class TestTheFirstGame:
    def test_needs_no_compiler(self, installed, tmp_path, checksum):
        assert play(installed, tmp_path) == (checksum, "", [])

    @pytest.mark.parametrize(
        ("program", "variables"),
        [
            (ANOTHER_NUMBA, {}),
            (PLAY, {"NUMBA_CPU_NAME": "generic"}),
            (PLAY, {"NUMBA_OPT": "1"}),
        ],
        ids=["another numba", "another processor", "another option"],
    )
    def test_is_compiled_where_the_code_does_not_fit(
        self, installed, tmp_path, checksum, program, variables
    ):
        played, said, kept = play(installed, tmp_path, program, **variables)

        assert played == checksum
        assert COMPILES in said
        assert kept

    def test_is_compiled_where_a_file_is_damaged(self, installed, tmp_path, checksum):
        file = shipped(installed, "deckcheck.playing.kernel*play_games*.nbc")
        whole = file.read_bytes()
        file.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
        try:
            played, said, kept = play(installed, tmp_path)
        finally:
            file.write_bytes(whole)

        assert played == checksum
        assert f"{AGAIN} (up to a minute): it is damaged" in said
        assert [path.name for path in kept] == [file.name]

    def test_is_compiled_where_others_may_have_written_it(
        self, installed, tmp_path, checksum
    ):
        file = shipped(installed, "deckcheck.playing.kernel*play_games*.nbc")
        file.chmod(0o666)
        try:
            played, said, kept = play(installed, tmp_path)
        finally:
            file.chmod(0o644)

        assert played == checksum
        assert AGAIN in said
        assert [path.name for path in kept] == [file.name]


@pytest.mark.parametrize("missing", ["", "avx2"])
def test_an_older_processor_has_no_use_for_the_code(tmp_path, monkeypatch, missing):
    features = {name: name != missing for name in CPU_NEEDED}
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(cache, "SHIPPED_CODE", tmp_path)
    folder = tmp_path / cache.shipped_name()

    assert cache.find_shipped() is None
    folder.mkdir()
    assert cache.find_shipped() == (None if missing else folder)
