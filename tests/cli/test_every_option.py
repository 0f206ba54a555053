"""Every command alone, and with each of its options: one sentence, no traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli.application import load_command
from deckcheck.cli.commands import COMMANDS

Captured = pytest.CaptureFixture[str]

BARE = {
    "validate": (2, "error: No decks given\nhelp: Name files or folders"),
    "simulate": (2, "error: No decks given\nhelp: Name two decks or more"),
    "compare": (2, "error: No decks given\nhelp: Name the old version and the new"),
    "impact": (2, "error: No deck given\nhelp: Name the deck whose cards"),
    "expect": (2, "error: Missing argument `PLAN`\n"),
    "tune": (2, "error: No deck given\nhelp: Name the deck to tune"),
    "build": (2, "error: No format given\nhelp: Name one, such as"),
    "solve": (2, "error: No format given\nhelp: Name one, such as"),
    "balance": (2, "error: Missing argument `PLAN`\n"),
    "replay": (2, "error: No decks given\nhelp: Name two decks or more"),
    "resume": (2, "error: Missing argument `FOLDER`\n"),
    "merge": (2, "error: Missing argument `FOLDER...`\n"),
    "report": (2, "error: Missing argument `FOLDER...`\n"),
    "meta": (2, "error: Missing argument `RUN`\n"),
    "scenario": (2, "error: No scenarios given\nhelp: Name files or folders"),
    "cards": (0, ""),
    "formats": (0, ""),
    "event": (2, "error: Missing argument `FILE`\nhelp: See `deckcheck event --help`"),
    "collect": (2, "error: Missing argument `INBOX`\nMissing argument `EVENT`\nhelp: "),
    "stats": (2, "error: No decks given\nhelp: Name files or folders"),
    "rule": (0, ""),
    "convert": (2, "error: Missing argument `DECK`\n"),
    "generate": (2, "error: Missing argument `FORMAT`\n"),
    "fmt": (2, "error: No decks given\nhelp: Name files or folders"),
    "schema": (2, "error: Missing argument `KIND`\n"),
}
"""How a command ends that is given nothing; `warmup` has tests of its own."""

ARGUMENTS = {
    "validate": ["a.deck"],
    # Nothing is played here: other tests do.
    "simulate": ["a.deck", "a.deck", "--games", "0"],
    "compare": ["a.deck", "a.deck", "--against", "a.deck"],
    "impact": ["a.deck", "--against", "a.deck"],
    "expect": ["gone.toml"],
    "tune": ["a.deck", "--against", "a.deck", "--games", "1"],
    "build": ["gwent/standard", "--against", "a.deck", "--games", "1"],
    "solve": ["gwent/standard", "--games", "1"],
    "balance": ["gone.toml"],
    "replay": ["a.deck", "a.deck", "--games", "0"],
    "resume": ["gone"],
    "merge": ["gone"],
    "report": ["gone"],
    "meta": ["gone"],
    "scenario": ["gone.yaml"],
    "event": ["event.toml"],
    "collect": ["gone", "event.toml"],
    "convert": ["a.deck", "--to", "text"],
    "generate": ["gwent/standard"],
    "stats": ["a.deck"],
    "fmt": ["a.deck"],
    "schema": ["cards"],
    "warmup": ["gwent/standrad"],
}
NASTY = ("", "x\ny\x1b[2J", "-5", "9" * 20)

OPTIONS = [
    (command.name, max(setting.opts, key=len), setting.is_flag)
    for command in COMMANDS
    for setting in load_command(command.name).settings
    if setting.is_option and setting.name != "watch"
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder two below the temporary one, with a deck and an event."""
    folder = tmp_path / "sub"
    (folder / "lists").mkdir(parents=True)
    deck = "Format: gwent/standard\nLeader: Foltest, The Siegemaster\n\n3 Ballista\n"
    (folder / "a.deck").write_text(deck)
    (folder / "event.toml").write_text(
        'name = "Cup"\ndate = "2026-01-01"\nformat = "gwent/standard"\n'
        'lists = "lists"\nplayers = ["a"]\n'
    )
    monkeypatch.chdir(folder)
    return folder


def test_bare_commands_are_all_here() -> None:
    assert {*BARE, "warmup"} == {command.name for command in COMMANDS}


@pytest.mark.parametrize("command", BARE)
def test_a_bare_command(capsys: Captured, command: str) -> None:
    code, error = BARE[command]

    assert main([command]) == code
    assert capsys.readouterr().err.startswith(error)


@pytest.mark.parametrize(("command", "option", "is_flag"), OPTIONS)
def test_each_option_alone(
    capsys: Captured, command: str, option: str, is_flag: bool
) -> None:
    base = [command, *ARGUMENTS.get(command, ())]
    values: list[list[str]] = [[]] if is_flag else [[value] for value in NASTY]
    for value in values:
        code = main([*base, option, *value])
        error = capsys.readouterr().err

        assert code in (0, 1, 2), (value, error)
        assert "\x1b[2J" not in error
        assert "x\ny" not in error
        if code == 2:
            assert error.startswith("error: "), value
            assert error.endswith("\n"), value
    assert not any(name.endswith(".part") for name in os.listdir())


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("cards --game ''", "Unknown game ``"),
        ("convert a.deck --to text --game ''", "Unknown game ``"),
        ("fmt a.deck --game gwnt", "Unknown game `gwnt`"),
        ("convert a.deck --to text --card-db lists", "There is no game in `lists`"),
        ("cards --card-db lists", "There is no game in `lists`"),
        ("validate a.deck --card-db gone", "Card database folder `gone` does not"),
        ("validate a.deck --as-of soon", "`soon` is not a date"),
        ("generate gwent/standard --count 1.5", "Invalid value for `--count` / `-n`"),
        ("simulate a.deck a.deck --games many", "Invalid value for `--games` / `-n`"),
        ("schema nonsense", "Unknown schema `nonsense`"),
    ],
)
def test_a_wrong_value_ends_in_one_sentence(
    capsys: Captured, arguments: str, error: str
) -> None:
    assert main([word.strip("'") for word in arguments.split()]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"error: {error}")
    assert all(line.startswith("help: ") for line in lines[1:])
