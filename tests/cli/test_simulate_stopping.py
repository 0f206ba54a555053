"""`deckcheck simulate` with rules that stop it, a games table, and a crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from closed_schema import closed_schema

from deckcheck.cli import main
from deckcheck.engine.registry import CrashedGame
from deckcheck.playing.table import Table

Captured = pytest.CaptureFixture[str]

DECKS = Path(__file__).parents[2] / "decks" / "deckmaster" / "standard"
DECK = str(sorted(DECKS.glob("*.deck"))[0])
SWARM, SIEGE = (
    str(DECKS.parents[1] / "gwent" / "standard" / f"{name}.deck")
    for name in ("mo_swarm", "nr_siege_masters")
)
FAST = ("--policy", "random", "--jobs", "1", "--seed", "3")


def test_stops_at_a_width_and_says_so(capsys: Captured) -> None:
    args = ["simulate", DECK, "--games", "4000", "--until-width", "30%", *FAST]

    assert main(args) == 0
    out = capsys.readouterr().out
    assert "stops      once all intervals are at most 30 points wide" in out
    assert "intervals  hold at every look" in out


def test_a_run_that_was_stopped_is_one_of_so_many_games(capsys: Captured) -> None:
    """Games that were played before a look are not played again after it."""

    def played(games: int, *rule: str) -> dict[str, Any]:
        args = ["simulate", DECK, "--games", str(games), *rule, *FAST]
        assert main([*args, "--output-format", "json"]) == 0
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    stopped = played(4_000, "--until-width", "20%")
    games = stopped["games_played"]
    whole = played(games)

    assert 100 < games < 4_000
    assert stopped["complete"]
    assert games == 2 * stopped["stopping"]["tables"][0]["sets"]
    assert stopped["checksum"] == whole["checksum"]


def test_the_document_has_the_decisions(capsys: Captured) -> None:
    args = ["simulate", DECK, "--games", "4000", "--sprt", "0,400", *FAST]

    assert main([*args, "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, closed_schema("simulate"))
    stopping = found["stopping"]
    assert stopping["reached"]
    [table] = stopping["tables"]
    assert table["decision"] == "+0 Elo accepted"
    assert table["log_likelihood_ratio"] < -2.9
    assert 2 * table["sets"] == found["games_played"] < 4_000


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_resuming_comes_to_the_same_decision(
    capsys: Captured, tmp_path: Path, jobs: str
) -> None:
    """Blocks are lost in the middle, as if a run was stopped there."""
    args = [DECK, "--games", "4000", "--until-width", "20%", *FAST]
    assert main(["simulate", *args, "--run", str(tmp_path / "run")]) == 0
    whole = capsys.readouterr().out
    blocks = tmp_path / "run" / "blocks.jsonl"
    lines = blocks.read_text().splitlines(keepends=True)
    blocks.write_text("".join([*lines[:2], *lines[4:5]]))

    assert main(["resume", str(tmp_path / "run"), "--jobs", jobs]) == 0
    assert capsys.readouterr().out == whole


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--until-width", "0.5"], "`--until-width` is `0.5`, must be a percentage"),
        (["--until-width", "0%"], "`--until-width` must be more than 0 %"),
        (["--sprt", "5"], "`--sprt` is `5`, must be two numbers"),
        (["--sprt", "5,0"], "`--sprt` cannot test this: 5.0 is not less than 0.0"),
        (["--sprt", "0,5", "--alpha", "1"], "alpha and beta must lie between"),
        (["--sprt", "0,5", "--adaptive"], "cannot be used together"),
        (["--adaptive"], "`--adaptive` ranks three decks or more"),
        (["--until-width", "1%", "--run", "r", "--shard", "1/2"], "a shard has some"),
        (["--games-table", "games.txt"], "written as CSV or Parquet"),
    ],
)
def test_what_makes_no_sense_is_misuse(
    capsys: Captured, options: list[str], message: str
) -> None:
    assert main(["simulate", SWARM, SIEGE, *FAST, *options]) == 2
    assert message in capsys.readouterr().err


def test_writes_a_row_for_each_game(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    args = ["simulate", DECK, "--games", "20", "-qq", "--games-table", str(file)]

    assert main([*args, *FAST]) == 0
    assert len(file.read_text().splitlines()) == 21


def test_a_crash_gives_the_command_that_replays_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise CrashedGame("a game crashed")

    monkeypatch.setattr(Table, "play", crash)
    args = ["simulate", DECK, "--games", "20", *FAST]

    assert main(args) == 3
    err = capsys.readouterr().err
    assert f"help: `deckcheck replay {DECK} --games 20 --seed 3 --policy random" in err
    assert "--pairing 'player 1 (random), " in err
    assert "--game 1` tells it" in err
