"""Who sits at which table, told from the files of the decks."""

from __future__ import annotations

from pathlib import Path

import pytest

import deckcheck
from deckcheck.formats import database_of, load_format
from deckcheck.sim.entrants import gather
from deckcheck.sim.seating import Request, SeatedTable
from deckcheck.sim.simulation import simulation_from_reports

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
TEAM = str(DECKS / "two_vs_two" / "north_and_hunt.deck")
SWARM = DECKS / "standard" / "mo_swarm.deck"
SIEGE = DECKS / "standard" / "nr_siege_masters.deck"
FAST = ("random",)
TABLE = str(DECKS / "free_for_all" / "kings_and_beasts.deck")


def tables_of(format: str, *decks: str, policies: tuple[str, ...]) -> list[SeatedTable]:
    fmt = load_format(format)
    request = Request(2, 1, policies)
    return simulation_from_reports(
        fmt, database_of(fmt), gather(decks)[0], request
    ).tables


def test_a_team_named_twice_meets_itself() -> None:
    (table,) = tables_of("gwent/two_vs_two", TEAM, TEAM, policies=("random",))

    assert table.entrants == (
        "Commandos and Reavers (1) + The swarm (1)",
        "Commandos and Reavers (2) + The swarm (2)",
    )


def test_a_team_that_meets_itself_may_have_two_players() -> None:
    players = ("random", "heuristic")
    (table,) = tables_of("gwent/two_vs_two", TEAM, TEAM, policies=players)

    assert table.policies == players * 2


def test_a_table_named_twice_is_two_tables() -> None:
    tables = tables_of("gwent/free_for_all", TABLE, TABLE, policies=("random",))

    assert [len(table.entrants) for table in tables] == [3, 3]


@pytest.mark.parametrize("picked", [0, 1])
def test_a_deck_picked_out_of_a_team_is_no_team(picked: int) -> None:
    """Decks that were read before may be any of their file."""
    deck = deckcheck.read(TEAM)[picked]

    with pytest.raises(deckcheck.UsageError, match=r"Found 1 deck in .* a team has 2"):
        deckcheck.simulate(deck, TEAM, games=4, format="gwent/two_vs_two")


def test_teams_that_were_read_before_play_as_their_files_do() -> None:
    team = deckcheck.read(TEAM)
    read = deckcheck.simulate(*team, *team, games=4, policies="random")
    files = simulation_from_reports(
        load_format("gwent/two_vs_two"),
        database_of(load_format("gwent/two_vs_two")),
        gather([TEAM, TEAM])[0],
        Request(4, 1, ("random",)),
    )

    assert read.checksum == files.run().checksum


@pytest.mark.parametrize(
    ("format", "folder"),
    [
        ("gwent/standard", "standard"),
        ("gwent/two_vs_two", "two_vs_two"),
        ("gwent/free_for_all", "free_for_all"),
        ("gwent/solo_built", "solo_built"),
        ("deckmaster/standard", "../deckmaster/standard"),
    ],
)
def test_every_table_has_games_of_its_own(format: str, folder: str) -> None:
    """The number of a table seeds its games, and more decks change none of them."""
    decks = sorted(map(str, (DECKS / folder).glob("*.deck")))
    fewer, all = (
        {each.entrants: each.number for each in tables_of(format, *some, policies=FAST)}
        for some in (decks[:-1], decks)
    )

    assert len(fewer) < len(all) == len(set(all.values()))
    assert fewer.items() <= all.items()


def test_a_deck_picked_out_of_a_table_sits_down_with_others() -> None:
    picked = deckcheck.read(TABLE)[2]
    found = deckcheck.simulate(
        *(picked, SWARM, SIEGE),
        format="gwent/free_for_all",
        games=3,
        policies="random",
        allow_illegal=True,
    )

    assert [len(table.entrants) for table in found.tables] == [3]


def test_a_single_deck_does_not_join_the_table_of_a_file() -> None:
    with pytest.raises(deckcheck.UsageError, match="Found 1 player"):
        tables_of("gwent/free_for_all", TABLE, str(SWARM), policies=("random",))
