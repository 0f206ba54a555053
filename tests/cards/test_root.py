"""Where card databases are found, and what is said when they are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import DatabaseError, card_db_root, game_ids, load_database

Tiny = Callable[..., Path]


def test_own_database_is_found() -> None:
    assert "gwent" in game_ids()


def test_folder_given_wins(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny()
    monkeypatch.setenv("DECKCHECK_CARD_DB", "/nowhere")

    assert card_db_root(root) == root


def test_variable_is_heeded(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CARD_DB", str(tiny()))

    assert game_ids() == ["tiny"]
    assert load_database("tiny").game.name == "Tiny"


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        card_db_root(tmp_path / "none")


def test_unknown_game() -> None:
    with pytest.raises(DatabaseError) as caught:
        load_database("gwnt")

    assert caught.value.message == "unknown game `gwnt`"
    assert caught.value.help == "Did you mean `gwent`?"


def test_game_ids_are_no_paths(tiny: Tiny) -> None:
    with pytest.raises(DatabaseError, match="unknown game"):
        load_database("../db/tiny", tiny())


def test_paths_are_relative_below_the_working_directory(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tiny(cards="- 3")
    monkeypatch.chdir(root)

    with pytest.raises(DatabaseError, match=r"(?m)^tiny/cards\.yaml:1:3: "):
        load_database("tiny", root)
