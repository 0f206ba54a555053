"""`deckcheck compare` as it is typed."""

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

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
OLD = str(STANDARD / "nr_siege_masters.deck")
EXAMPLES = ROOT / "examples" / "compare"
NEW, OTHER = (
    str(EXAMPLES / f"{name}.deck") for name in ("second_horn", "second_scorch")
)
SWARM, SHIPS = (str(STANDARD / f"{name}.deck") for name in ("mo_swarm", "sk_longships"))
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random"]


def run(*arguments: str) -> int:
    return main(["compare", *arguments, *FAST])


def test_the_answer_comes_first(capsys: Captured) -> None:
    assert run(OLD, NEW, "-n", "200") == 0

    lines = capsys.readouterr().out.splitlines()
    assert "Siege, 2 horns" in lines[0]
    assert any(line.startswith("all opponents ") for line in lines)
    assert any(line.startswith("The swarm ") for line in lines)
    assert "ended     after the games that were asked for" in lines
    assert "policies  sane_random 1" in lines


def test_json_fits_its_schema(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "--margin", "8", "--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("compare"))
    assert document["looks"] > 0
    assert len(document["differences"]) == 3
    # Shared shuffles save games where versions differ by a card.
    assert all(each["saved"] > 1 for each in document["differences"])
    assert document["versions"][0]["name"] == "Siege masters"
    assert sorted(document["ranking"]) == sorted(
        v["name"] for v in document["versions"]
    )
    assert [each["name"] for each in document["opponents"]] == [
        "The swarm",
        "Longships of Skellige",
    ]


def test_csv_has_a_row_for_each_version_and_each_two(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "-n", "40", "--output-format", "csv") == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 3 * (3 + 3)
    assert [row["opponent"] for row in rows[::6]] == [
        "(all)",
        "The swarm",
        "Longships of Skellige",
    ]
    assert [row["baseline"] for row in rows[2:5]] == [
        "(none)",
        "Siege masters",
        "Siege masters",
    ]


def test_markdown_of_several_versions(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "-n", "40", "--output-format", "markdown") == 0

    page = capsys.readouterr().out
    assert page.startswith("**")
    assert page.count("###") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([OLD], "Found 1 version, needs at least 2"),
        ([OLD, NEW, "--margin", "0"], "`--margin` is 0, must be 0.01 to 100"),
        ([OLD, NEW, "--margin", "x"], "`x` is not a number"),
        ([OLD, NEW, "-n", "0"], "`--games` is 0"),
        ([OLD, NEW, "--policy", "nobody"], "nobody"),
    ],
)
def test_misuse(capsys: Captured, arguments: list[str], message: str) -> None:
    assert run(*arguments) == 2

    assert message in capsys.readouterr().err


def test_illegal_decks_are_shown_and_do_not_play(capsys: Captured) -> None:
    broken = str(ROOT / "examples" / "broken" / "gwent" / "too-few-units.deck")

    assert run(OLD, broken) == 1
    captured = capsys.readouterr()
    assert "too-few-units" in captured.out
    assert "No game was played" in captured.err


def test_illegal_decks_may_be_let_play(capsys: Captured) -> None:
    broken = str(ROOT / "examples" / "broken" / "gwent" / "too-many-copies.deck")

    assert run(OLD, broken, "-n", "20", "--allow-illegal") == 0
    assert "is illegal in gwent/standard" in capsys.readouterr().out


def test_of_several_versions_the_best_need_not_be_clear(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "-n", "20") == 0

    answer = " ".join(capsys.readouterr().out.split("\n\n")[0].split())
    assert "did best, but it is not clear whether it is better than `" in answer
