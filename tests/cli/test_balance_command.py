"""`deckcheck balance` as it is typed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema
from tidy_frames import assert_tidy

from benchmarks.balancing import write_field
from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.sim.run_directory import open_study
from deckcheck.studies.registry import KINDS

Captured = pytest.CaptureFixture[str]
PLAN = 'decks = ["north.deck", "east.deck"]\nformat = "league.yaml"\n'
TARGETS = "[targets]\ndeck = 55\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    plan = write_field(tmp_path, "north", 20, 1)
    text = plan.read_text().replace('"heuristic-1"', '"sane_random"')
    plan.write_text(text.replace(", 'south.deck', 'west.deck'", ""))
    return tmp_path


def test_every_output_of_a_run_and_again(capsys: Captured) -> None:
    outputs = [
        "--output-format=json:a.json",
        "--output-format=csv:a.csv",
        "--output-format=set:a-cards.yaml",
        "--output-format=markdown",
    ]
    assert main(["balance", "plan.toml", "--run", "run", "-j", "1", *outputs]) == 0

    text = capsys.readouterr().out
    assert text.startswith("Change **")
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("balance"))
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    after = [row for row in rows if row["metric"] == "win_rate_after"]
    assert [row["deck"] for row in after] == ["The north", "The east"]
    assert float(after[0]["value"]) == document["targets"][0]["after"]["win_rate"]
    frame = assert_tidy(open_study(Path("run"), KINDS).outcome(), "win_rate_after")
    assert len(frame) == len(rows)
    again = [each.replace(":a", ":b") for each in outputs]
    assert main(["resume", "run", "-j", "1", *again]) == 0
    assert capsys.readouterr().out == text
    assert main(["report", "run", "--output-format", "json:c.json"]) == 0
    assert Path("c.json").read_bytes() == Path("a.json").read_bytes()
    for name in ("csv", "json"):
        assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()
    assert Path("a-cards.yaml").read_bytes() == Path("b-cards.yaml").read_bytes()


def test_the_set_is_one_for_a_format(capsys: Captured) -> None:
    outputs = ["--output-format", "set:new.yaml", "--output-format", "json"]
    assert main(["balance", "plan.toml", "-q", *outputs]) == 0
    found = json.loads(capsys.readouterr().out)["balanced"]
    Path("next.yaml").write_text(
        "title: Next\nextends: ./league.yaml\nsets: [new.yaml]\n"
    )
    fmt = load_format("./next.yaml")
    changed = {c.record.id: c.now for c in fmt.changes if c.set.endswith("new.yaml")}

    assert found
    assert set(changed) == {each["id"] for each in found}
    for each in found:
        for key, value in each["now"].items():
            assert getattr(changed[each["id"]], key) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAN, "No target given"),
        (PLAN + TARGETS + "[bounds]\nstrength = 0\n", "Nothing may be changed"),
        (PLAN + "[targets]\ndeck = 40\n", "`deck` is 0 to 40 %, must lie around 50 %"),
        (PLAN + "[targets]\ndeck = '55'\n", "plan.toml:4:8: expected a percentage"),
        (PLAN + "gams = 3\n" + TARGETS, "plan.toml:3:1: unknown key `gams`"),
        (PLAN + "[targets]\nfaction = 55\n", "No two decks of this field are of"),
        ("decks = []\n" + TARGETS, "plan.toml:1:9: no deck is named"),
        ('decks = ["north.deck"]\nformat = "league.yaml"\n' + TARGETS, "at least 2"),
        (PLAN + 'weights = "gone.csv"\n' + TARGETS, "Cannot read `gone.csv`"),
        (PLAN + 'policy = "heuristc"\n' + TARGETS, "nknown policy `heuristc`"),
    ],
)
def test_what_is_wrong_with_a_plan(capsys: Captured, text: str, message: str) -> None:
    Path("plan.toml").write_text(text)

    assert main(["balance", "plan.toml"]) == 2
    assert message in capsys.readouterr().err


def test_another_player_plays_the_proof_again(capsys: Captured) -> None:
    words = ["balance", "plan.toml", "-q"]
    assert main([*words, "--output-format", "json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    confirm = ["--confirm", "random", "--confirm-games", "30"]
    files = ["--output-format=json:a.json", "--output-format=csv:a.csv"]
    assert main([*words, "--output-format=table", *files, *confirm]) == 0
    found = json.loads(Path("a.json").read_text())

    jsonschema.validate(found, closed_schema("balance"))
    assert found["confirm"] == "random"
    assert found["balanced"] == alone["balanced"]
    assert found["games_played"] == alone["games_played"] + 30
    assert found["answer"].startswith(f"{alone['answer']}. Played by `random 1`: ")
    for seen, usual in zip(found["targets"], alone["targets"], strict=True):
        assert seen["confirmed"]["games"] == 30
        assert seen["confirmed"] != seen["after"] == usual["after"]
        assert (seen["confirmed_verdict"] is None) == (seen["verdict"] is None)
        assert usual["confirmed"] is usual["confirmed_verdict"] is None
    table = capsys.readouterr().out
    assert "Win rate in % after the changes, played by `random`\n" in table
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    [confirmed, _] = [r for r in rows if r["metric"] == "win_rate_confirmed"]
    assert float(confirmed["value"]) == found["targets"][0]["confirmed"]["win_rate"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--confirm", "heuristc"], "nknown policy `heuristc`"),
        (["--confirm-games", "9"], "`--confirm-games` goes with `--confirm` only"),
        (["--confirm", "random", "--confirm-games", "0"], "`--confirm-games` is 0"),
    ],
)
def test_a_player_who_cannot_confirm(
    capsys: Captured, options: list[str], message: str
) -> None:
    assert main(["balance", "plan.toml", *options]) == 2
    assert message in capsys.readouterr().err


def test_an_illegal_deck_stops_it(capsys: Captured) -> None:
    with open("north.deck", "a") as deck:
        deck.write("2 plain_north_a\n")

    assert main(["balance", "plan.toml"]) == 1
    assert "too-many-copies" in capsys.readouterr().err
