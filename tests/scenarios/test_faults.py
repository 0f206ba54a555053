"""What is said of scenarios that are wrong, and where."""

import json
import pkgutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml
from helpers.findings import WRONG, Marked, marked_in

from deckcheck import scenarios
from deckcheck.engine.registry import GAMES
from deckcheck.findings import Position, Span, UsageError
from deckcheck.scenarios import ScenarioError, ScenarioFault
from deckcheck.scenarios.contract import load_adapter

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((WRONG / "scenarios").glob("*.yaml"))
FAULTS = {
    f"{file.stem}: {wrong.text.splitlines()[0].removeprefix('title: ')}": (
        wrong.fault._replace(line=wrong.start - 1 + wrong.fault.line)
    )
    for file in SCENARIOS
    for wrong in marked_in(f"scenarios/{file.name}")
}
"""By file and title, what is said of each scenario of these files."""

HEAD = "format: gwent/standard\n"
FILES = {
    each["name"]: (each["text"], Marked(**each["fault"]))
    for each in yaml.safe_load((WRONG / "scenario_files.yaml").read_text("utf-8"))
}
"""Files that have no scenario to mark."""


def play(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, where nothing is compiled."""
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@cache
def faults() -> dict[str, list[Marked]]:
    """What the command says of each scenario, all of them in one run."""
    done = play("tests/wrong/scenarios", "--output-format", "json")
    assert done.returncode == 2, done.stderr
    entries = json.loads(done.stdout)["scenarios"]
    assert len(entries) == len(FAULTS)
    assert not any(entry["ok"] or entry["failures"] for entry in entries)
    return {
        f"{Path(entry['file']).stem}: {entry['title']}": [
            Marked(**fault) for fault in entry["faults"]
        ]
        for entry in entries
    }


def test_every_game_of_the_engine_can_be_said_in_words() -> None:
    """An adapter is found by the name of its game."""
    files = {module.name for module in pkgutil.iter_modules(scenarios.__path__)}
    assert files >= {*GAMES}
    with pytest.raises(UsageError, match="the engine does not play `chess`"):
        load_adapter("chess")


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_scenario_is_reported_where_it_is_wrong(name: str) -> None:
    assert faults()[name] == [FAULTS[name]]


THREE = f"{HEAD}players: {{A: {{hand: [Ballsta], gems: 7}}}}\nturn: C9x\n"
THREE_SAID = """\
error: three.yaml:2:22: unknown card `Ballsta`
help: Did you mean `Ballista`?
error: three.yaml:2:38: `7` is too large, the maximum is 5
error: three.yaml:3:7: `C9x` is not a player: `A` to `F`, in teams `A1` to `F9`
"""
CARDS = ("3 fire ice", "3 fire ice burning", "ice 2 fire")
BOARD = """\
rule: deckmaster 8.6
format: deckmaster/standard
board: ["CARD", "", "", "", "", "", "", "", ""]
"""


def test_a_wrong_file_is_reported_where_it_is_wrong(tmp_path: Path) -> None:
    """With all of its faults at once, and a wrong card quoted as it stands."""
    texts = {name: text for name, (text, _) in FILES.items()} | {"three": THREE}
    texts |= {card: BOARD.replace("CARD", card) for card in CARDS}
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    outputs = ("--output-format", "text", "--output-format", "json:out.json")
    done = play(".", *outputs, folder=tmp_path)
    assert done.returncode == 2
    entries = json.loads((tmp_path / "out.json").read_text())["scenarios"]
    said: dict[str, list[Marked]] = {}
    for entry in entries:
        name = Path(entry["file"]).stem
        said.setdefault(name, []).extend(Marked(**each) for each in entry["faults"])

    number = len(entries)
    assert done.stdout == f"{number} scenarios: {number} could not be played\n"
    assert {name: said[name] for name in FILES} == {
        name: [marked] for name, (_, marked) in FILES.items()
    }
    assert THREE_SAID in done.stderr
    for card in CARDS:
        assert f"{card}.yaml:3:9: `{card}` has `" in done.stderr


def test_an_error_says_each_fault_in_a_line_and_each_remedy_once() -> None:
    place = Span(Position(2, 1), Position(2, 4))
    faults = [ScenarioFault("a.yaml", place, said, "Drop it") for said in ("x", "y")]
    error = ScenarioError(faults)

    assert str(error) == "a.yaml:2:1: x\na.yaml:2:1: y. Drop it"
    assert (error.help, error.faults) == ("Drop it", tuple(faults))
