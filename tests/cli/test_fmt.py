"""`deckcheck fmt`: what it writes, what it leaves, exit codes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
NEAT = "Format: gwent/standard\n\nUnits:\n2 Ballista\nThaler\n"
ROUGH = "Format: gwent/standard\nthaler\n2x ballista\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "neat.deck").write_text(NEAT, encoding="utf-8")
    (tmp_path / "rough.deck").write_text(ROUGH, encoding="utf-8")
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    return tmp_path


def test_a_folder(folder: Path, capsys: Captured) -> None:
    assert main(["fmt", "."]) == 0
    assert (folder / "rough.deck").read_text(encoding="utf-8") == NEAT
    assert capsys.readouterr().err == "2 files, 1 changed\n"

    assert main(["fmt", ".", "--check"]) == 0
    assert capsys.readouterr().err == "2 files, 0 would change\n"


def test_check_writes_nothing(folder: Path, capsys: Captured) -> None:
    assert main(["fmt", "--check", "."]) == 1
    assert capsys.readouterr().out == "would change rough.deck\n"
    assert (folder / "rough.deck").read_text(encoding="utf-8") == ROUGH


def test_diff_shows_and_writes_nothing(folder: Path, capsys: Captured) -> None:
    assert main(["fmt", "--diff", "."]) == 1
    out = capsys.readouterr().out
    assert "-2x ballista\n" in out
    assert "+2 Ballista\n" in out
    assert (folder / "rough.deck").read_text(encoding="utf-8") == ROUGH


def test_line_ends_are_part_of_the_form(folder: Path) -> None:
    (folder / "neat.deck").write_bytes(NEAT.replace("\n", "\r\n").encode())

    assert main(["fmt", "neat.deck"]) == 0
    assert (folder / "neat.deck").read_bytes() == NEAT.encode()


def test_line_ends_alone_have_no_lines_to_show(folder: Path, capsys: Captured) -> None:
    (folder / "neat.deck").write_bytes(NEAT.replace("\n", "\r\n").encode())

    assert main(["fmt", "--diff", "neat.deck"]) == 1
    out, notes = capsys.readouterr()
    assert out == ""
    assert "note: neat.deck: only line endings change\n" in notes


def test_a_file_without_any_deck_leaves_the_others(
    folder: Path, capsys: Captured
) -> None:
    (folder / "a.deck").write_bytes(b"\x89PNG\r\n\x1a\n")

    assert main(["fmt", "."]) == 1
    assert "3 files, 1 changed, 1 cannot be read" in capsys.readouterr().err


def test_a_leader_tells_the_game(folder: Path) -> None:
    deck = folder / "rough.deck"
    deck.write_text("leader: foltest, the siegemaster\n", encoding="utf-8")

    assert main(["fmt", "rough.deck"]) == 0
    assert deck.read_text(encoding="utf-8") == "Leader: Foltest, The Siegemaster\n"


def test_a_path_does_not_steer_the_terminal(folder: Path, capsys: Captured) -> None:
    (folder / "a\x1bb.deck").write_text(ROUGH, encoding="utf-8")

    assert main(["fmt", "--check", "."]) == 1
    assert "would change a\\x1bb.deck\n" in capsys.readouterr().out


def test_a_deck_of_no_game_is_named(folder: Path, capsys: Captured) -> None:
    (folder / "rough.deck").write_text("Name: Nothing yet\n", encoding="utf-8")

    assert main(["fmt", "rough.deck"]) == 2
    assert "`rough.deck` does not say which game it is for" in capsys.readouterr().err


def test_a_broken_deck_is_left_as_it_is(folder: Path, capsys: Captured) -> None:
    text = "Format: gwent/standard\n2 ballsta\nthaler\n"
    (folder / "rough.deck").write_text(text, encoding="utf-8")

    assert main(["fmt", "."]) == 1
    assert (folder / "rough.deck").read_text(encoding="utf-8") == text
    errors = capsys.readouterr().err
    assert "rough.deck:2:3: error[DC101] unknown-card" in errors
    assert "2 files, 0 changed, 1 cannot be read" in errors


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ROUGH.encode())))

    assert main(["fmt", "-"]) == 0
    assert capsys.readouterr().out == NEAT


@pytest.mark.parametrize("args", [[], ["none.deck"], ["other.json"]])
def test_misuse(folder: Path, args: list[str]) -> None:
    assert main(["fmt", *args]) == 2
