"""Tournament matches with the real engine: the same however they are played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from closed_schema import closed_schema
from tidy_frames import assert_tidy

import deckcheck
from deckcheck.cards import load_database
from deckcheck.formats import load_format
from deckcheck.sim import LARGEST_SEED
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.stopping import Stopping
from deckcheck.sim.tournament import read_chances
from deckcheck.sim.workers import WorkerProcesses
from deckcheck.studies.registry import write_report

LINEUPS = Path(__file__).parents[3] / "decks" / "gwent" / "tournament"
KIN, CROWNS = LINEUPS / "kin_of_the_coast.deck", LINEUPS / "crowns_and_claws.deck"


def simulation_of(*files: Path, games: int = 60, policy: str = "random") -> Simulation:
    decks = deckcheck.read(*files)
    if len(files) == 2 and files[0] == files[1]:
        decks = [*deckcheck.read(files[0]), *deckcheck.read(files[1])]
    entrants = tuple(Entrant(deck, deck.name, policy) for deck in decks)
    fmt, database = load_format("gwent/tournament"), load_database("gwent")
    request = Request(games, 3, (policy,))
    return Simulation(Setting(fmt, database, request), entrants)


def changed(simulation: Simulation, **changes: Any) -> Simulation:
    """The simulation of the same lineups with another request."""
    setting = simulation.setting
    request = replace(setting.request, **changes)
    return replace(simulation, setting=replace(setting, request=request))


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return simulation_of(KIN, CROWNS)


@pytest.fixture(scope="module")
def expected(simulation: Simulation) -> SimulationResult:
    return simulation.run()


@pytest.mark.parametrize("block_sets", [1, 7])
def test_the_size_of_blocks_changes_no_match(
    simulation: Simulation, expected: SimulationResult, block_sets: int
) -> None:
    result = simulation.run(block_sets=block_sets)

    assert result.checksum == expected.checksum
    assert result.matches == expected.matches


@pytest.mark.slow
def test_workers_change_no_match(
    simulation: Simulation, expected: SimulationResult
) -> None:
    workers = WorkerProcesses(2)
    try:
        result = simulation.run(jobs=2, executor=workers, block_sets=10)
    finally:
        workers.stop()

    assert result.checksum == expected.checksum
    assert result.matches == expected.matches


def test_another_seed_gives_other_matches(
    simulation: Simulation, expected: SimulationResult
) -> None:
    assert changed(simulation, seed=4).run().checksum != expected.checksum


def test_another_lineup_leaves_the_matches_of_the_others(
    expected: SimulationResult,
) -> None:
    three = simulation_of(KIN, CROWNS, LINEUPS / "daggers_and_mead.deck").run()

    assert len(three.matches) == 3
    assert three.matches[0] == expected.matches[0]


def test_measured_chances_can_be_read_again(
    simulation: Simulation, expected: SimulationResult, tmp_path: Path
) -> None:
    file = tmp_path / "run.json"
    file.write_text(write_report(expected, "json"), encoding="utf-8")
    result = changed(simulation, matchups=read_chances(file)).run()

    assert result.checksum == expected.checksum
    assert result.matches == expected.matches
    assert (len(expected.matchups), result.matchups) == (9, ())
    assert result.chances_from == str(file)


def test_games_are_measured_only_where_they_are_wanted(
    simulation: Simulation,
) -> None:
    result = changed(simulation, selections=("random", "fixed")).run()

    assert result.matchups == ()
    assert result.matches[0].value is None
    assert [lineup.selection for lineup in result.lineups] == ["random", "fixed"]


def test_what_is_measured_shares_no_shuffles_with_matches() -> None:
    simulations = [changed(simulation_of(KIN, CROWNS), seed=seed) for seed in range(50)]
    seeds = [each.tournament.measuring_seed for each in simulations if each.tournament]

    assert len(set(seeds)) == 50
    assert not set(seeds) & set(range(50))
    assert all(0 <= seed <= LARGEST_SEED for seed in seeds)


def test_matches_that_a_rule_stopped_say_so(simulation: Simulation) -> None:
    stopping = Stopping(until_width=0.5)
    found = changed(simulation, games=400, stopping=stopping).run()
    [match] = found.matches

    assert found.stopped is not None
    assert found.stopped.reached
    assert match.rate_a.interval.high - match.rate_a.interval.low <= 0.5
    assert all(each.anytime for each in match.table.performances)


def test_json_follows_its_schema(expected: SimulationResult) -> None:
    document = json.loads(write_report(expected, "json"))

    jsonschema.validate(document, closed_schema("simulate"))
    (table,) = document["tables"]
    assert table["seats"] == ["kin of the coast", "crowns and claws"]
    assert sum(table["wins"]) + table["draws"] == table["games"] == 60
    assert sum(table["win_share"]) == pytest.approx(1)
    assert all(1 < points <= 2 for points in table["points_mean"])
    assert [len(decks) for decks in table["decks"]] == [3, 3]


def test_no_deck_wins_twice_in_a_match(expected: SimulationResult) -> None:
    (match,) = expected.matches

    for deck in (*match.decks_a, *match.decks_b):
        assert deck.wins <= match.matches
        assert sum(sum(cell) for cell in deck.against) == deck.games


@pytest.mark.parametrize("output", ["table", "markdown", "csv"])
def test_every_output_names_lineups_and_decks(
    expected: SimulationResult, output: str
) -> None:
    text = write_report(expected, output)

    assert "kin of the coast" in text
    assert "Royal siege tra" in text


@pytest.mark.slow
@pytest.mark.parametrize("lineup", [KIN, CROWNS])
def test_optimal_does_not_lose_to_random(lineup: Path) -> None:
    """The same lineup on both sides, so that choosing alone makes the difference."""
    simulation = simulation_of(lineup, lineup, games=2000)
    ways = ("optimal", "random")
    rate = changed(simulation, selections=ways).run().matches[0].rate_a

    assert rate.interval.high > 0.5
    assert rate.value > 0.49


def test_matches_from_python(expected: SimulationResult) -> None:
    result = deckcheck.simulate(str(KIN), CROWNS, games=60, seed=3, policies="random")

    assert result.checksum == expected.checksum
    frame = assert_tidy(result)
    rates = frame[frame["metric"] == "match_win_rate"]
    assert (
        list(rates["deck"]) == list(rates["lineup"]) == [x.name for x in result.lineups]
    )


def test_an_illegal_lineup_does_not_play() -> None:
    broken = LINEUPS.parents[2] / "examples/broken/gwent/lineup-with-a-shared-hero.deck"

    with pytest.raises(deckcheck.IllegalDeckError, match="Blue Mountain squirrels"):
        deckcheck.simulate(broken, CROWNS, games=2)


@pytest.mark.parametrize("deck", [0, 1])
def test_a_deck_picked_out_of_a_lineup_is_refused(deck: int) -> None:
    """Decks that were read before may be any of their file."""
    picked = deckcheck.read(KIN)[deck]
    message = "Found 1 deck in .*kin_of_the_coast.deck., a lineup of gwent/tournament"

    with pytest.raises(deckcheck.UsageError, match=message):
        deckcheck.simulate(picked, CROWNS, games=2, format="gwent/tournament")
