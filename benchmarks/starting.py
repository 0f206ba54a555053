"""Start-up: how long whole commands take, and how many decks are judged in a second."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import PLAIN, Measurement, measure

__all__ = ["measure_cold_start", "measure_validation", "measure_warm_start"]

COMMAND = "import sys; from deckcheck.cli import main; sys.exit(main())"
FIRST, SECOND = "mo_swarm.deck", "nr_siege_masters.deck"


def measure_cold_start() -> Measurement:
    """Return the seconds of `warmup` with an empty cache: everything is compiled."""
    with TemporaryDirectory() as cache:
        return measure(
            "warmup, nothing compiled yet",
            "s",
            lambda: _seconds("warmup", cache=cache),
            PLAIN,
            rounds=1,
        )


def measure_warm_start(decks: Path, rounds: int) -> Iterator[Measurement]:
    """Yield the seconds of whole `simulate` processes when all is compiled."""
    pair = (str(decks / FIRST), str(decks / SECOND))
    _seconds("simulate", *pair, "--games", "2")
    for games in (2, 1_000):
        yield measure(
            f"simulate --games {games}",
            "s",
            partial(_seconds, "simulate", *pair, "--games", str(games)),
            PLAIN,
            rounds,
        )


def measure_validation(decks: Path, number: int, rounds: int) -> Iterator[Measurement]:
    """Yield the seconds of `validate` on one deck, and decks per second on many."""
    one = str(decks / FIRST)
    _seconds("validate", one)
    yield measure(
        "validate one deck", "s", lambda: _seconds("validate", one), PLAIN, rounds
    )
    yield measure(
        "validate one deck, nothing kept yet",
        "s",
        lambda: _seconds_without_cache("validate", one),
        PLAIN,
        rounds,
    )
    with TemporaryDirectory() as folder:
        _copy_decks(decks, Path(folder), number)
        yield measure(
            f"validate {number:,} decks",
            "decks/s",
            lambda: number / _seconds("validate", folder),
            PLAIN,
            rounds,
        )


def _copy_decks(decks: Path, folder: Path, number: int) -> None:
    files = sorted(decks.glob("*.deck"))
    for copy in range(number):
        shutil.copyfile(files[copy % len(files)], folder / f"{copy}.deck")


def _seconds_without_cache(*arguments: str) -> float:
    with TemporaryDirectory() as cache:
        return _seconds(*arguments, cache=cache)


def _seconds(*arguments: str, cache: str | None = None) -> float:
    """Return how long a command takes from its start to its end.

    `cache` is a folder for all that is kept between runs, else the user's own. Raises
    CalledProcessError when the command does not end with exit code 0.
    """
    folders = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    environment = os.environ | (dict.fromkeys(folders, cache) if cache else {})
    start = perf_counter()
    subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    return perf_counter() - start
