"""`--card-db`, given several times, in a variable, and in a configuration."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deckcheck.cards import card_db_root
from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

FOLDERS = ["--card-db", "mine", "--card-db", "built-in"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a database of one game, `tiny`."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(card_db_root() / "gwen_t", "mine/tiny")
    file = Path("mine/tiny/game.yaml")
    file.write_text(file.read_text().replace("id: gwen_t", "id: tiny"))
    deck = card_db_root().parent / "decks/gwen_t/pool/rocket_park.deck"
    Path("a.deck").write_text(deck.read_text().replace("gwen_t/", "tiny/"))
    shutil.copy(card_db_root().parent / "decks/gwent/standard/mo_swarm.deck", "b.deck")
    return tmp_path


def formats(capsys: Captured, *args: str) -> set[str]:
    """The games that have formats."""
    assert main(["formats", *args]) == 0
    lines = capsys.readouterr().out.splitlines()
    return {line.partition("/")[0] for line in lines if "/" in line}


def test_games_of_several_folders(capsys: Captured) -> None:
    assert main(["validate", "a.deck", "b.deck", *FOLDERS]) == 0
    assert "2 decks checked, 2 legal" in capsys.readouterr().out

    assert main(["validate", "b.deck", "--card-db", "mine"]) == 1
    assert "Unknown format `gwent/standard`" in capsys.readouterr().out


def test_an_own_format_of_a_game_in_the_second_folder(capsys: Captured) -> None:
    Path("own.yaml").write_text(
        "extends: tiny/pool\ntitle: Mine\nconstraints:\n  cards: {min: 24, max: 24}\n"
    )
    folders = ["--card-db", "built-in", "--card-db", "mine"]

    assert main(["validate", "a.deck", "-f", "own.yaml", *folders]) == 1
    out = capsys.readouterr().out
    assert "25 cards, at most 24 allowed" in out
    assert "tiny" in formats(capsys, *folders)


def test_a_game_in_two_folders(capsys: Captured, folder: Path) -> None:
    shutil.copytree("mine/tiny", "other/tiny")

    assert main(["formats", "--card-db", "mine", "--card-db", "other"]) == 2
    assert capsys.readouterr().err == (
        "error: The game `tiny` is in two folders, `mine` and `other`\n"
        "help: Leave one of them out\n"
    )


def test_the_variable(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CARD_DB", "mine; built-in")

    assert formats(capsys) > {"tiny", "gwent"}
    assert formats(capsys, "--card-db", "mine") == {"tiny"}


def test_a_configuration_starts_from_its_folder(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("deckcheck.toml").write_text('card-db = ["mine", "built-in"]\n')
    Path("below").mkdir()
    monkeypatch.chdir("below")

    assert formats(capsys) > {"tiny", "gwent"}
    assert formats(capsys, "--card-db", "built-in") == formats(capsys, "--isolated")
