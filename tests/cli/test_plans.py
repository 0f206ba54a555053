"""`simulate --plan`: several experiments from one file."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema

import deckcheck
from deckcheck.cli import main
from deckcheck.cli.schema import schema_named
from deckcheck.formats import load_format
from deckcheck.sim.run_files import write_document
from deckcheck.sim.warmup import warm_format

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
PLAN = """\
[fields]
three = ["field"]

[defaults]
games = 20
policies = ["random"]

[experiments.field]
decks = ["three"]

[experiments.siege]
decks = ["siege.deck"]
against = ["three"]
policies = ["random", "sane_random"]
seed = 7
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile before anything is looked at: it would be announced on stderr."""
    warm_format(load_format("gwent/standard"))


@pytest.fixture(autouse=True)
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plan in a folder below the one where we are."""
    folder = tmp_path / "weekly"
    (folder / "field").mkdir(parents=True)
    for file in DECKS.glob("mo_*.deck"):
        shutil.copy(file, folder / "field")
    shutil.copy(DECKS / "nr_siege_masters.deck", folder / "siege.deck")
    (folder / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return folder / "plan.toml"


def played(capsys: Captured, *words: str) -> str:
    code = main([*words, "-q"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def test_each_experiment_is_a_simulation(capsys: Captured) -> None:
    words = ("simulate", "--plan", "weekly/plan.toml", "--output-format", "json")
    document = json.loads(played(capsys, *words))
    field, siege = document["experiments"]
    alone = deckcheck.simulate(
        "weekly/siege.deck",
        against="weekly/field",
        games=20,
        policies=["random", "sane_random"],
        seed=7,
    )

    assert (field["name"], siege["name"]) == ("field", "siege")
    assert len(field["result"]["matchups"]) == len(siege["result"]["matchups"]) == 3
    assert siege["result"]["checksum"] == alone.checksum
    for each in document["experiments"]:
        jsonschema.validate(each["result"], closed_schema("simulate"))


def test_other_outputs_name_the_experiments(capsys: Captured) -> None:
    words = ("simulate", "--plan", "weekly/plan.toml", "--output-format")
    table = played(capsys, *words, "table")
    markdown = played(capsys, *words, "markdown")
    rows = list(csv.DictReader(io.StringIO(played(capsys, *words, "csv"))))

    assert table.startswith("field\n=====\n\nStandings: ")
    assert "\n\nsiege\n=====\n\nStandings: " in table
    assert markdown.startswith("## field\n\n### Standings: ")
    rates = [row for row in rows if row["metric"] == "win_rate"]
    met = [(row["experiment"], row["opponent"]) for row in rates]
    # Every deck over all others, and by each opponent of each of the two.
    assert Counter(name for name, opponent in met if opponent == "(all)") == {
        "field": 3,
        "siege": 1,
    }


def test_a_plan_is_kept_in_shards_and_taken_up_again(capsys: Captured) -> None:
    words = ("simulate", "--plan", "weekly/plan.toml", "--run")
    expected = played(capsys, *words, "whole")
    for number in (1, 2):
        played(capsys, *words, f"s{number}", "--shard", f"{number}/2")
    assert main(["merge", "s2", "s1", "--run", "both"]) == 0
    capsys.readouterr()

    assert played(capsys, "resume", "both") == expected
    assert played(capsys, *words, "whole") == expected
    assert deckcheck.resume("both/siege", games=40).games == 40
    assert main(["resume", "both", "--games", "40"]) == 2
    assert "`deckcheck resume both/field --games 40`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 7", "sed = 7", ":15:1: unknown key `sed`, did you mean `seed`?"),
        ("games = 20", 'games = "20"', ":5:9: expected a whole number, found `20`"),
        ("games = 20", "games = 0", ":5:9: `0` is too small, the minimum is 1"),
        ('decks = ["siege.deck"]', "", ":11:14: experiment `siege` has no `decks`"),
        ('"siege.deck"', '"gone.deck"', ":11:14: `weekly/gone.deck` does not exist"),
        ('"sane_random"]', '"sane"]', ":11:14: unknown policy `sane`"),
        ("seed = 7", 'until_width = "x"', ":11:14: `until_width` is `x`, must be"),
        ("[experiments.siege]", "[experiments.siege", ":11:19: Expected"),
    ],
)
def test_mistakes_are_told_at_their_place(
    capsys: Captured, plan: Path, old: str, new: str, message: str
) -> None:
    plan.write_text(PLAN.replace(old, new))

    assert main(["simulate", "--plan", "weekly/plan.toml"]) == 2
    assert f"weekly/plan.toml{message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.deck"], "Decks belong in the plan"),
        (["--games", "3"], "`--games` belongs in the plan"),
        (["--adaptive"], "`--adaptive` belongs in the plan"),
        (["--against", "x"], "`--against` belongs in the plan"),
    ],
)
def test_what_stands_in_the_plan_is_not_typed(
    capsys: Captured, words: list[str], message: str
) -> None:
    assert main(["simulate", "--plan", "weekly/plan.toml", *words]) == 2
    assert capsys.readouterr().err.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("name", "fault"), [("none.toml", "does not exist"), ("weekly", "is a folder")]
)
def test_what_is_no_plan(capsys: Captured, name: str, fault: str) -> None:
    assert main(["simulate", "--plan", name]) == 2
    assert capsys.readouterr().err.startswith(f"error: Plan `{name}` {fault}")


