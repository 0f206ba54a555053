"""Compiling ahead of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from time import perf_counter

from deckcheck.cards import Root
from deckcheck.decks import DeckText
from deckcheck.engine.host.cache import is_warm
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.generating import Generator, NoDeckError
from deckcheck.policies.host.registry import DEFAULT_POLICY
from deckcheck.sim.build import simulation_from_reports
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.tables.seating import Request
from deckcheck.validation import DeckReport, Validator

SEED = 1


def compiled_together(formats: Iterable[Format]) -> list[list[Format]]:
    """The formats, those of one game that are played in the same way together.

    They are played by the same part of the engine: each of them stands for all.
    """
    parts: dict[tuple[str, str], list[Format]] = {}
    for fmt in formats:
        parts.setdefault((fmt.game, fmt.seating.play), []).append(fmt)
    return list(parts.values())


def warm_format(
    fmt: Format,
    root: Root = None,
    *,
    policy: str = DEFAULT_POLICY,
    announces: bool = True,
) -> tuple[float, bool]:
    """Compile the engine for games of `fmt`, or load it when that was done before.

    That it has to be compiled is said on standard error if `announces`.
    Returns the seconds it took, and whether it was compiled before. A game between
    random decks is played, which needs all code there is. Raises UsageError if there
    are no legal decks, and EngineError if the engine does not play the format.
    """
    simulation = _practice(fmt, root, policy)
    was_warm = all(is_warm(part) for part in simulation.engines)
    start = perf_counter()
    simulation.run(announces=announces)
    return perf_counter() - start, was_warm


def _practice(fmt: Format, root: Root, policy: str) -> Simulation:
    """A game of the format, or of another one that is compiled together with it.

    The published cards of a game may be too few for a deck: then its own format has no
    legal decks, while formats that add a set of cards have.
    """
    request = Request(games=1, seed=SEED, policies=(policy,))
    refusal: NoDeckError | None = None
    for leaders in _alike(fmt, root):
        try:
            decks = _decks(leaders, root)
        except NoDeckError as error:
            refusal = refusal or error
        else:
            return simulation_from_reports(
                leaders, database_of(leaders, root), decks, request
            )
    assert refusal is not None
    raise refusal


def _alike(fmt: Format, root: Root) -> Iterator[Format]:
    """The format, and then the others that are compiled together with it."""
    yield fmt
    for id in format_ids(root):
        if id.startswith(f"{fmt.game}/") and id != fmt.id:
            other = load_format(id, root)
            if other.seating.play == fmt.seating.play:
                yield other


def _decks(fmt: Format, root: Root) -> list[DeckReport]:
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
