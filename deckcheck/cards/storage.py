"""Locations of card databases, and the cache of checked databases."""

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
    """A card database is missing or has a defect.

    The message lists all defects of the files read, a line for each, as
    `path:line:column: message`.
    """


def list_defects(what: str, defects: Sequence[SourceDefect]) -> str:
    """Return a message of all defects, in the order of files, lines and columns."""
    ordered = sorted(dict.fromkeys(defects), key=lambda defect: defect[:2])
    count = "1 defect" if len(ordered) == 1 else f"{len(ordered)} defects"
    return "\n".join([f"{what} has {count}", *map(str, ordered)])


# Locations of card databases

Root: TypeAlias = Path | Sequence[Path] | None
"""Folders of card databases, each with a folder for each game.

The path `built-in` is the database of deckcheck, which is also the default.
"""

BUILT_IN = "built-in"
FOLDERS_VARIABLE = "DECKCHECK_CARD_DB"


def card_db_root() -> Path:
    """Return the folder of the card database that comes with deckcheck.

    It is inside the installed package, or next to it in a source checkout.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "card_db", package.parent / "card_db"):
        if folder.is_dir():
            return folder
    raise DatabaseError("the card database of deckcheck is missing", "Reinstall it")


def card_db_folders(root: Root) -> tuple[Path, ...]:
    """Return the folders of card databases, each once.

    `root` has priority over the variable DECKCHECK_CARD_DB, and this over the database
    of deckcheck. Raises DatabaseError for a folder that does not exist, and for a game
    in two folders.
    """
    given = [root] if isinstance(root, Path) else [*(root or _from_environment())]
    folders = [_check_folder(path) for path in given] or [card_db_root()]
    by_path = {folder.resolve(): folder for folder in reversed(folders)}
    folders = [*reversed(by_path.values())]
    if len(folders) > 1:
        _check_apart(folders)
    return tuple(folders)


def _from_environment() -> list[Path]:
    words = (word.strip() for word in os.environ.get(FOLDERS_VARIABLE, "").split(";"))
    return [Path(word) for word in words if word]


def _check_folder(path: Path) -> Path:
    """Return the folder that `path` means, or raise DatabaseError."""
    if str(path) == BUILT_IN:
        return card_db_root()
    fault = folder_fault(path)
    if fault is not None:
        raise DatabaseError(f"card database folder `{printable(str(path))}` {fault}")
    return path


def _check_apart(folders: Sequence[Path]) -> None:
    """Raise DatabaseError for a game in two folders: any choice is arbitrary.

    A folder of formats without the file of their game counts, too.
    """
    seen: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if not ((path / "game.yaml").exists() or (path / "formats").exists()):
                continue
            if path.name in seen:
                names = join_folders([seen[path.name], folder])
                message = f"the game {quote(path.name)} is in two folders, {names}"
                raise DatabaseError(message, "Leave one of them out")
            seen[path.name] = folder


def find_game_folder(game: str, root: Root) -> Path:
    """Return the resolved folder of card databases with a game.

    Raises DatabaseError for an unknown game, with a suggestion.
    """
    folders = card_db_folders(root)
    for folder in folders:
        if game in _list_games(folder):
            return folder.resolve()
    games = game_ids(root)
    names = choice(games) if games else f"none in {join_folders(folders)}"
    help = suggestion(closest(game, games, limit=1), f"Known games: {names}")
    raise DatabaseError(f"unknown game {quote(game)}", help)


def _list_games(folder: Path) -> list[str]:
    return [file.parent.name for file in folder.glob("*/game.yaml")]


def join_folders(folders: Sequence[Path]) -> str:
    """Join folders as messages list them."""
    return " and ".join(f"`{printable(str(folder))}`" for folder in folders)


def game_ids(root: Root = None) -> list[str]:
    """Return the ids of all games, in alphabetical order."""
    return sorted(id for folder in card_db_folders(root) for id in _list_games(folder))


def some_game_ids(root: Root) -> list[str]:
    """Return the ids of all games. Raises DatabaseError if there are none."""
    ids = game_ids(root)
    if not ids:
        help = "A card database has a folder with a `game.yaml` for each game"
        folders = join_folders(card_db_folders(root))
        raise DatabaseError(f"there is no game in {folders}", help)
    return ids


def shown_path(file: Path, root: Path) -> str:
    """Return the path of a database file as messages show it, with forward slashes.

    It is relative to the working directory if the file is below, else to the parent of
    `root`.
    """
    for base in (Path.cwd(), root.resolve().parent):
        resolved = file.resolve()
        if resolved.is_relative_to(base):
            return resolved.relative_to(base).as_posix()
    return file.as_posix()


# Records as plain data, which JSON can hold, and records made of it again.
#
# A record becomes a mapping of its class name to the values of its fields in order. A
# mapping becomes a list of its pairs, which keeps the order.

_MAPPING_KEY = ""
"""The key of a mapping, where a record has the name of its class."""


def to_plain(value: Any) -> object:
    """Convert a value to plain data for JSON: tuples to lists, records to mappings.

    >>> from deckcheck.cards import CardAbility
    >>> to_plain((1, CardAbility("medic")))
    [1, {'CardAbility': ['medic', None, None, None, None, []]}]
    """
    if isinstance(value, tuple):
        return [to_plain(element) for element in value]
    if isinstance(value, Mapping):
        return {
            _MAPPING_KEY: [[key, to_plain(element)] for key, element in value.items()]
        }
    names = getattr(value, "__dataclass_fields__", None)
    if names is None:
        return value
    return {type(value).__name__: [to_plain(getattr(value, name)) for name in names]}


def rebuild(data: object, records: Sequence[type]) -> Any:
    """Rebuild the value that `to_plain` was given, from records of the given classes.

    Raises ValueError or TypeError for data of any other kind.
    """
    if isinstance(data, list):
        return tuple(rebuild(element, records) for element in data)
    if not isinstance(data, dict):
        return data
    [(name, values)] = data.items()
    if name == _MAPPING_KEY:
        return MappingProxyType(
            {key: rebuild(element, records) for key, element in values}
        )

    [record] = [record for record in records if record.__name__ == name]
    names = record.__dataclass_fields__  # type: ignore[attr-defined]
    inner = (rebuild(value, records) for value in values)
    return record(**dict(zip(names, inner, strict=True)))


# The cache of checked cards and formats, in the user's folder.
#
# An entry is JSON and not a pickle, so a file that somebody tampered with can at worst
# be refused. It is valid as long as its sources and the code that read them stay equal.

MAX_ENTRIES = 64
MAX_CACHE_BYTES = 32 * 2**20
CHECKING_PACKAGES = ("cards", "documents", "formats")
"""The packages with code that reads and checks cached data."""
CHECKING_MODULES = ("fields.py", "files.py", "findings.py", "messages.py")
"""The modules with such code."""

ENTRY_SUFFIX = ".json"


class Sources(NamedTuple):
    """The sources of some data: the YAML files below a folder, and other files."""

    folder: str
    """The path of the folder."""
    state: str
    """A hash of the folder's content from before it was read, or "" if that failed."""
    files: Mapping[str, str]
    """The hash of each other file as it was read, by its absolute path."""

    @classmethod
    def below(cls, folder: Path) -> Sources:
        """Return the sources in a folder, as they are now."""
        state = ""
        with suppress(OSError):
            state = _hash_folder(str(folder))
        return cls(str(folder), state, {})

    def and_files(self, texts: Mapping[str, str]) -> Sources:
        """Return these sources with other files, whose texts are given by path."""
        files = {}
        for path, text in texts.items():
            files[os.path.abspath(path)] = _hash_text(text)
        return self._replace(files=files)

    @property
    def is_current(self) -> bool:
        """Whether the content of all sources is unchanged."""
        return self.state == _hash_folder(self.folder) and all(
            mark == _hash_text(_read_text(file)) for file, mark in self.files.items()
        )


