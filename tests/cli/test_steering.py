"""Words of decks, files and paths never steer the terminal of who reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

# What steers: escape sequences, C1 controls, marks of writing direction, line ends.
EVIL = "x\x1b[2Jy\x9b1mz\u202ew\u2028v\u2066u\u200ft"
STEERING = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
DECK = f"""\
Name: {EVIL}
Format: gwent/standard
Leader: {EVIL}
{EVIL}: {EVIL}
3 {EVIL}
3 {EVIL} x2
0 Ballista {EVIL}
"""
FILE = "a\x1b[2J\nb\u202ec.deck"

FORMAT = r"""
extends: gwent/standard
title: "x\e[2Jy\u202ez"
ban_cards: ["x\e[2Jy\u202ez"]
"x\e[2Jy\u202ez": 1
"""

EVENT = r"""
name = "x\u001b[2Jy\u202ez"
date = "x\u001b[2Jy\u202ez"
format = "gwent/standard"
lists = "lists"
players = ["Anna\u001b[2J\u202e", "Ben"]
"""

SCENARIO = r"""
rule: gwent 1.2.4
format: gwent/standard
turn: A
players:
  A: {faction: monsters, hand: ["x\e[2Jy\u202ez"]}
  B: {faction: skellige, hand: [olaf]}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / FILE).write_text(DECK, encoding="utf-8")
    (tmp_path / "league.yaml").write_text(FORMAT, encoding="utf-8")
    (tmp_path / "event.toml").write_text(EVENT, encoding="utf-8")
    (tmp_path / "position.yaml").write_text(SCENARIO, encoding="utf-8")
    titled = FORMAT.partition("ban_cards")[0] + "ban_cards: [Scorch]\n"
    (tmp_path / "le\x1bague.yaml").write_text(titled, encoding="utf-8")
    return tmp_path


OUTPUTS = ("full", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit")


@pytest.mark.parametrize(
    "arguments",
    [
        *(["validate", "lists", "--output-format", each] for each in OUTPUTS),
        ["validate", "lists", "--output-format", "markdown"],
        ["validate", "lists", "--output-format", "rdjson"],
        ["validate", "lists", "-v"],
        ["validate", "lists", "--show-files"],
        ["validate", "lists", "--format", "./league.yaml"],
        ["validate", FILE],
        ["validate", EVIL, "--format", EVIL],
        ["validate", "lists", "--output-format", EVIL],
        ["validate", "lists", f"--{EVIL}"],
        ["convert", f"lists/{FILE}", "--to", "json"],
        ["fmt", "lists"],
        ["event", "event.toml"],
        ["event", "event.toml", "--output-format", "html"],
        ["formats", "list", "--for", f"lists/{FILE}"],
        ["formats", "--for", f"lists/{FILE}", "--output-format", "json"],
        ["formats", "show", "./league.yaml"],
        ["formats", "show", "./le\x1bague.yaml"],
        ["formats", "show", "./le\x1bague.yaml", "--output-format", "json"],
        ["formats", "diff", "gwent/standard", "./le\x1bague.yaml"],
        ["generate", EVIL],
        ["generate", "gwent/standard", "--output", f"{EVIL}\n"],
        ["scenario", "position.yaml"],
        ["scenario", "position.yaml", "--output-format", "json"],
        ["simulate", "lists", "lists"],
        ["cards", "show", EVIL],
        ["rule", EVIL],
        [EVIL],
    ],
    ids=lambda arguments: ascii(" ".join(arguments))[:70],
)
def test_nothing_steers_the_terminal(arguments: list[str], capsys: Captured) -> None:
    main(arguments)

    captured = capsys.readouterr()
    assert captured.out or captured.err
    assert STEERING.findall(captured.out) == []
    assert STEERING.findall(captured.err) == []


def test_a_file_name_with_a_line_end_stays_on_its_line(capsys: Captured) -> None:
    assert main(["validate", "lists", "--output-format", "concise"]) == 1

    lines = capsys.readouterr().out.splitlines()
    shown = r"lists/a\x1b[2J\nb\u202ec.deck:"
    assert lines[:-1] == [line for line in lines if line.startswith(shown)]


def test_what_is_escaped_is_visible(capsys: Captured) -> None:
    assert main(["rule", "x\x1b[2J"]) == 2

    assert capsys.readouterr().err.startswith(r"error: Unknown finding `x\x1b[2J`")
