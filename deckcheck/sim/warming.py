"""Compiling ahead of time."""

from __future__ import annotations

from time import perf_counter

from deckcheck.decks import Deck, DeckSource
from deckcheck.engine.host.cache import is_warm
from deckcheck.findings import Position, Span
from deckcheck.formats import Format, database_of, format_ids
from deckcheck.policies.host.registry import DEFAULT_POLICY
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation

__all__ = ["main_formats", "warm_format"]

START = Span(Position(1, 1), Position(1, 1))


def main_formats() -> list[str]:
    """The first format of each game that is a plain meeting of decks."""
    first: dict[str, str] = {}
    for id in format_ids():
        game, _, name = id.partition("/")
        if game not in first or name == "standard":
            first[game] = id
    return list(first.values())


def warm_format(fmt: Format) -> tuple[float, bool]:
    """Compile the engine for games of `fmt`, or load it when that was done before.

    Returns the seconds it took, and whether it was compiled before. Games between
    empty decks are played, which needs all code there is.
    """
    request = Request(games=1, seed=0, policies=(DEFAULT_POLICY,))
    setting = Setting(fmt, database_of(fmt), request)
    simulation = Simulation(setting, tuple(_empty_decks(fmt)))
    was_warm = is_warm(simulation.engine)
    start = perf_counter()
    simulation.run()
    return perf_counter() - start, was_warm


def _empty_decks(fmt: Format) -> list[Entrant]:
    """As many empty decks as a game of the format needs, in files as it wants them."""
    database = database_of(fmt)
    leader = next(iter(database.leaders.values()), None)
    faction = leader.faction if leader else None
    entrants = []
    each = max(1, fmt.seating.min_decks)
    lineups = 2 * each if fmt.seating.play == "match" else 0
    for number in range(max(2, fmt.seating.min_players, lineups)):
        source = DeckSource(str(number // each), number % each)
        id = leader.id if leader else None
        deck = Deck(
            source, f"empty {number}", fmt.id, faction, id, (), START, headers={}
        )
        entrants.append(Entrant(deck, deck.name, DEFAULT_POLICY))
    return entrants
