"""`deckcheck tune` as it is typed."""

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

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
STANDARD = DECKS / "standard"
SIEGE, SWARM, SHIPS = (
    str(STANDARD / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random"]
FEW = [*FAST, "-n", "4000", "-j", "1"]


def run(*arguments: str) -> int:
    return main(["tune", SIEGE, *FEW, *arguments])


def refused(capsys: Captured, *arguments: str) -> str:
    assert main(["tune", *arguments]) == 2
    return capsys.readouterr().err


def test_json_fits_its_schema(capsys: Captured) -> None:
    assert run("--output-format", "json", "--confirm", "random") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("tune"))
    changed = [each["copies"] for each in document["swaps"]]
    assert 0 < sum(n for n in changed if n > 0) <= 4
    assert -4 <= sum(n for n in changed if n < 0) < 0
    assert document["proof"]["field"]["difference"]["difference"] > 0
    assert document["confirmed"]["policy"] == "random"
    assert document["base"] == "Siege masters"
    assert document["deck"] == "Siege masters, tuned"
    assert document["search"]["games"] + 800 <= document["games_played"]
    assert document["confirmed"]["field"]["win_rate"]["games"] == 40
    assert all(step["gain"] and step["confirmed_gain"] for step in document["steps"])


def test_csv_has_a_row_for_each_opponent_and_the_field(capsys: Captured) -> None:
    assert run("--output-format", "csv") == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    differences = [row for row in rows if row["metric"] == "difference"]
    assert [row["opponent"] for row in differences] == [
        "(all)",
        "The swarm",
        "Longships of Skellige",
    ]


def test_the_answer_comes_first_and_the_deck_is_legal(
    capsys: Captured, tmp_path: Path
) -> None:
    deck = tmp_path / "tuned.deck"
    assert run("--deck", str(deck), "--keep", "Decoy", "--changes", "3") == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("`Siege masters, tuned` wins ")
    assert "Siege masters: what to change, in this order" in lines
    assert "policies  sane_random 1" in lines
    text = deck.read_text(encoding="utf-8")
    assert text.startswith("Name: Siege masters, tuned\nFormat: gwent/standard\n")
    assert "3 Decoy" in text
    assert "Leader: Foltest, The Siegemaster" in text
    assert main(["validate", str(deck)]) == 0


def test_a_kept_run_gives_the_same_bytes(capsys: Captured, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    json_ = ["--output-format", "json", "-q"]
    assert run(*json_, "--run", folder) == 0
    kept = capsys.readouterr().out
    assert main(["resume", folder, *json_]) == 0
    assert capsys.readouterr().out == kept

    # Lose the second half of the games, and play it again.
    blocks = tmp_path / "run" / "blocks.jsonl"
    lines = blocks.read_bytes().splitlines(keepends=True)
    blocks.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert main(["resume", folder, *json_]) == 0
    assert capsys.readouterr().out == kept


def test_what_is_missing_or_wrong(capsys: Captured) -> None:
    assert "600 games are too few" in refused(capsys, SIEGE, *FAST, "-n", "600")
    said = refused(capsys, SIEGE, *FEW, "--keep", "Decoi")
    assert "Unknown card or leader `Decoi`\nhelp: Did you mean `Decoy`?" in said
    said = refused(capsys, SIEGE, *FEW, "--keep", "Nekker")
    assert "`Nekker` is not in `Siege masters`" in said
    said = refused(capsys, SIEGE, *FEW, "--changes", "0")
    assert "changes" in said
    said = refused(capsys, SIEGE, *FEW, "--confirm-games", "5")
    assert "`--confirm-games` goes with `--confirm` only" in said
    assert "Found 15 decks, expected one" in refused(capsys, str(STANDARD), *FEW)


def test_a_format_in_which_no_decks_meet_is_refused(capsys: Captured) -> None:
    solo = str(next((DECKS / "solo_built").glob("*.deck")))
    said = refused(capsys, solo, "--against", solo, "-n", "4000")

    assert "Decks cannot be measured in `gwent/solo_built`" in said


def test_a_lineup_is_not_tuned_as_a_whole(capsys: Captured) -> None:
    lineups = DECKS / "tournament"
    lineup = str(lineups / "kin_of_the_coast.deck")
    said = refused(capsys, lineup, "--against", str(lineups), "-n", "4000")

    assert "Lineups play matches in `gwent/tournament`" in said
    assert "`--format`: `gwent/advanced` or `gwent/standard`" in said