def test_an_illegal_deck_stops_the_plan(capsys: Captured, plan: Path) -> None:
    deck = plan.parent / "siege.deck"
    deck.write_text(deck.read_text().replace("Ballista", "Scorch"))

    assert main(["simulate", "--plan", "weekly/plan.toml"]) == 1
    assert "Experiment `siege`: `allow_illegal = true`" in capsys.readouterr().err


def test_an_experiment_may_stop_early(capsys: Captured, plan: Path) -> None:
    plan.write_text(PLAN.replace("seed = 7", 'until_width = "30%"\ngames = 4000'))
    words = ("simulate", "--plan", "weekly/plan.toml", "--output-format", "json")
    _, siege = json.loads(played(capsys, *words))["experiments"]

    assert siege["result"]["games"] == 4000
    assert all(each["games"] < 4000 for each in siege["result"]["matchups"])


def test_another_plan_does_not_go_into_the_same_folder(
    capsys: Captured, plan: Path
) -> None:
    words = ["simulate", "--plan", "weekly/plan.toml", "--run", "run", "-q"]
    assert main(words) == 0
    plan.write_text(PLAN.replace("experiments.siege", "experiments.other"))

    assert main(words) == 2
    assert "`run` holds other experiments: field, siege" in capsys.readouterr().err


def test_a_damaged_list_of_runs_is_written_again(capsys: Captured) -> None:
    words = ["simulate", "--plan", "weekly/plan.toml", "--run", "run"]
    expected = played(capsys, *words)
    file = Path("run", "plan.json")
    file.write_text(file.read_text().replace("siege", "seige"))

    for command in (["resume", "run"], ["report", "run"], words):
        assert main(command) == 2
        said, help = capsys.readouterr().err.splitlines()
        assert said == "error: `run/plan.json` is damaged: its CRC is wrong"
        assert help.startswith("help: Delete it, and the command that began these")
    file.unlink()
    blocks = Path("run", "field", "blocks.jsonl").read_bytes()
    assert played(capsys, *words) == expected
    assert Path("run", "field", "blocks.jsonl").read_bytes() == blocks
    assert played(capsys, "resume", "run") == expected


def test_damaged_lines_of_all_runs_are_played_again(capsys: Captured) -> None:
    words = ["simulate", "--plan", "weekly/plan.toml", "--run", "run"]
    expected = played(capsys, *words)
    for name in ("field", "siege"):
        file = Path("run", name, "blocks.jsonl")
        file.write_bytes(b"#" + file.read_bytes())

    assert main(["resume", "run"]) == 2
    assert "run/field/blocks.jsonl:1: this line is" in capsys.readouterr().err
    assert main(["resume", "run", "--mend"]) == 0
    out, err = capsys.readouterr()
    assert out == expected
    for name in ("field", "siege"):
        assert f"note: 1 damaged line of `run/{name}` dropped, whose games" in err
    assert main(["resume", "run", "--mend", "-q"]) == 0
    assert capsys.readouterr() == (expected, "")


@pytest.mark.parametrize("names", [[".."], ["a/b"], [""], [3], [], "ab", None])
def test_a_list_of_runs_names_folders_in_it(names: object, capsys: Captured) -> None:
    Path("run").mkdir()
    write_document(Path("run", "plan.json"), {"experiments": names})

    assert main(["resume", "run"]) == 2
    assert "`experiments` are no names of folders" in capsys.readouterr().err


def test_the_schema_knows_the_plan() -> None:
    schema = schema_named("plan")

    assert set(schema["properties"]) == {"experiments", "fields", "defaults"}
