"""Games at tables, from decks to result: reproducible, or refused."""

from __future__ import annotations

from typing import Any

import pytest

from deckcheck import SimulationResult, UsageError, simulate
from deckcheck.sim.workers import WorkerProcesses

SOLO = "decks/gwent/solo_built/nr_bonds.deck"
SWARM = "decks/gwent/standard/mo_swarm.deck"


def play(*decks: str, **options: Any) -> SimulationResult:
    return simulate(*decks, **{"games": 60, "policies": "random", **options})


@pytest.fixture(scope="module")
def solo() -> SimulationResult:
    return play(SOLO, opponents=["monsters", "Nilfgaard"])


def test_a_solo_deck_meets_the_factions_named(
    solo: SimulationResult,
) -> None:
    assert [table.entrants[1] for table in solo.tables] == [
        "automa (Monsters)",
        "automa (Nilfgaard)",
    ]
    assert [(table.games, table.sets) for table in solo.tables] == [(60, 60)] * 2


def test_a_solo_deck_meets_all_others_else() -> None:
    assert len(play(SOLO, games=2).tables) == 5


def test_an_opponent_named_twice_is_met_once() -> None:
    result = play(SOLO, opponents=["monsters", "Monsters"], games=2)

    assert [table.entrants[1] for table in result.tables] == ["automa (Monsters)"]


def test_the_same_run_has_the_same_checksum(solo: SimulationResult) -> None:
    again = play(SOLO, opponents=["Monsters", "nilfgaard"])

    assert again.checksum == solo.checksum
    assert again.tables == solo.tables


def test_workers_and_blocks_change_nothing(solo: SimulationResult) -> None:
    workers = WorkerProcesses(2)
    try:
        again = play(SOLO, opponents=["monsters", "nilfgaard"], executor=workers)
    finally:
        workers.stop()

    assert (again.checksum, again.tables) == (solo.checksum, solo.tables)


def test_another_seed_plays_other_games(solo: SimulationResult) -> None:
    other = play(SOLO, opponents=["monsters", "nilfgaard"], seed=2)

    assert other.checksum != solo.checksum


@pytest.mark.parametrize(
    ("decks", "options", "message"),
    [
        ([SOLO], {"opponents": ["elves"]}, "Unknown opponent `elves`"),
        (
            [SWARM],
            {"opponents": ["monsters"]},
            "`opponents` does not apply to `gwent/standard`",
        ),
        ([SWARM], {}, "Found 1 deck, needs at least 2"),
        (
            [SOLO],
            {"random_decks": True},
            "`random_decks` does not apply to",
        ),
        ([SOLO], {"players": 3}, "`players` goes with `random_decks` only"),
        (
            [],
            {"format": "gwent/free_for_all", "random_decks": True},
            "The Gwent engine deals no random decks",
        ),
        ([], {"format": "gwent/standard"}, "got no deck"),
        ([SOLO], {"policies": "rando"}, "unknown policy `rando`"),
        ([SOLO], {"games": 0}, "`games` is 0"),
        (
            [SWARM] * 2,
            {"format": "gwent/free_for_all", "allow_illegal": True},
            "gwent/free_for_all is for 3 to 5",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    decks: list[str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        play(*decks, **options)

    assert message in caught.value.message


def test_a_duel_has_the_common_figures_too() -> None:
    siege = "decks/gwent/standard/nr_siege_masters.deck"
    result = simulate(SWARM, siege, games=20, policies="random")
    (table,) = result.to_dict()["tables"]  # type: ignore[misc]
    (matchup,) = result.matchups

    assert table["seats"] == ["The swarm", "Siege masters"]
    assert table["wins"] == [matchup.wins_a, matchup.wins_b]
    assert sum(table["win_share"]) == pytest.approx(1)
    assert table["places_mean"][0] == pytest.approx(1 + matchup.wins_b / 20)
