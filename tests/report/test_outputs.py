"""Simulations as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import jsonschema
import pytest
from closed_schema import closed_schema
from results import deck, result_of

from deckcheck.cards import load_database
from deckcheck.cards.changes import Change
from deckcheck.report import report_names
from deckcheck.studies.registry import write_report


def test_names_of_outputs_start_with_the_default() -> None:
    assert report_names() == ("table", "json", "csv", "markdown", "html")


@pytest.mark.parametrize("decks", [1, 2, 3, 5])
def test_json_follows_its_schema(decks: int) -> None:
    result = result_of(*(deck(f"Deck {n}") for n in range(decks)))
    document = json.loads(write_report(result, "json"))

    jsonschema.Draft202012Validator.check_schema(closed_schema("simulate"))
    jsonschema.validate(document, closed_schema("simulate"))


def test_what_sets_change_is_told() -> None:
    old = load_database("gwent").cards["catapult"]
    change = Change(old, replace(old, strength=10), "winter.yaml", is_own=True)
    result = replace(result_of(deck("A"), deck("B")), changes=(change,))
    document = json.loads(write_report(result, "json"))

    jsonschema.validate(document, closed_schema("simulate"))
    assert document["changes"][0]["now"].startswith("northern_realms unit, siege, stre")
    for output in ("table", "markdown"):
        text = write_report(result, output)
        assert "winter.yaml changes Catapult (strength 10, not 8)" in text


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
