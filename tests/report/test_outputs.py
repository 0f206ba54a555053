"""Simulations as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
from closed_schema import closed_schema
from results import deck, result_of
from tidy_frames import assert_tidy

from deckcheck.cards import load_database
from deckcheck.cards.models import CardChange
from deckcheck.cli.output import read_outputs, write_outputs
from deckcheck.findings import UsageError
from deckcheck.report import report_names
from deckcheck.sim.figures import METRICS
from deckcheck.studies.registry import write_report
from deckcheck.studies.simulation_page import SIMULATION

ROOT = Path(__file__).parents[2]
Captured = pytest.CaptureFixture[str]


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
    change = CardChange(old, replace(old, strength=10), "winter.yaml", is_own=True)
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


def test_rows_are_standings_and_matchups_from_both_sides() -> None:
    names = ['Siege, "masters"', "The swarm", "Berserkers"]
    frame = assert_tidy(result_of(*map(deck, names)), "win_rate")
    rates = frame[(frame["metric"] == "win_rate") & (frame["starts"] == "any")]
    by_pair = rates.set_index(["deck", "opponent"])["value"]

    assert sorted(rates[rates["opponent"] == "(all)"]["deck"]) == sorted(names)
    assert by_pair[names[0], "The swarm"] == 0.5625
    for one, other in permutations(names, 2):
        assert by_pair[one, other] + by_pair[other, one] == 1
    wins = frame[frame["metric"].isin(["wins", "losses", "draws"])]
    sums = wins.groupby(["deck", "opponent"])[["value", "n"]].agg(
        {"value": "sum", "n": "first"}
    )
    assert (sums["value"] == sums["n"]).all()
    starting = frame[frame["starts"] != "any"]
    assert set(starting["starts"]) == {"deck", "opponent"}
    first = by_starter(frame, *names[:2], "deck")
    assert first == 1 - by_starter(frame, names[1], names[0], "opponent")


def by_starter(frame: pd.DataFrame, deck: str, opponent: str, starts: str) -> float:
    """The win rate of a deck in the games that one of the two started."""
    own = frame[(frame["deck"] == deck) & (frame["opponent"] == opponent)]
    [value] = own[own["starts"] == starts]["value"]
    return float(value)


def test_standings_and_matrix_are_csv() -> None:
    names = ["Siege", "=Swarm", "Spies"]
    result = result_of(*map(deck, names))
    standings, matrix = (
        list(csv.reader(io.StringIO(write_report(result, name))))
        for name in ("standings", "matrix")
    )

    assert standings[0][:4] == ["deck", "win_rate", "low", "high"]
    assert [row[0].lstrip("'") for row in standings[1:]] == [
        standing.deck for standing in result.standings()
    ]
    assert matrix[0] == ["", "Siege", "'=Swarm", "Spies"]
    assert matrix[1] == ["Siege", "", "0.5625", "0.5625"]
    assert matrix[3] == ["Spies", "0.4375", "0.4375", ""]


def test_parquet_goes_to_a_file(tmp_path: Path, capsys: Captured) -> None:
    with pytest.raises(UsageError, match=r"needs a file\. Name one, such as `parquet:"):
        read_outputs(["parquet"], SIMULATION.writers())
    result = result_of(deck("Siege"), deck("Swarm"))
    file = tmp_path / "result.parquet"
    words = ["parquet", f"csv:{tmp_path / 'result.csv'}"]
    write_outputs(result, read_outputs(words, SIMULATION.writers(), file), "auto", 0)

    assert pd.read_parquet(file).equals(result.to_frame())
    text = (tmp_path / "result.csv").read_text(encoding="utf-8")
    assert text == write_report(result, "csv")
    assert capsys.readouterr().out == ""


def test_markdown_tables_survive_any_name() -> None:
    result = result_of(deck("Siege | masters"), deck("*The* swarm"), deck("<b>"))
    text = write_report(result, "markdown")

    assert "| 1 Siege \\| masters | 56.2 % |" in text
    assert "\\*The\\* swarm" in text
    assert "\\<b\\>" in text


def test_every_metric_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "outputs.md").read_text(encoding="utf-8")
    table = page[page.index("| metric | unit | value |") :]
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", table, re.MULTILINE)

    assert {name: (unit, words) for name, unit, words in rows} == METRICS
