"""The commands of plans, and what they expect."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import check_columns, check_document, other_types

import deckcheck
from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.sim.run_files import write_document
from deckcheck.sim.warmup import warm_format

# `simulate --plan`: several experiments from one file.

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
NAMES = ("mo_swarm", "nr_siege_masters", "sk_longships")
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


@pytest.fixture(scope="module")
def edge() -> str:
    """A bound of which the games of `EXPECT_PLAN` show no side."""
    decks = [STANDARD / f"{name}.deck" for name in NAMES]
    result = deckcheck.simulate(decks, games=200, policies="random")
    rate = result.matchup("The swarm", "Longships of Skellige").win_rate_a
    return f"{rate:.3f}"


@pytest.fixture(autouse=True)
def folder(edge: str, here: Path) -> Path:
    """Three decks, a plan whose last expectation stays open, another one below."""
    for name in NAMES:
        shutil.copy(STANDARD / f"{name}.deck", here)
    write(EXPECT_PLAN.replace("EDGE", edge))
    Path("weekly", "field").mkdir(parents=True)
    for file in STANDARD.glob("mo_*.deck"):
        shutil.copy(file, "weekly/field")
    shutil.copy(STANDARD / "nr_siege_masters.deck", "weekly/siege.deck")
    Path("weekly", "plan.toml").write_text(PLAN)
    return here


def played(capsys: Captured, *words: str) -> str:
    assert main([*words, "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
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
        check_document("simulate", each["result"])


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


def test_a_damaged_list_of_runs_is_written_again(capsys: Captured) -> None:
    words = ["simulate", "--plan", "weekly/plan.toml", "--run", "run"]
    expected = played(capsys, *words)
    file = Path("run", "plan.json")
    file.write_text(file.read_text().replace("siege", "seige"))

    for command in (["resume", "run"], ["report", "run"], words):
        said, help = stderr_of(capsys, *command).splitlines()
        assert said == "error: `run/plan.json` is damaged: its CRC is wrong"
        assert help.startswith("help: Delete it, and the command that began these")
    # Its names are those of folders in it.
    for names in ([".."], ["a/b"], [""], [3], ["a", ".."], [], "ab", None):
        write_document(file, {"experiments": names})
        said = stderr_of(capsys, "resume", "run")
        assert "`experiments` are no names of folders" in said, names
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
    assert main(["resume", "run", "--repair"]) == 0
    out, err = capsys.readouterr()
    assert out == expected
    for name in ("field", "siege"):
        assert f"note: 1 damaged line of `run/{name}` dropped, whose games" in err
    assert main(["resume", "run", "--repair", "-q"]) == 0
    assert capsys.readouterr() == (expected, "")


# `deckcheck expect`: a plan with expectations, as it is typed.

EXPECT_PLAN = """\
[defaults]
games = 200
policies = ["random"]

[experiments.field]
decks = ["*.deck"]
expect = [
  "win_rate(siege masters, mo_swarm) < 90%",
  'win_rate(*) < 0.95',
  "win_rate(Siege masters) > 0.99",
  "win_rate(mo_swarm, sk_longships) < EDGE",
]

[experiments.silent]
decks = ["*.deck"]
"""


def write(text: str) -> None:
    Path("plan.toml").write_text(text)


DECIDING = """\
[experiments.field]
decks = ["*.deck"]
policies = ["random"]
games = 20000
until_decided = true
confidence = 0.99
expect = ["win_rate(siege masters, mo_swarm) < 95%", "win_rate(mo_swarm) > 5%"]
"""


def test_kept_in_a_folder_it_is_not_played_again(capsys: Captured) -> None:
    write(DECIDING)
    kept = ["expect", "plan.toml", "-q", "--run", "run", "--output-format", "json"]
    first = stdout_of(capsys, *kept)
    blocks = Path("run", "field", "blocks.jsonl").read_bytes()
    assert stdout_of(capsys, *kept, "--jobs", "1") == first
    assert Path("run", "field", "blocks.jsonl").read_bytes() == blocks
    assert stderr_of(capsys, "resume", "run", "-q", code=0) == ""
    assert main(["resume", "run", "--progress", "none"]) == 0
    command = "`deckcheck expect plan.toml --run run`"
    note = f"note: {command} checks the expectations of the plan\n"
    assert capsys.readouterr().err.endswith(note)
    assert stderr_of(capsys, "report", "run", code=0) == note
    capsys.readouterr()
    write(DECIDING.replace("0.99", "0.9"))
    assert main(["expect", "plan.toml", "--run", "run"]) == 2
    assert "holds another run" in capsys.readouterr().err


def test_in_python(folder: Path, capsys: Captured) -> None:
    words = ("expect", "plan.toml", "-q", "--output-format", "json")
    printed = json.loads(stdout_of(capsys, *words, code=1))
    found = deckcheck.expect("plan.toml", run="kept")
    document = found.to_dict()

    assert document["expectations"] == printed["expectations"]
    assert document["summary"] == printed["summary"]
    assert other_types(document) == set()
    assert found.outcomes["fails"] == 1
    names = [finding.name for finding in found.validation.findings]
    assert names == ["failed-expectation", "open-expectation"]
    again = deckcheck.expect(folder / "plan.toml", run="kept")
    assert again.experiments == found.experiments
    words = ("simulate", "--plan", "plan.toml", "-q", "--output-format", "json")
    result = json.loads(stdout_of(capsys, *words))["experiments"][0]["result"]
    assert result["checksum"] == printed["experiments"][0]["result"]["checksum"]
    write(EXPECT_PLAN.replace("EDGE", "2"))
    with pytest.raises(deckcheck.UsageError, match=r"plan.toml:11:\d+: A bound lies"):
        deckcheck.expect("plan.toml")
    Path("bad.deck").write_text("Format: gwent/standard\n3 Ballista\n")
    write(EXPECT_PLAN)
    with pytest.raises(deckcheck.IllegalDeckError):
        deckcheck.expect("plan.toml")


CHANGE = f"""\
[defaults]
games = 40
policies = ["random"]

[experiments.now]
decks = ["*.deck"]

[experiments.new]
before = "now"
format = "{STANDARD.parents[2] / "examples" / "what_if" / "what_if.yaml"}"
decks = ["*.deck"]
expect = [
  "-0.9 < change(Siege masters) < 90 points",
  "change(mo_swarm, sk_longships) > 80%",
  "win_rate(*) < 99%",
]
"""


def test_a_change_is_expected() -> None:
    """It is that of the means. Without a Catapult nothing can have changed."""
    write(CHANGE)
    found = deckcheck.expect("plan.toml")
    document: Any = found.to_dict()
    holds, fails, _ = document["expectations"]
    [experiment] = document["experiments"]

    check_document("expect", document)
    assert document["summary"] == {"holds": 2, "fails": 1, "open": 0}
    compared = deckcheck.compare_formats(
        *(f"{name}.deck" for name in NAMES),
        new_format=experiment["result"]["format"],
        games=40,
        policies="random",
    )
    [change] = [c for c in compared.decks if c.deck == "Siege masters"]
    assert holds["rates"][0]["change"] == pytest.approx(change.by.value, abs=1e-6)
    assert fails["rates"][0]["change"] == 0
    assert fails["rates"][0]["change_interval"] == [0, 0]
    check_columns(found.to_frame())
