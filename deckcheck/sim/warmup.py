"""Compile the engine ahead of time: for a user, or into a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from deckcheck.cards import Root
from deckcheck.decks import DeckText
from deckcheck.engine.cache import (
    FOLDER_PREFIX,
    SHIPPED_CODE,
    SHIPPED_CPU,
    SHIPPED_INLINING,
    is_warm,
    shipped_name,
    source_hash,
)
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.generating import Generator, NoDeckError
from deckcheck.policies import AUTO
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_from_reports
from deckcheck.validation import DeckReport, Validator

WARMUP_SEED = 1


def compiled_together(formats: Iterable[Format]) -> list[list[Format]]:
    """Group the formats of a game that are played in the same way.

    They are played by the same part of the engine, so that any of them represents all.
    """
    parts: dict[tuple[str, str], list[Format]] = {}
    for fmt in formats:
        parts.setdefault((fmt.game, fmt.seating.play), []).append(fmt)
    return list(parts.values())


def warm_format(
    fmt: Format,
    root: Root = None,
    *,
    policy: str = AUTO,
    announces: bool = True,
) -> tuple[float, bool]:
    """Load the engine for games of `fmt`, or compile it if needed.

    Compiling is announced on standard error if `announces`. Returns the seconds it
    took, and whether it was already compiled. A game between random decks is played,
    which uses all code. Raises UsageError if there are no legal decks, and EngineError
    if the engine does not play the format.
    """
    simulation = _practice_simulation(fmt, root, policy)
    was_warm = all(is_warm(part) for part in simulation.engines)
    start = perf_counter()
    simulation.run(announces=announces)
    return perf_counter() - start, was_warm


def _practice_simulation(fmt: Format, root: Root, policy: str) -> Simulation:
    """Return a game of the format, or of another format that shares its compiled code.

    The published cards of a game may be too few for a deck. Then its own format has no
    legal decks, while formats with a set of cards have.
    """
    request = Request(games=1, seed=WARMUP_SEED, policies=(policy,))
    first_refusal: NoDeckError | None = None
    for candidate in _formats_compiled_alike(fmt, root):
        try:
            decks = _random_decks(candidate, root)
        except NoDeckError as error:
            first_refusal = first_refusal or error
            continue
        database = database_of(candidate, root)
        return simulation_from_reports(candidate, database, decks, request)
    assert first_refusal is not None
    raise first_refusal


def _formats_compiled_alike(fmt: Format, root: Root) -> Iterator[Format]:
    """Yield the format, and then the formats compiled together with it."""
    yield fmt
    for id in format_ids(root):
        if id.startswith(f"{fmt.game}/") and id != fmt.id:
            other = load_format(id, root)
            if other.seating.play == fmt.seating.play:
                yield other


def _random_decks(fmt: Format, root: Root) -> list[DeckReport]:
    """Return random decks, in as many files as a game of the format needs."""
    seating = fmt.seating
    files = 1
    if seating.holds != "table":
        files = max(2, ceil(seating.min_players / seating.min_decks))
    validator = Validator(fmt.id, root)
    generator = Generator(fmt, validator)
    reports: list[DeckReport] = []
    for number in range(1, files + 1):
        text = generator.draw_file(WARMUP_SEED, number)
        reports += validator.check_file(DeckText(f"{number}.deck", text))
    return reports


# Machine code for a wheel: `python -m deckcheck.sim.warmup [FORMAT...]`.
#
# Compiles for every processor that is `SHIPPED_CPU` or newer, and puts the code into
# the package, where a build of the wheel finds it. It is loaded by the Python, numba
# and llvmlite that this was run with, and by no other.

WARM_UP = f"""
import sys
from llvmlite import binding
binding.set_option("deckcheck", "--inline-threshold={SHIPPED_INLINING}")
from deckcheck.sim.warmup import compile_for
compile_for(sys.argv[1:])
"""
WARMED_PLAYERS = ("heuristic", "learned", "learned-1")
"""The players whose code is shipped.

`search` comes with `learned-1`, where that knows the game.
"""


def compile_for(ids: list[str]) -> None:
    """Compile for games of these formats, by default all, and keep the code."""
    for part in compiled_together(map(load_format, ids or format_ids())):
        for player in WARMED_PLAYERS:
            warm_format(part[0], policy=player)


def ship(folder: Path, formats: list[str]) -> Path:
    """Compile for these formats, and return the folder of the code in the package.

    `folder` keeps the code until it is copied.
    """
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder),
        "NUMBA_CPU_NAME": SHIPPED_CPU,
        "NUMBA_CPU_FEATURES": "",
    }
    command = [sys.executable, "-c", WARM_UP, *formats]
    subprocess.run(command, env=environment, check=True)
    shipped = SHIPPED_CODE / shipped_name()
    shutil.rmtree(shipped, ignore_errors=True)
    shutil.copytree(folder / f"{FOLDER_PREFIX}{source_hash()}", shipped)
    for file in shipped.iterdir():
        file.chmod(0o644)  # as all files of a package: their owner alone may write
    return shipped


def main() -> None:
    """Compile for the named formats, or for all, and print the place of the code."""
    with TemporaryDirectory() as folder:
        shipped = ship(Path(folder), sys.argv[1:])
    size = sum(file.stat().st_size for file in shipped.iterdir())
    print(f"{size / 1e6:.1f} MB of machine code in {shipped}")


if __name__ == "__main__":
    main()
