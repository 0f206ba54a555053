"""Simulations with the real engine: the same however they are played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.standings import table_result
from deckcheck.sim.workers import WorkerProcesses

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    names = ("mo_swarm.deck", "nr_siege_masters.deck", "st_beautiful_archers.deck")
    policies = ("heuristic", "random", "sane_random")
    decks = deckcheck.read(*(DECKS / name for name in names))
    entrants = tuple(
        Entrant(deck, deck.name, policy)
        for deck, policy in zip(decks, policies, strict=True)
    )
    fmt = load_format("gwent/standard")
    setting = Setting(fmt, load_database("gwent"), Request(400, 5, policies))
    return Simulation(setting, entrants)


@pytest.fixture(scope="module")
def expected(simulation: Simulation) -> SimulationResult:
    return simulation.run()


@pytest.mark.parametrize("block_sets", [1, 7, 33, 200, 10_000])
def test_blocks_change_no_result(
    simulation: Simulation, expected: SimulationResult, block_sets: int
) -> None:
    result = simulation.run(block_sets=block_sets)

    assert result.checksum == expected.checksum
    assert result.matchups == expected.matchups


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_workers_change_no_result(
    simulation: Simulation, expected: SimulationResult, jobs: int
) -> None:
    workers = WorkerProcesses(jobs)
    try:
        result = simulation.run(jobs=jobs, executor=workers, block_sets=20)
    finally:
        workers.stop()

    assert result.checksum == expected.checksum
    assert result.matchups == expected.matchups


def test_a_run_is_the_sum_of_its_parts(
    simulation: Simulation, expected: SimulationResult
) -> None:
    """What a later resume relies on: pairs 0 to 149 and 150 to 199 are the run."""
    wins = []
    for job in simulation.jobs():
        parts = [
            job.table.play(5, job.number, first, pairs)
            for first, pairs in ((0, 150), (150, 50))
        ]
        wins.append(table_result("ab", parts[0] + parts[1]).performances[0].wins)

    assert wins == [matchup.wins_a for matchup in expected.matchups]


def test_another_seed_gives_other_games(
    simulation: Simulation, expected: SimulationResult
) -> None:
    request = replace(simulation.setting.request, seed=6)
    setting = replace(simulation.setting, request=request)

    assert replace(simulation, setting=setting).run().checksum != expected.checksum


def test_every_game_is_counted(expected: SimulationResult) -> None:
    for matchup in expected.matchups:
        split = matchup.a_starts, matchup.b_starts
        assert sum(matchup.pairs) == 200
        assert sum(part.games for part in split) == matchup.games == 400
        assert matchup.wins_a + matchup.wins_b + matchup.draws == 400
        points = sum(i * pairs for i, pairs in enumerate(matchup.pairs))
        assert points == 2 * matchup.wins_a + matchup.draws


def test_no_more_decks_challenge_than_there_are(simulation: Simulation) -> None:
    request = replace(simulation.setting.request, challengers=4)

    with pytest.raises(UsageError, match="must be 0 to 3"):
        replace(simulation, setting=replace(simulation.setting, request=request))
