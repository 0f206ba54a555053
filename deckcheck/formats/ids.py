"""Names of formats: ids, snapshots, dates, and files of a user's own."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from deckcheck.cards.root import Root, card_db_folders
from deckcheck.findings.files import relative_path
from deckcheck.findings.words import choice, nearest, quote

SUFFIXES = (".yaml", ".yml")


def format_ids(root: Root = None) -> list[str]:
    """The ids of all formats of all games, as `gwent/standard`, in order."""
    return [*format_files(root)]


def format_files(root: Root = None) -> dict[str, Path]:
    """The files of all formats of all games, resolved, by the ids of the formats."""
    files = {
        f"{file.parent.parent.name}/{file.stem}": file
        for folder in card_db_folders(root)
        for file in folder.resolve().glob("*/formats/*.yaml")
    }
    return dict(sorted(files.items()))


def formats_like(id: str, ids: Iterable[str]) -> list[str]:
    """The known formats that a misspelt id may mean; none where nothing is near.

    Both its game and its name have to be near; a name alone may be of any game.
    """
    names: dict[str, list[str]] = defaultdict(list)
    for format_id in ids:
        game, _, name = format_id.partition("/")
        names[game].append(name)
    game, slash, name = id.lower().rpartition("/")
    games = [game] if game in names else nearest(game, names)
    if not slash:
        games = [
            format_name for format_name in names if name in names[format_name]
        ] or list(names)
    near_names = ((game, nearest(name, names[game])) for game in games)
    return [f"{game}/{near[0]}" for game, near in near_names if near]


def instead_of(id: str, ids: Sequence[str]) -> str:
    """The help for an unknown format: those near it, else all of them.

    Of a game that is known, all are those of that game.
    """
    near = formats_like(id, ids)
    if near:
        return f"Did you mean {choice(near)}?"
    game = id.lower().partition("/")[0]
    own = [format_id for format_id in ids if format_id.startswith(f"{game}/")]
    which = f"Formats of {quote(game)}" if own else "Formats"
    return f"{which} are {choice(own or ids)}"


def file_like(id: str) -> str | None:
    """The help for a format file named without its suffix; None if it is none.

    It is a path, or there is such a file.
    """
    near = [id + suffix for suffix in SUFFIXES if os.path.isfile(id + suffix)]
    if near:
        return f"Did you mean the file {choice(near)}?"
    is_path = id.startswith((".", "/", "~")) or os.path.isfile(id)
    return f"A file with a format ends in {choice(SUFFIXES)}" if is_path else None


def is_file_name(format: str) -> bool:
    """Whether the text names a format file and not one of the known formats."""
    return format.lower().endswith(SUFFIXES)


def own_id(file: Path) -> str:
    """What a format of the user's own is called: its path, with forward slashes."""
    path = relative_path(file)
    return Path(file if path.startswith("..") else path).as_posix()


def split_id(id: str) -> tuple[str, str | None]:
    """The format and the snapshot of `gwent/advanced@2025-10`; None if it has none."""
    name, at, snapshot = id.rpartition("@")
    return (name, snapshot) if at else (id, None)
