"""`deckcheck simulate` with lineups: matches, ways to choose, and misuse."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent"
KIN = str(DECKS / "tournament" / "kin_of_the_coast.deck")
CROWNS = str(DECKS / "tournament" / "crowns_and_claws.deck")
SIEGE = str(DECKS / "standard" / "nr_siege_masters.deck")
FAST = ("--policy", "random", "--games", "10", "--jobs", "1")


def test_two_lineups_play_matches(capsys: Captured) -> None:
    assert main(["simulate", KIN, CROWNS, *FAST, "--select", "fixed"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("kin of the coast against crowns and claws\n")
    assert "selection  fixed\n" in out


def test_a_lineup_may_meet_itself(capsys: Captured) -> None:
    ways = ("--select", "fixed", "--select", "random")
    assert main(["simulate", KIN, KIN, *FAST, *ways]) == 0

    out = capsys.readouterr().out
    assert out.startswith("kin of the coast (1) against kin of the coast (2)\n")
    assert "selection  fixed, random\n" in out


def test_odd_numbers_of_matches_are_rounded_up(capsys: Captured) -> None:
    args = ["simulate", KIN, CROWNS, *FAST, "--games", "5", "--select", "random"]
    assert main([*args, "--output-format", "csv"]) == 0

    captured = capsys.readouterr()
    assert "5 games are rounded up to 6, in mirrored pairs" in captured.err
    rows = list(csv.DictReader(io.StringIO(captured.out)))
    matches = [row["n"] for row in rows if row["metric"] == "match_win_rate"]
    assert matches == ["6"] * 2


def test_each_lineup_may_have_its_player(capsys: Captured) -> None:
    args = ["simulate", KIN, CROWNS, "--games", "4", "--select", "fixed", "--jobs", "1"]
    players = ("--policy", "random", "--policy", "sane_random")
    assert main([*args, *players, "--output-format", "json"]) == 0

    policies = json.loads(capsys.readouterr().out)["policies"]
    assert list(policies.values()) == ["random"] * 3 + ["sane_random"] * 3


def test_an_illegal_lineup_does_not_play(capsys: Captured) -> None:
    broken = str(
        DECKS.parents[1] / "examples/broken/gwent/lineup-with-a-shared-hero.deck"
    )

    assert main(["simulate", broken, CROWNS, *FAST]) == 1
    assert "shared-card" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ([KIN], "Found 1 lineup, needs at least 2"),
        ([KIN, CROWNS, "--select", "best"], "Unknown selection `best`"),
        (
            [
                KIN,
                CROWNS,
                "--select",
                "fixed",
                "--select",
                "fixed",
                "--select",
                "fixed",
            ],
            "Found 3 selections for 2 lineups",
        ),
        ([KIN, CROWNS, "--matchups", "nowhere.json"], "Cannot read `nowhere.json`"),
        (
            [SIEGE, SIEGE, "--select", "fixed"],
            "`--select` does not apply to",
        ),
    ],
)
def test_misuse(capsys: Captured, args: list[str], error: str) -> None:
    assert main(["simulate", *args, *FAST]) == 2
    assert error in capsys.readouterr().err


def test_known_chances_are_for_tournaments(capsys: Captured, tmp_path: Path) -> None:
    known = str(tmp_path / "known.json")
    duel = ["simulate", SIEGE, SIEGE, *FAST]
    assert main([*duel, "--output-format", "json", "-o", known]) == 0

    assert main([*duel, "--matchups", known]) == 2
    assert "`--matchups` does not apply to" in capsys.readouterr().err
