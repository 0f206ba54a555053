"""Whole processes: how long commands take, alone, with an empty cache, of many decks.

Seconds are those of CPU, of the process and its children: other programs do not count.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from benchmarks.measuring import Figure

__all__ = ["processes"]

FIRST, SECOND = "mo_swarm.deck", "nr_siege_masters.deck"
CACHES = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
LISTS, LARGE = 10_000, 200
FIELDS = (2, 60)
"""How many decks meet each other: two show what the start takes."""


def processes(decks: Path) -> Iterator[Figure]:
    """Yield what commands take; `decks` has the sample decks."""
    pair = (str(decks / FIRST), str(decks / SECOND))
    play = ("simulate", *pair, "-j", "1", "--games")
    yield _command("validate one deck", "validate", pair[0])
    yield _command("validate one, nothing kept", "validate", pair[0], cold=True)
    yield Figure(f"validate {LISTS:,} decks", "decks/s", partial(_validation, decks))
    yield _command("simulate 20, nothing compiled", *play, "20", cold=True, once=True)
    yield _command("simulate 200, nothing compiled", *play, "200", cold=True, once=True)
    for games in ("2", "1000"):
        yield _command(f"simulate {games}", *play, games)
    for size in FIELDS:
        yield Figure(f"round robin of {size} decks", "s", partial(_field, size))
    for words in (("report",), ("report", "--html", "page.html")):
        name = f"{' '.join(words[:2])} of {LARGE} decks"
        yield Figure(name, "s", partial(_report, words), once=True)


def _command(name: str, *words: str, cold: bool = False, once: bool = False) -> Figure:
    """What a command takes, `cold` with an empty cache, else when it has run before."""

    def prepare(_: float) -> Callable[[], float]:
        if cold:
            return lambda: seconds_of(*words, cache=mkdtemp())
        seconds_of(*words)
        return lambda: seconds_of(*words)

    return Figure(name, "s", prepare, once=once)


def _validation(decks: Path, _: float) -> Callable[[], float]:
    """Decks a second, of as many copies of the sample decks."""
    folder, files = mkdtemp(), sorted(decks.glob("*.deck"))
    for copy in range(LISTS):
        shutil.copyfile(files[copy % len(files)], f"{folder}/{copy}.deck")
    return lambda: LISTS / seconds_of("validate", folder)


def _field(size: int, _: float) -> Callable[[], float]:
    """A round robin of random decks, whose players move at random."""
    words = [*_random_decks(size), "-n", "4", "--policy", "random", "-q", "-j", "1"]
    seconds_of("simulate", *words)
    return lambda: seconds_of("simulate", *words)


def _report(words: tuple[str, ...], _: float) -> Callable[[], float]:
    """The report of a large field, read from a folder."""
    run = mkdtemp()
    few = ["-n", "2", "--policy", "random", "-q", "-j", "1", "--run", run]
    seconds_of("simulate", *_random_decks(LARGE), *few)
    return lambda: seconds_of(words[0], run, *words[1:], folder=run)


def _random_decks(size: int) -> list[str]:
    folder = mkdtemp()
    seconds_of("generate", "gwent/standard", "-n", str(size), "-o", f"{folder}/decks")
    return sorted(map(str, Path(folder, "decks").iterdir()))


def seconds_of(
    *words: str, cache: str | None = None, folder: str | None = None
) -> float:
    """The seconds of CPU that a command takes, run in `folder`.

    `cache` is a folder for all that is kept between runs, else the user's own. Ends the
    benchmarks when the command does not end with exit code 0.
    """
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    environment |= dict.fromkeys(CACHES, cache) if cache else {}
    process = subprocess.Popen(
        [sys.executable, "-m", "deckcheck", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words[:3])}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime
