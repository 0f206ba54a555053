"""`deckcheck impact` as it is typed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SIEGE, SWARM, SHIPS = (
    str(STANDARD / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random", "-n", "8"]


def run(*arguments: str) -> int:
    return main(["impact", SIEGE, *FAST, *arguments])


def test_json_fits_its_schema(capsys: Captured) -> None:
    assert run("--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("impact"))
    assert len(document["cards"]) == 22
    assert document["cut"] in {card["id"] for card in document["cards"]}


def test_csv_has_a_row_for_each_card(capsys: Captured) -> None:
    assert run("--output-format", "csv") == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    copies = [row["value"] for row in rows if row["metric"] == "copies"]
    assert len(copies) == 22
    assert {float(number) for number in copies} == {1, 2, 3}


def test_the_answer_comes_first(capsys: Captured) -> None:
    assert run() == 0

    lines = capsys.readouterr().out.splitlines()
    assert "may be the card to cut, but" in lines[0]
    assert "Siege masters: what one copy of each card is worth (caused)" in lines


def test_what_is_missing(capsys: Captured) -> None:
    assert main(["impact"]) == 2
    assert "No deck given" in capsys.readouterr().err
