"""What is said of scenarios that are wrong, and where."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers.findings import WRONG, Marked, marked_in

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
    "no_yaml": (
        HEAD + "moves:\n  - {player: A, pass: true\n",
        Marked(4, 1, "a `,` or `}` is missing"),
    ),
    "no_mapping": (
        "- gwent\n",
        Marked(1, 1, "a scenario is a mapping with `format` and `players`"),
    ),
    "no_format": (
        "turn: A\n",
        Marked(1, 1, "`format` is missing", "Write `format: gwent/standard`"),
    ),
    "empty_document": (
        f"{HEAD}title: a\n---\n# none\n---\n{HEAD}title: b\n",
        Marked(
            *(5, 1, "a document of the file is empty"),
            "Remove its `---`, or write the scenario",
        ),
    ),
    "no_title_among_several": (
        f"{HEAD}title: a\n---\n{HEAD}turn: A\n",
        Marked(
            *(4, 1, "`title` is missing, which each of several scenarios needs"),
            "Write `title: the_medic_finds_nobody`, say",
        ),
    ),
    "title_given_twice": (
        f"{HEAD}title: a\n---\n{HEAD}title: a\n",
        Marked(
            *(5, 8, "the scenario of line 2 has the same title"),
            "Give each one of its own",
        ),
    ),
    "title_that_begins_with_a_space": (
        f"{HEAD}title: ' a'\n",
        Marked(2, 8, "` a` is not a title: words on one line"),
    ),
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


def entries_of(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 2, done.stderr
    entries: list[dict[str, Any]] = json.loads(done.stdout)["scenarios"]
    assert not any(entry["ok"] or entry["failures"] for entry in entries)
    return entries


@cache
def faults() -> dict[str, list[Marked]]:
    """What the command says of each scenario, all of them in one run."""
    entries = entries_of(play("tests/wrong/scenarios", "--output-format", "json"))
    assert len(entries) == len(FAULTS)
    return {
        f"{Path(entry['file']).stem}: {entry['title']}": [
            Marked(**fault) for fault in entry["faults"]
        ]
        for entry in entries
    }


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_scenario_is_reported_where_it_is_wrong(name: str) -> None:
    assert faults()[name] == [FAULTS[name]]


def test_a_wrong_file_is_reported_where_it_is_wrong(tmp_path: Path) -> None:
    for name, (text, _) in FILES.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    entries = entries_of(play(".", "--output-format", "json", folder=tmp_path))

    assert {
        Path(entry["file"]).stem: [Marked(**fault) for fault in entry["faults"]]
        for entry in entries
    } == {name: [marked] for name, (_, marked) in FILES.items()}


def test_all_faults_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = HEAD + "players: {A: {hand: [Ballsta], gems: 7}}\nturn: C9x\n"
    (tmp_path / "three.yaml").write_text(text, encoding="utf-8")
    done = play("three.yaml", folder=tmp_path)

    assert done.returncode == 2
    assert done.stdout == "1 scenario: 1 could not be played\n"
    assert done.stderr.splitlines() == [
        "error: three.yaml:2:22: unknown card `Ballsta`",
        "help: Did you mean `Ballista`?",
        "error: three.yaml:2:38: `7` is too large, the maximum is 5",
        "error: three.yaml:3:7: `C9x` is not a player: "
        "`A` to `F`, in teams `A1` to `F9`",
    ]


def test_a_wrong_card_on_the_board_is_quoted_as_it_stands(tmp_path: Path) -> None:
    cards = ("3 fire ice", "3 fire ice burning", "ice 2 fire")
    for card in cards:
        board = f'board: ["{card}", "", "", "", "", "", "", "", ""]\n'
        text = f"rule: deckmaster 8.6\nformat: deckmaster/standard\n{board}"
        (tmp_path / f"{card}.yaml").write_text(text)
    done = play(".", folder=tmp_path)

    assert done.returncode == 2
    for card in cards:
        assert f"{card}.yaml:3:9: `{card}` has `" in done.stderr
