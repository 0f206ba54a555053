"""Where card databases are found."""

from __future__ import annotations

import os
from pathlib import Path

from deckcheck.cards.errors import DatabaseError
from deckcheck.findings.files import folder_fault
from deckcheck.findings.words import printable

__all__ = ["card_db_root", "game_ids", "shown_path", "some_game_ids"]

VARIABLE = "DECKCHECK_CARD_DB"


def card_db_root(root: Path | None = None) -> Path:
    """The folder with one sub-folder per game.

    `root` wins, then the variable DECKCHECK_CARD_DB, then what comes with deckcheck:
    inside the installed package, or beside it in a source checkout. Raises
    DatabaseError if the folder does not exist.
    """
    if root is None and os.environ.get(VARIABLE):
        root = Path(os.environ[VARIABLE])
    if root is not None:
        fault = folder_fault(root)
        if fault is not None:
            name = printable(str(root))
            raise DatabaseError(f"card database folder `{name}` {fault}")
        return root
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "card_db", package.parent / "card_db"):
        if folder.is_dir():
            return folder
    raise DatabaseError("the card database of deckcheck is missing", "Reinstall it")


def game_ids(root: Path | None = None) -> list[str]:
    """The ids of all games, in alphabetical order."""
    return sorted(file.parent.name for file in card_db_root(root).glob("*/game.yaml"))


def some_game_ids(root: Path | None = None) -> list[str]:
    """The ids of all games; raises DatabaseError if there are none."""
    ids = game_ids(root)
    if not ids:
        folder = printable(str(card_db_root(root)))
        help = "A card database has a folder with a `game.yaml` for each game"
        raise DatabaseError(f"there is no game in `{folder}`", help)
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
