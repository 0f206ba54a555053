"""Compiling ahead of time."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from pathlib import Path
from time import perf_counter

from deckcheck.decks import DeckText
from deckcheck.engine.host.cache import is_warm
from deckcheck.formats import Format, database_of
from deckcheck.generating import Generator
from deckcheck.policies.host.registry import DEFAULT_POLICY
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_of
from deckcheck.validation import DeckReport, Validator

__all__ = ["compiled_together", "warm_format"]

SEED = 1


def compiled_together(
    formats: Iterable[Format], root: Path | None = None
) -> list[list[Format]]:
    """The formats, those together that are played by one part of the engine.

    A part is compiled apart from the others; its first format stands for all of it.
    """
    parts: dict[str, list[Format]] = {}
    for fmt in formats:
        parts.setdefault(_practice(fmt, root).engine, []).append(fmt)
    return list(parts.values())


def warm_format(fmt: Format, root: Path | None = None) -> tuple[float, bool]:
    """Compile the engine for games of `fmt`, or load it when that was done before.

    Returns the seconds it took, and whether it was compiled before. A game between
    random decks is played, which needs all code there is.
    """
    simulation = _practice(fmt, root)
    was_warm = is_warm(simulation.engine)
    start = perf_counter()
    simulation.run()
    return perf_counter() - start, was_warm


def _practice(fmt: Format, root: Path | None) -> Simulation:
    """A game of the format between random legal decks.

    Raises UsageError if there are none, and EngineError if the engine does not play
    the format.
    """
    request = Request(games=1, seed=SEED, policies=(DEFAULT_POLICY,))
    return simulation_of(fmt, database_of(fmt, root), _decks(fmt, root), request)


def _decks(fmt: Format, root: Path | None) -> list[DeckReport]:
    """Random decks, in as many files as a game of the format needs."""
    seating = fmt.seating
    files = 1
    if seating.holds != "table":
        files = max(2, ceil(seating.min_players / seating.min_decks))
    validator = Validator(fmt.id, root)
    generator = Generator(fmt, validator)
    return [
        report
        for number in range(1, files + 1)
        for report in validator.check_file(
            DeckText(f"{number}.deck", generator.file(SEED, number))
        )
    ]
