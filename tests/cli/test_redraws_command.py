"""`deckcheck impact --redraws` and `--hand` as they are typed."""

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
HAND = "2 Ballista, 2 Catapult, Scorch, Clear Weather, Roach, Thaler, Decoy, Trebuchet"
FAST = ["--against", SWARM, SHIPS, "--policy", "sane_random", "-n", "16", "-q"]


def run(*arguments: str) -> int:
    return main(["impact", SIEGE, *FAST, *arguments])


@pytest.mark.parametrize("words", [["--redraws"], ["--hand", HAND]])
def test_json_fits_its_schema(words: list[str], capsys: Captured) -> None:
    assert run(*words, "--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("redraws"))
    assert len(document["cards"]) == (8 if "--hand" in words else 22)
    assert len(document["hand"]) == (10 if "--hand" in words else 0)


def test_the_answer_comes_first(capsys: Captured) -> None:
    assert run("--redraws") == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(("Send back `", "The first games showed of no card"))
    assert (
        "Siege masters: each card of the dealt hand, kept or sent back first" in lines
    )


def test_csv_and_a_page(tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "hand.html"
    outputs = ["--output-format", "csv", "--output-format", f"html:{page}"]
    assert run("--hand", HAND, *outputs) == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    metrics = {row["metric"] for row in rows}
    assert {"sent_back", "win_rate_kept", "win_rate_sent", "gain_sent"} <= metrics
    assert "this hand, with a card sent back first" in page.read_text("utf-8")


def test_kept_or_not_the_result_is_the_same(tmp_path: Path, capsys: Captured) -> None:
    words = ["--redraws", "--output-format", "json"]
    folder = str(tmp_path / "run")
    run(*words)
    plain = json.loads(capsys.readouterr().out)
    run(*words, "--run", folder)
    kept = capsys.readouterr().out
    assert main(["resume", folder, "-q", "--output-format", "json"]) == 0

    assert capsys.readouterr().out == kept
    untimed = {"seconds": None, "jobs": None, "games_per_second": None}
    assert json.loads(kept) == {**plain, **untimed}
    assert main(["report", folder]) == 0
    assert "kept or sent back first" in capsys.readouterr().out


def test_a_hand_that_cannot_be_dealt(capsys: Captured) -> None:
    assert run("--hand", "Roach, Thaler") == 2

    said = capsys.readouterr().err
    assert "error: `--hand` has 2 cards, `Siege masters` is dealt 10" in said
    assert "help: Name the whole hand, before redraws" in said
