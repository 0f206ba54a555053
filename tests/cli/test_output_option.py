"""`--output` and `--color`, which are the same in every command that has them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli.application import load_command
from deckcheck.cli.commands import COMMANDS

Captured = pytest.CaptureFixture[str]

ROOT = Path(__file__).resolve().parents[2]
POSITION = ROOT / "tests" / "scenarios" / "gwent" / "1.5" / "four_bonds.yaml"
DECK = """\
Format: gwent/standard
Leader: Foltest, The Siegemaster

ballista
ballista
"""
EVENT = """\
name = "Cup"
date = "2026-01-01"
format = "gwent/standard"
lists = "lists"
players = ["a"]
"""

PRINTING = [
    "validate a.deck",
    "validate a.deck --statistics",
    "validate a.deck --show-files",
    "validate a.deck --diff",
    "scenario position.yaml",
    "cards show kambi",
    "cards --output-format json",
    "formats",
    "formats show gwent/standard",
    "formats diff gwent/standard gwent/advanced",
    "formats --for a.deck",
    "event event.toml",
    "rule",
    "rule DL103",
    "convert a.deck --to text",
    "generate gwent/standard",
    "fmt a.deck --diff",
    "fmt a.deck --check",
    "schema cards",
]
SEQUENCE = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "a.deck").write_text(DECK)
    (tmp_path / "lists").mkdir()
    (tmp_path / "event.toml").write_text(EVENT)
    (tmp_path / "position.yaml").write_bytes(POSITION.read_bytes())
    return tmp_path


def run(command: str, *more: str) -> int:
    """Run a command; scenarios in a process of their own, where nothing is compiled."""
    arguments = [*command.split(), *more]
    if arguments[0] != "scenario":
        return main(arguments)
    python = [sys.executable, "-m", "deckcheck"]
    done = subprocess.run(
        [*python, *arguments], capture_output=True, text=True, check=False
    )
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


@pytest.mark.parametrize("command", PRINTING)
def test_a_file_gets_what_would_be_printed(capsys: Captured, command: str) -> None:
    code = run(command)
    printed = capsys.readouterr().out
    assert printed

    assert run(command, "-o", "new.txt") == code
    assert capsys.readouterr().out == ""
    assert Path("new.txt").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("command", PRINTING)
def test_a_file_that_cannot_be_written_is_misuse(
    capsys: Captured, command: str
) -> None:
    before = sorted(os.listdir())

    assert run(command, "--output", "a.deck/new.txt") == 2
    assert "annot write `a.deck" in capsys.readouterr().err
    assert sorted(os.listdir()) == before


def test_fmt_leaves_the_deck_and_writes_the_file() -> None:
    assert run("fmt a.deck -o new.deck") == 0

    assert Path("a.deck").read_text() == DECK
    assert Path("new.deck").read_text().endswith("Units:\n2 Ballista\n")


def test_fmt_writes_one_deck_to_a_file(capsys: Captured) -> None:
    Path("b.deck").write_text(DECK)

    assert run("fmt a.deck b.deck -o new.deck") == 2
    assert capsys.readouterr().err == (
        "error: `--output` takes one deck, found 2 files\n"
        "help: Leave it out to rewrite the files themselves\n"
    )


def test_a_broken_deck_leaves_no_file() -> None:
    Path("a.deck").write_text("Format: gwent/standard\n3 Xyzzy\n")

    assert run("fmt a.deck -o new.deck") == 1
    assert not Path("new.deck").exists()


def test_a_scenario_comes_from_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", "-"],
        input=POSITION.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.stdout.endswith(b"1 scenario: ok\n")

    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", "-", "-q"],
        input=b"format: gwent/standrad\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: <stdin>:1:9: unknown format")


def test_scenarios_have_several_outputs(capsys: Captured) -> None:
    args = ["--output-format", "text", "--output-format", "json:out.json"]

    assert run("scenario position.yaml", *args) == 0
    assert capsys.readouterr().out.endswith("1 scenario: ok\n")
    assert list(json.loads(Path("out.json").read_text()))[-1] == "scenarios"


PAINTED = [
    "validate a.deck",
    "validate a.deck --diff",
    "cards show kambi",
    "cards list",
    "formats",
    "formats show gwent/standard",
    "formats diff gwent/standard gwent/advanced",
    "event event.toml",
    "rule DL103",
    "fmt a.deck --diff",
]


@pytest.mark.parametrize("command", PAINTED)
def test_colours(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    run(command)
    plain = capsys.readouterr().out
    assert not SEQUENCE.search(plain)

    run(command, "--color", "always")
    painted = capsys.readouterr().out
    assert SEQUENCE.search(painted)
    assert SEQUENCE.sub("", painted) == plain

    monkeypatch.setenv("FORCE_COLOR", "1")
    run(command)
    assert capsys.readouterr().out == painted
    run(command, "--color", "never")
    assert capsys.readouterr().out == plain
    run(command, "-o", "new.txt")
    assert Path("new.txt").read_text(encoding="utf-8") == plain


@pytest.mark.parametrize("command", ["convert a.deck --to json", "fmt a.deck"])
def test_findings_on_standard_error_have_colours(
    capsys: Captured, command: str
) -> None:
    Path("a.deck").write_text("Format: gwent/standard\n3 Xyzzy\n")

    assert run(command, "--color", "always") == 1
    assert "\x1b[1;31merror[DC101]\x1b[0m unknown-card" in capsys.readouterr().err


def test_options_of_one_meaning_have_one_name() -> None:
    """Every option of a name is of one kind and has the same letter everywhere."""
    letters: dict[str, set[tuple[str, ...]]] = {}
    for command in COMMANDS:
        for setting in load_command(command.name).settings:
            if setting.is_option:
                name = max(setting.opts, key=len)
                letters.setdefault(name, set()).add(tuple(sorted(setting.opts)))

    assert all(len(forms) == 1 for forms in letters.values()), letters
    assert "--out" not in letters
    assert letters["--output"] == {("--output", "-o")}


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_takes_color(command: str) -> None:
    options = {opt for each in load_command(command).settings for opt in each.opts}

    assert "--color" in options


def test_a_command_that_paints_nothing_takes_color(capsys: Captured) -> None:
    for command in ("generate gwent/standard", "schema cards"):
        assert run(command) == 0
        plain = capsys.readouterr().out
        assert run(command, "--color", "always") == 0
        assert capsys.readouterr().out == plain
