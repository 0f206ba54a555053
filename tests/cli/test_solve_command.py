"""`deckcheck solve` as it is typed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema
from tidy_frames import assert_tidy

import deckcheck
from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SWARM = str(STANDARD / "mo_swarm.deck")
FAST = ["--games", "2000", "--rounds", "1", "--policy", "sane_random", "-j", "1"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_output_of_a_run_and_again(capsys: Captured) -> None:
    outputs = ["json:a.json", "csv:a.csv", "table"]
    asked = [word for each in outputs for word in ("--output-format", each)]
    more = ["--faction", "Monsters", "--against", SWARM, "--decks", "a.txt"]
    assert main(["solve", "gwent/standard", "--run", "run", *FAST, *more, *asked]) == 0

    text = capsys.readouterr().out
    assert text.startswith("Always bring `Monsters, ")
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("solve"))
    assert document["factions"] == ["monsters"]
    assert not document["solved"]
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    assert (rows[0]["deck"], rows[0]["metric"]) == (
        document["field"][0]["name"],
        "share",
    )
    assert (rows[-1]["opponent"], rows[-1]["metric"]) == ("The swarm", "win_rate")
    assert deckcheck.validate("a.txt").legal
    again = [word.replace(":a", ":b") for word in asked]
    again += ["--output-format", "decks:b.txt"]
    assert main(["resume", "run", "-j", "1", *again]) == 0
    assert capsys.readouterr().out == text
    assert main(["report", "run", "--output-format", "json:c.json"]) == 0
    assert Path("c.json").read_bytes() == Path("a.json").read_bytes()
    assert "<h1>" in deckcheck.report_of("run")
    for name in ("json", "csv", "txt"):
        assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()


def test_decks_to_begin_with(capsys: Captured) -> None:
    own = ["--start", SWARM, "--output-format", "json"]
    assert main(["solve", "gwent/standard", *FAST, *own]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["rounds"][0]["decks"] == 1
    assert document["against"] is None
    found = deckcheck.solve(
        "gwent/standard", start=SWARM, games=2000, rounds=1, policy="sane_random"
    )
    assert found.checksum == document["checksum"]
    frame = assert_tidy(found, "share")
    assert frame.loc[frame["metric"] == "share", "deck"].tolist() == [
        each["name"] for each in document["field"]
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "No format given"),
        (["gwent/standrad"], "nknown format `gwent/standrad`"),
        (["gwent/standard", "--faction", "Elves"], "No decks of the faction `Elves`"),
        (
            ["gwent/standard", "--policy", "random", "--policy", "random"],
            "Several policies given",
        ),
        (["gwent/solo"], "no two meet there"),
    ],
)
def test_what_is_wrong(capsys: Captured, arguments: list[str], message: str) -> None:
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
