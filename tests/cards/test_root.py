"""Where card databases are found, and what is said when they are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import (
    DatabaseError,
    card_db_folders,
    card_db_root,
    game_ids,
    load_database,
)
from deckcheck.findings import UsageError
from deckcheck.formats import format_ids, load_format

Tiny = Callable[..., Path]


def test_own_database_is_found() -> None:
    assert "gwent" in game_ids()


def test_folder_given_wins(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny()
    monkeypatch.setenv("DECKCHECK_CARD_DB", "/nowhere")

    assert card_db_folders(root) == (root,)


def test_variable_is_heeded(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CARD_DB", str(tiny()))

    assert game_ids() == ["tiny"]
    assert load_database("tiny").game.name == "Tiny"


def test_each_game_comes_from_the_folder_that_holds_it(tiny: Tiny) -> None:
    root = tiny()
    both = [Path("built-in"), root]

    assert set(game_ids(both)) == {"tiny", *game_ids()}
    assert load_database("tiny", both) is load_database("tiny", root)
    assert load_database("gwent", both) is load_database("gwent")
    assert "gwent/standard" in format_ids(both)
    assert load_format("gwent/standard", both) == load_format("gwent/standard")


def test_a_game_in_two_folders(tiny: Tiny, tmp_path: Path) -> None:
    first = tiny()
    other = tmp_path / "other"
    (other / "tiny" / "formats").mkdir(parents=True)

    with pytest.raises(DatabaseError) as caught:
        load_database("tiny", (first, other))

    message = f"the game `tiny` is in two folders, `{first}` and `{other}`"
    assert caught.value.message == message
    assert caught.value.help == "Leave one of them out"


def test_a_folder_given_twice_counts_once(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tiny()
    monkeypatch.chdir(root.parent)

    folders = card_db_folders([root, Path(root.name), Path("built-in")])

    assert folders == (root, card_db_root())


def test_the_variable_has_several_folders(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKCHECK_CARD_DB", f"{tiny()}; built-in;")

    assert {"gwent", "tiny"} < set(game_ids())


def test_no_format_of_any_folder(tiny: Tiny, tmp_path: Path) -> None:
    root = tiny()
    empty = tmp_path / "empty"
    empty.mkdir()

    with pytest.raises(UsageError) as caught:
        load_format("tiny/a", [root, empty])

    assert caught.value.help == f"There is none in `{root}` and `{empty}`"


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        card_db_folders(tmp_path / "none")


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
