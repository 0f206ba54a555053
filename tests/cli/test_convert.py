"""`deckcheck convert`: inputs, outputs, exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

DECK = """\
Name: Test
Format: gwent/standard
Faction: Northern Realms
Leader: Foltest, The Siegemaster

Units:
2 Ballista
Thaler
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.deck").write_text(DECK, encoding="utf-8")
    return tmp_path / "a.deck"


def test_there_and_back(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "-o", "a.csv"]) == 0
    assert main(["convert", "a.csv", "--to", "yaml", "-o", "a.txt"]) == 0
    assert main(["convert", "a.txt", "--from", "yaml", "--to", "text"]) == 0

    assert capsys.readouterr().out == DECK


def test_a_share_code_is_an_argument(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "--to", "code"]) == 0
    code, note = capsys.readouterr()
    assert note == "note: code cannot hold `Name`\n"

    assert main(["convert", code.strip(), "--to", "text"]) == 0
    assert capsys.readouterr().out == DECK.split("\n", 1)[1]


def test_what_cannot_be_read_is_a_finding(deck: Path, capsys: Captured) -> None:
    deck.write_text("2 Ballsta\n", encoding="utf-8")

    assert main(["convert", "a.deck", "--to", "json", "-o", "b.json"]) == 1
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.splitlines() == [
        "a.deck:1:3: error[DC101] unknown-card: Unknown card `Ballsta`",
        "help: Did you mean `Ballista`?",
    ]
    assert not deck.with_name("b.json").exists()


def test_what_nobody_can_read_needs_no_game(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "--to", "code"]) == 0
    code = capsys.readouterr().out.strip()

    assert main(["convert", code[:-1], "--to", "text"]) == 1
    assert "error[DP201] malformed-document: Share code" in capsys.readouterr().err

    deck.write_text(f"{code[:-1]}\n{code}\n", encoding="utf-8")
    assert main(["convert", "a.deck", "--to", "text"]) == 1
    assert capsys.readouterr().err.startswith("a.deck:1:")

    deck.write_bytes(b"")
    assert main(["convert", "a.deck", "--to", "code"]) == 1
    assert "error[DP108] empty-deck" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["a.deck"], "Nothing says how to write the deck"),
        (["a.deck", "--to", "pdf"], "`pdf`"),
        (["b.deck", "--to", "json"], "`b.deck` does not exist"),
        ([".", "--to", "json"], "`.` is a folder"),
        (["a.deck", "-o", "no/b.json"], "Cannot write `no/b.json`"),
        (["a.deck", "--to", "json", "--game", "chess"], "nknown game `chess`"),
    ],
)
def test_misuse(deck: Path, capsys: Captured, args: list[str], error: str) -> None:
    assert main(["convert", *args]) == 2
    assert error in capsys.readouterr().err
