"""Games at tables as text, Markdown, CSV and JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest
from closed_schema import closed_schema
from results import deck
from tallies import tally_of
from tidy_frames import assert_tidy

from deckcheck.sim.result import SimulationResult
from deckcheck.sim.standings import table_result
from deckcheck.studies.registry import write_report

SET = [((1, 2, 3), (6, 4, 2), 0), ((2, 1, 3), (3, 5, 1), 1), ((1, 1, 1), (2, 2, 2), 2)]


def result(tables: int = 1) -> SimulationResult:
    names = ("Siege masters", "The swarm", "Berserkers")
    played = table_result(names, tally_of([SET] * 10))
    return SimulationResult(
        format="gwent/free_for_all",
        snapshot="2025-10",
        month="2025-10",
        decks=tuple(deck(name) for name in names),
        play="table",
        players=("heuristic",),
        stand_ins=(),
        games=30,
        games_played=30 * tables,
        seed=1,
        tables=(played,) * tables,
        checksum="000000000abc",
        digest="0123456789ab",
        changes=(),
        seconds=2.0,
        jobs=1,
    )


@pytest.mark.parametrize("tables", [1, 2])
def test_json_of_tables_follows_the_schema(tables: int) -> None:
    document = json.loads(write_report(result(tables), "json"))

    jsonschema.validate(document, closed_schema("simulate"))
    assert len(document["tables"]) == tables


def test_json_of_a_table_has_seats_places_and_points() -> None:
    (table,) = json.loads(write_report(result(), "json"))["tables"]

    assert table["seats"] == ["Siege masters", "The swarm", "Berserkers"]
    assert table["wins"] == [10, 10, 0]
    assert table["shared"] == [10, 10, 10]
    assert table["win_share"] == [0.444444, 0.444444, 0.111111]
    assert table["places_mean"] == [1.333333, 1.333333, 2.333333]
    assert table["points_mean"] == [3.666667, 3.666667, 1.666667]
    assert [turn["all"]["games"] for turn in table["by_turn"]] == [30, 30, 30]


def test_points_that_never_varied_have_no_spread() -> None:
    """Places have: it is known that they lie between the first and the last."""
    text = write_report(result(), "table")

    assert "1.33 ±0.28    3.67\n" in text
    assert "±" not in text.replace("±0.28", "")


def test_text_of_a_table_shows_shares_and_turns() -> None:
    text = write_report(result(), "table")

    assert text.startswith("3 at a table, 30 games\n")
    assert "even shares 33.3 %; a game: 3.00 rounds, 20.0 turns" in text
    assert "Siege masters     44.4 %" in text
    assert "By who moves first" in text
    assert "drawn by all: 10 (33.3 %)" in text
    assert "30, in sets of 3" in text


def test_several_tables_start_with_an_overview() -> None:
    text = write_report(result(2), "table")

    assert text.startswith("2 tables\n")
    assert "Table 2: 3 at a table, 30 games" in text


def test_rows_of_tables_are_of_each_entrant_and_turn() -> None:
    frame = assert_tidy(result(), "wins")
    own = frame[frame["deck"] == "Siege masters"]
    by_turn = own[own["starts"] != "any"]

    assert len(set(frame["deck"])) == 3
    assert set(own["opponent"]) == {"The swarm, Berserkers"}
    assert list(by_turn["starts"]) == ["deck", "opponent, turn 2", "opponent, turn 3"]
    assert by_turn["value"].iloc[0] == 1


def test_markdown_of_tables_is_tables() -> None:
    text = write_report(result(), "markdown")

    assert "### 3 at a table, 30 games" in text
    assert text.count("### ") == 2


@pytest.mark.parametrize("name", ["table", "markdown"])
def test_of_many_tables_ten_are_shown_in_detail(name: str) -> None:
    some = " ".join(write_report(result(12), name).split())
    every = write_report(result(12), name, all_matchups=True)

    assert "below: the 10 most decisive, all with" in some
    assert (some.count("Table "), every.count("Table ")) == (10, 12)
    assert "most decisive" not in every
