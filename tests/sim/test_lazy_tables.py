"""Tables are filled when they are played at, and not for all decks at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deckcheck.engine.gwent import game as gwent
from deckcheck.engine.registry import EngineError
from deckcheck.formats import database_of, load_format
from deckcheck.playing.table import LazyContexts
from deckcheck.sim.entrants import gather
from deckcheck.sim.run_directory import new_run, open_run
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_from_reports

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
STANDARD = sorted((DECKS / "standard").glob("*.deck"))


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many players sit at each table that is filled."""
    tables = []
    fill = gwent.fill_context

    def fill_context(database: Any, fmt: Any, seats: Any) -> Any:
        tables.append(len(seats))
        return fill(database, fmt, seats)

    monkeypatch.setattr(gwent, "fill_context", fill_context)
    return tables


def simulation_of(
    *decks: Path, format: str = "gwent/standard", policy: str = "random"
) -> Simulation:
    fmt = load_format(format)
    reports = gather([str(deck) for deck in decks])[0]
    request = Request(games=2, seed=1, policies=(policy,))
    return simulation_from_reports(fmt, database_of(fmt), reports, request)


def test_contexts_are_filled_once_while_they_are_read_again_and_again() -> None:
    fills = []

    def fill() -> Iterator[bytes]:
        fills.append(1)
        yield from (b"a", b"b", b"c")

    contexts = LazyContexts(3, fill)

    assert (len(contexts), fills) == (3, [])
    assert [*contexts] == [b"a", b"b", b"c"]
    assert (contexts[1], contexts[1:]) == (b"b", (b"b", b"c"))
    assert fills == [1]


def test_a_simulation_begins_with_a_table_for_each_deck(filled: list[int]) -> None:
    """A deck that the engine cannot play is found before any game."""
    simulation = simulation_of(*STANDARD[:6])

    assert len(simulation.tables) == 15
    assert len(filled) <= 6

    simulation.run()

    assert len(filled) <= 6 + 15 + 1


def test_a_run_that_is_read_fills_no_table(filled: list[int], tmp_path: Path) -> None:
    simulation = simulation_of(*STANDARD[:5])
    played = new_run(tmp_path / "run", simulation).run()
    filled.clear()

    read = open_run(tmp_path / "run").result()

    assert read.tables == played.tables
    assert filled == []


@pytest.mark.parametrize("policy", ["random", "heuristic"])
def test_sets_are_played_once_where_their_tables_say_so(policy: str) -> None:
    """The factions and the players tell it without the tables."""
    simulation = simulation_of(*STANDARD, policy=policy)
    tables = [place.table for place in simulation.tables]

    assert [t.once for t in tables] == [not t.beginner_matters.any() for t in tables]
    assert any(t.once for t in tables) == (policy == "heuristic")
    assert not all(t.once for t in tables)


@pytest.mark.parametrize("folder", ["two_vs_two", "tournament"])
def test_teams_and_lineups_are_filled_later_too(folder: str, filled: list[int]) -> None:
    files = sorted((DECKS / folder).glob("*.deck"))
    simulation = simulation_of(*files, format=f"gwent/{folder}")
    tournament = simulation.tournament
    places = simulation.tables if tournament is None else tournament.places
    contexts = sum(len(place.table.contexts) for place in places)

    assert 0 < len(filled) < contexts


def test_what_cannot_be_played_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill = gwent.fill_context

    def fill_context(database: Any, fmt: Any, seats: Any) -> Any:
        if any(seat.faction == "scoiatael" for seat in seats):
            raise EngineError("the engine does not play it")
        return fill(database, fmt, seats)

    monkeypatch.setattr(gwent, "fill_context", fill_context)
    with pytest.raises(EngineError, match="does not play it"):
        simulation_of(*STANDARD)