class CacheEntry(NamedTuple):
    """A place in the cache."""

    name: str
    """A text that differs for everything the data depends on besides its sources."""
    records: tuple[type, ...]
    """The classes of the records."""

    def recall(self) -> Any:
        """Return the cached value, or None without a current and undamaged entry."""
        # A missing, damaged or foreign entry is a reason to read the sources again, and
        # never a reason to stop.
        with suppress(Exception):
            import json

            file = self._cache_file()
            text = read_own(file, MAX_CACHE_BYTES).decode()
            head, _, body = text.partition("\n")
            about = json.loads(head)
            is_ours = about["sum"] == self._sum(body)
            if is_ours and Sources(**about["sources"]).is_current:
                with suppress(OSError):  # where the cache can only be read
                    os.utime(file)  # so that it is not among the oldest
                return rebuild(json.loads(body), self.records)
        return None

    def keep(self, value: object, sources: Sources) -> None:
        """Store a value if the disk allows it, and drop the entries unused longest."""
        with suppress(Exception):
            import json

            body = json.dumps(to_plain(value), ensure_ascii=False)
            about = {"sum": self._sum(body), "sources": sources._asdict()}
            file = self._cache_file()
            make_own_folder(file.parent)
            write_own(file, f"{json.dumps(about)}\n{body}".encode())
            _drop_oldest(file.parent)

    def _sum(self, body: str) -> str:
        """Return the checksum of an entry's body and name."""
        return _hash_text(f"{self.name}\n{body}")

    def _cache_file(self) -> Path:
        from platformdirs import user_cache_dir

        folder = Path(user_cache_dir("deckcheck", False))
        if not folder.is_absolute():
            raise OSError("the user has no home, and the folder would be made here")
        key = _hash_text(f"{self.name}\n{_hash_code()}")
        return folder / "checked" / f"{key}{ENTRY_SUFFIX}"


def _read_text(file: str) -> str:
    note_read(file)
    return Path(file).read_text("utf-8-sig")


def _hash_text(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@cache
def _hash_code() -> str:
    """Return the versions of deckcheck and Python, and a hash of the reading code."""
    from deckcheck.version import __version__

    package = Path(__file__).parent.parent
    parts = (_hash_folder(str(package / name), ".py") for name in CHECKING_PACKAGES)
    alone = (_hash_text(_read_text(str(package / name))) for name in CHECKING_MODULES)
    return " ".join([__version__, sys.version, *parts, *alone])


def _hash_folder(folder: str, suffix: str = ".yaml") -> str:
    """Return a hash of the names and contents of all files of a kind below a folder."""
    total = sha256()
    for file in sorted(_list_files(folder, suffix)):
        note_read(file)
        content = Path(file).read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{os.path.relpath(file, folder)} {len(content)} ".encode())
        total.update(content)
    return total.hexdigest()


def _list_files(folder: str, suffix: str) -> Iterator[str]:
    for above, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(above, name)
            if name.endswith(suffix) and os.path.isfile(file):
                yield file


def _drop_oldest(folder: Path) -> None:
    entries = [(file, file.stat()) for file in folder.glob(f"*{ENTRY_SUFFIX}")]
    entries.sort(key=lambda entry: entry[1].st_mtime_ns, reverse=True)
    total = 0
    for number, (file, about) in enumerate(entries):
        total += about.st_size
        if number >= MAX_ENTRIES or total > MAX_CACHE_BYTES:
            file.unlink(missing_ok=True)
