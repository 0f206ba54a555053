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


class TestLineups:
    """In a format of matches a lineup is chosen."""

    LINEUPS = STANDARD.parent / "tournament"
    START = ("--start", str(LINEUPS))
    FAST = ("--games", "3000", "--policy", "random", "-j", "1")

    def test_every_output_of_a_run_and_again(self, capsys: Captured) -> None:
        outputs = ["json:a.json", "csv:a.csv", "html:a.html", "table"]
        asked = [word for each in outputs for word in ("--output-format", each)]
        field = sorted(map(str, self.LINEUPS.iterdir()))[:2]
        more = ["--confirm", "sane_random", "--confirm-games", "60", "--run", "run"]
        more += ["--decks", "a.txt", "--against", *field]
        command = ["solve", "gwent/tournament", *self.START, *self.FAST, *more, *asked]
        assert main(command) == 0

        text = capsys.readouterr().out
        assert text.startswith("Bring `")
        assert "15 legal ones of 9 decks" in text
        document = json.loads(Path("a.json").read_text())
        jsonschema.validate(document, closed_schema("solve-lineups"))
        assert document["field"] == ["crowns and claws", "daggers and mead"]
        assert len(document["openings"]) == len(document["opponents"]) == 2
        rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
        best = ", ".join(document["lineups"][0]["decks"])
        assert [(row["deck"], row["metric"]) for row in rows[:3]] == [
            (best, "match_win_rate_promised"),
            (best, "match_win_rate"),
            (best, "match_win_rate_confirmed"),
        ]
        assert (rows[-1]["deck"], rows[-1]["opponent"]) == (best, "daggers and mead")
        assert "<h1>" in Path("a.html").read_text()
        assert deckcheck.validate("a.txt").legal
        again = [word.replace(":a", ":b") for word in asked]
        again += ["--output-format", "decks:b.txt"]
        assert main(["resume", "run", "-j", "1", *again]) == 0
        assert capsys.readouterr().out == text
        for name in ("json", "csv", "txt"):
            assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()

    def test_python_comes_to_the_same(self, capsys: Captured) -> None:
        command = ["solve", "gwent/tournament", *self.START, *self.FAST]
        assert main([*command, "--output-format", "json"]) == 0

        document = json.loads(capsys.readouterr().out)
        jsonschema.validate(document, closed_schema("solve-lineups"))
        assert document["field"] == document["openings"] == []
        found = deckcheck.solve(
            "gwent/tournament", start=self.LINEUPS, games=3000, policy="random"
        )
        assert isinstance(found, deckcheck.LineupsResult)
        assert found.checksum == document["checksum"]
        frame = assert_tidy(found, "match_win_rate_promised")
        shares = [each["share"] for each in document["lineups"] if each["share"]]
        assert frame.loc[frame["metric"] == "share", "value"].tolist() == shares

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            ([], 2, "No decks to choose from"),
            (["--against", str(LINEUPS)], 2, "No decks to choose from"),
            ([*START, "--against", "reference"], 2, "has no reference field"),
            ([*START, "--against", SWARM], 1, "at most 130 allowed"),
            (["--start", SWARM], 1, "at most 130 allowed"),
            ([*START, "--bound", "2"], 2, "`--bound` does not apply to"),
            ([*START, "--rounds", "2"], 2, "`--rounds` does not apply to"),
            ([*START, "--faction", "monsters"], 2, "`--faction` does not apply to"),
        ],
    )
    def test_what_is_wrong(
        self, capsys: Captured, arguments: list[str], code: int, message: str
    ) -> None:
        assert main(["solve", "gwent/tournament", *arguments]) == code
        output = capsys.readouterr()
        assert message in output.err + output.out
