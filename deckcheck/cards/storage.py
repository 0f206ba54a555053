"""Where card databases are, and the cache of what was checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from deckcheck.cards.names import closest
from deckcheck.files import (
    folder_fault,
    make_own_folder,
    note_read,
    read_own,
    write_own,
)
from deckcheck.findings import UsageError
from deckcheck.messages import choice, printable, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.documents.readers import SourceDefect


class DatabaseError(UsageError):
    """A card database that is missing or has a defect.

    The message lists all defects of the files read, one on a line, each as
    `path:line:column: what is wrong`.
    """


def list_defects(what: str, defects: Sequence[SourceDefect]) -> str:
    """One message for all defects, in the order of files, lines and columns."""
    ordered = sorted(dict.fromkeys(defects), key=lambda defect: defect[:2])
    count = "1 defect" if len(ordered) == 1 else f"{len(ordered)} defects"
    return "\n".join([f"{what} has {count}", *map(str, ordered)])


# Locations of card databases.

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
    names = choice(games) if games else f"none in {shown_folders(folders)}"
    help = suggestion(closest(game, games, limit=1), f"Known games: {names}")
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


# Records as plain data, which JSON can hold, and records made of it again.
#
# A record is kept under the name of its class, with the values of its fields in order;
# a mapping as its pairs, so that it keeps its order.

_PAIRS = ""
"""What stands for the name of a class where a mapping is kept."""


def plain(value: Any) -> object:
    """A value as JSON can say it: tuples as lists, all else under the name it has."""
    if isinstance(value, tuple):
        return [plain(element) for element in value]
    if isinstance(value, Mapping):
        return {_PAIRS: [[key, plain(element)] for key, element in value.items()]}
    names = getattr(value, "__dataclass_fields__", None)
    if names is None:
        return value
    return {type(value).__name__: [plain(getattr(value, name)) for name in names]}


def rebuilt(data: object, records: Sequence[type]) -> Any:
    """The value that `plain` was given, if its records are of the classes `records`.

    Raises ValueError or TypeError for data that are of something else.
    """
    if isinstance(data, list):
        return tuple(rebuilt(element, records) for element in data)
    if not isinstance(data, dict):
        return data
    [(name, values)] = data.items()
    if name == _PAIRS:
        return MappingProxyType(
            {key: rebuilt(element, records) for key, element in values}
        )
    [record] = [record for record in records if record.__name__ == name]
    names = record.__dataclass_fields__  # type: ignore[attr-defined]
    inner = (rebuilt(value, records) for value in values)
    return record(**dict(zip(names, inner, strict=True)))


# The cache of cards and formats that were read and checked, in the user's folder.
#
# An entry is JSON: plain data, and records by the names of their classes. A file that
# somebody tampered with can at worst be refused, as it could not be with pickle. An
# entry counts as long as its sources and the code that read them have the same content.

MOST_ENTRIES = 64
MOST_BYTES = 32 * 2**20
CODE = ("cards", "documents", "formats")
"""The packages whose code reads and checks what is kept."""
MODULES = ("fields.py", "files.py", "findings.py", "messages.py")
"""The modules beside them that do."""

SUFFIX = ".json"


class Sources(NamedTuple):
    """The sources of something: the YAML files below a folder, and other files.

    `state` is a hash of the folder's content, taken before it was read, and empty if
    that is impossible; `files` has the hash of each file as it was read, by its
    absolute path.
    """

    folder: str
    state: str
    files: Mapping[str, str]

    @classmethod
    def below(cls, folder: Path) -> Sources:
        """The sources in a folder, as they are now."""
        state = ""
        with suppress(OSError):
            state = _content(str(folder))
        return cls(str(folder), state, {})

    def and_files(self, texts: Mapping[str, str]) -> Sources:
        """These and other files, whose texts are given by path."""
        files = {os.path.abspath(path): _hash(text) for path, text in texts.items()}
        return self._replace(files=files)

    @property
    def is_current(self) -> bool:
        """Whether all of them have the same content still."""
        return self.state == _content(self.folder) and all(
            mark == _hash(_text(file)) for file, mark in self.files.items()
        )


class CacheEntry(NamedTuple):
    """Something that may be kept, and the classes its records are of.

    `name` must say all that it depends on besides its sources.
    """

    name: str
    records: tuple[type, ...]

    def recall(self) -> Any:
        """What was kept; None if there is nothing, or nothing to be trusted."""
        # The entry may be missing, damaged, somebody else's, even a folder: each is a
        # reason to read the sources again, and none is a reason to stop.
        with suppress(Exception):
            import json

            text = read_own(self._file(), MOST_BYTES).decode()
            head, _, body = text.partition("\n")
            about = json.loads(head)
            is_ours = about["sum"] == self._sum(body)
            if is_ours and Sources(**about["sources"]).is_current:
                return rebuilt(json.loads(body), self.records)
        return None

    def keep(self, value: object, sources: Sources) -> None:
        """Keep a value, if the disk lets us; drop the oldest entries if need be."""
        with suppress(Exception):
            import json

            body = json.dumps(plain(value), ensure_ascii=False)
            about = {"sum": self._sum(body), "sources": sources._asdict()}
            file = self._file()
            make_own_folder(file.parent)
            write_own(file, f"{json.dumps(about)}\n{body}".encode())
            _drop_oldest(file.parent)

    def _sum(self, body: str) -> str:
        """What the head of an entry says of its body, and whose entry it is."""
        return _hash(f"{self.name}\n{body}")

    def _file(self) -> Path:
        from platformdirs import user_cache_dir

        folder = Path(user_cache_dir("deckcheck", False))
        if not folder.is_absolute():
            raise OSError("the user has no home, and the folder would be made here")
        key = _hash(f"{self.name}\n{_code()}")
        return folder / "checked" / f"{key}{SUFFIX}"


def _text(file: str) -> str:
    note_read(file)
    return Path(file).read_text("utf-8-sig")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@cache
def _code() -> str:
    """The version of deckcheck and of Python, and a hash of the code that reads."""
    from deckcheck.version import __version__

    package = Path(__file__).parent.parent
    parts = (_content(str(package / name), ".py") for name in CODE)
    alone = (_hash(_text(str(package / name))) for name in MODULES)
    return " ".join([__version__, sys.version, *parts, *alone])


def _content(folder: str, suffix: str = ".yaml") -> str:
    """A hash of the names and contents of all files of a kind below a folder."""
    total = sha256()
    for file in sorted(_files(folder, suffix)):
        note_read(file)
        content = Path(file).read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{os.path.relpath(file, folder)} {len(content)} ".encode())
        total.update(content)
    return total.hexdigest()


def _files(folder: str, suffix: str) -> Iterator[str]:
    for above, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(above, name)
            if name.endswith(suffix) and os.path.isfile(file):
                yield file


def _drop_oldest(folder: Path) -> None:
    kept_files = [(file, file.stat()) for file in folder.glob(f"*{SUFFIX}")]
    kept_files.sort(key=lambda entry: entry[1].st_mtime_ns, reverse=True)
    total = 0
    for number, (file, about) in enumerate(kept_files):
        total += about.st_size
        if number >= MOST_ENTRIES or total > MOST_BYTES:
            file.unlink(missing_ok=True)
