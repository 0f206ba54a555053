"""Locations of card databases."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from deckcheck.cards.errors import DatabaseError
from deckcheck.cards.names import closest
from deckcheck.findings.files import folder_fault
from deckcheck.findings.words import choice, printable, quote

Root: TypeAlias = Path | Sequence[Path] | None
"""Folders of card databases, each with a folder per game; without any the built-in one.

The path `built-in` stands for that.
"""

BUILT_IN = "built-in"
VARIABLE = "DECKCHECK_CARD_DB"


def card_db_root() -> Path:
    """The folder of the card database that comes with deckcheck.

    It lies inside the installed package, or next to it in a source checkout.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "card_db", package.parent / "card_db"):
        if folder.is_dir():
            return folder
    raise DatabaseError("the card database of deckcheck is missing", "Reinstall it")


def card_db_folders(root: Root = None) -> tuple[Path, ...]:
    """The folders of card databases, each once; every game is in one of them only.

    `root` wins, then the variable DECKCHECK_CARD_DB, then what comes with deckcheck.
    Raises DatabaseError for a folder that does not exist, and for a game that is in two
    of them.
    """
    given = [root] if isinstance(root, Path) else [*(root or _from_environment())]
    folders = [_existing(path) for path in given] or [card_db_root()]
    once = {folder.resolve(): folder for folder in reversed(folders)}
    folders = [*reversed(once.values())]
    if len(folders) > 1:
        _check_apart(folders)
    return tuple(folders)


def _from_environment() -> list[Path]:
    words = (word.strip() for word in os.environ.get(VARIABLE, "").split(";"))
    return [Path(word) for word in words if word]


def _existing(path: Path) -> Path:
    if str(path) == BUILT_IN:
        return card_db_root()
    fault = folder_fault(path)
    if fault is not None:
        raise DatabaseError(f"card database folder `{printable(str(path))}` {fault}")
    return path


def _check_apart(folders: Sequence[Path]) -> None:
    """Refuse a game that is in two folders: nothing says which of them counts.

    Formats without the file of their game are a part of it too.
    """
    seen: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if not ((path / "game.yaml").exists() or (path / "formats").exists()):
                continue
            if path.name in seen:
                names = shown_folders([seen[path.name], folder])
                message = f"the game {quote(path.name)} is in two folders, {names}"
                raise DatabaseError(message, "Leave one of them out")
            seen[path.name] = folder


def folder_of(game: str, root: Root = None) -> Path:
    """The folder of card databases that a game is in, resolved.

    Raises DatabaseError for an unknown game, with a suggestion.
    """
    folders = card_db_folders(root)
    for folder in folders:
        if game in _games(folder):
            return folder.resolve()
    games = game_ids(root)
    close = closest(game, games, limit=1)
    names = choice(games) if games else f"none in {shown_folders(folders)}"
    help = f"Did you mean `{close[0]}`?" if close else f"Known games: {names}"
    raise DatabaseError(f"unknown game {quote(game)}", help)


def _games(folder: Path) -> list[str]:
    return [file.parent.name for file in folder.glob("*/game.yaml")]


def shown_folders(folders: Sequence[Path]) -> str:
    """Folders as messages list them."""
    return " and ".join(f"`{printable(str(folder))}`" for folder in folders)


def game_ids(root: Root = None) -> list[str]:
    """The ids of all games, in alphabetical order."""
    return sorted(id for folder in card_db_folders(root) for id in _games(folder))


def some_game_ids(root: Root = None) -> list[str]:
    """The ids of all games; raises DatabaseError if there are none."""
    ids = game_ids(root)
    if not ids:
        help = "A card database has a folder with a `game.yaml` for each game"
        folders = shown_folders(card_db_folders(root))
        raise DatabaseError(f"there is no game in {folders}", help)
    return ids


def shown_path(file: Path, root: Path) -> str:
    """The path of a database file as messages show it.

    Relative to the working directory if it lies below, else with the folder it is in;
    always with forward slashes.
    """
    for base in (Path.cwd(), root.resolve().parent):
        resolved = file.resolve()
        if resolved.is_relative_to(base):
            return resolved.relative_to(base).as_posix()
    return file.as_posix()
