"""Who sits at which table, told from the files of the decks."""

from __future__ import annotations

from pathlib import Path

from deckcheck.formats import database_of, load_format
from deckcheck.sim.gather import gather
from deckcheck.sim.modes import Wishes, plan
from deckcheck.sim.table_plans import TablePlan
from deckcheck.sim.table_simulation import TableSimulation

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
TEAM = str(DECKS / "two_vs_two" / "north_and_hunt.deck")
TABLE = str(DECKS / "free_for_all" / "kings_and_beasts.deck")


def plans(format: str, *decks: str, policies: tuple[str, ...]) -> list[TablePlan]:
    fmt = load_format(format)
    wishes = Wishes(2, 1, policies)
    simulation = plan(fmt, database_of(fmt), gather(decks)[0], wishes)
    assert isinstance(simulation, TableSimulation)
    return simulation.plans


def test_a_team_named_twice_meets_itself() -> None:
    (table,) = plans("gwent/two_vs_two", TEAM, TEAM, policies=("random",))

    assert table.entrants == (
        "Commandos and Reavers (1) + The swarm (1)",
        "Commandos and Reavers (2) + The swarm (2)",
    )


def test_a_team_that_meets_itself_may_have_two_players() -> None:
    players = ("random", "heuristic")
    (table,) = plans("gwent/two_vs_two", TEAM, TEAM, policies=players)

    assert table.policies == players * 2


def test_a_table_named_twice_is_two_tables() -> None:
    tables = plans("gwent/free_for_all", TABLE, TABLE, policies=("random",))

    assert [len(table.entrants) for table in tables] == [3, 3]
