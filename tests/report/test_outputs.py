"""Simulations as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json

import jsonschema
import pytest
from results import deck, result_of

from deckcheck.report import report_names, write_report
from deckcheck.sim.schema import SIMULATION_SCHEMA


def test_names_of_outputs_start_with_the_default() -> None:
    assert report_names() == ("table", "json", "csv", "markdown")


@pytest.mark.parametrize("decks", [1, 2, 3, 5])
def test_json_follows_its_schema(decks: int) -> None:
    result = result_of(*(deck(f"Deck {n}") for n in range(decks)))
    document = json.loads(write_report(result, "json"))

    jsonschema.Draft202012Validator.check_schema(SIMULATION_SCHEMA)
    jsonschema.validate(document, SIMULATION_SCHEMA)


def test_json_has_the_promised_keys() -> None:
    result = result_of(deck("Siege masters", "random"), deck("The swarm"))
    document = json.loads(write_report(result, "json"))
    (matchup,) = document["matchups"]

    assert document["policies"] == {"Siege masters": "random", "The swarm": "heuristic"}
    assert (document["seed"], document["games"]) == (1, 10_000)
    assert (document["checksum"], document["digest"]) == (
        "000000000abc",
        "0123456789ab",
    )
    assert matchup["interval"] == [0.551104, 0.57382]
    assert {"games": 5000, "wins_a": 3200, "draws": 100}.items() <= matchup[
        "a_starts"
    ].items()
    assert matchup["rounds_mean"] == 2.5


def test_csv_has_a_line_for_each_matchup() -> None:
    result = result_of(deck('Siege, "masters"'), deck("The swarm"), deck("Berserkers"))
    rows = list(csv.DictReader(io.StringIO(write_report(result, "csv"))))

    assert [row["b"] for row in rows] == ["The swarm", "Berserkers", "Berserkers"]
    assert rows[0]["a"] == 'Siege, "masters"'
    assert rows[0]["win_rate_a"] == "0.5625"


def test_markdown_tables_survive_any_name() -> None:
    result = result_of(deck("Siege | masters"), deck("*The* swarm"), deck("<b>"))
    text = write_report(result, "markdown")

    assert "| 1 Siege \\| masters | 56.2 % |" in text
    assert "\\*The\\* swarm" in text
    assert "\\<b\\>" in text
