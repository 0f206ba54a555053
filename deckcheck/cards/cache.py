"""The cache of cards and formats that were read and checked, in the user's folder.

An entry is JSON: plain data, and records by the names of their classes. A file that
somebody tampered with can at worst be refused, as it could not be with pickle. An
entry counts as long as its sources and the code that read them have the same content.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.plain import plain, rebuilt
from deckcheck.findings.own_files import make_own_folder, read_own, write_own
from deckcheck.findings.reads import note_read

MOST_ENTRIES = 64
MOST_BYTES = 32 * 2**20
CODE = ("cards", "findings", "formats")
"""The packages whose code reads and checks what is kept."""

SUFFIX = ".json"


class Sources(NamedTuple):
    """What something is made from: the YAML files below a folder, and other files.

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


class Kept(NamedTuple):
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
            if about["sum"] == _hash(body) and Sources(**about["sources"]).is_current:
                return rebuilt(json.loads(body), self.records)
        return None

    def keep(self, value: object, sources: Sources) -> None:
        """Keep a value, if the disk lets us; drop the oldest entries if need be."""
        with suppress(Exception):
            import json

            body = json.dumps(plain(value), ensure_ascii=False)
            about = {"sum": _hash(body), "sources": sources._asdict()}
            file = self._file()
            make_own_folder(file.parent)
            write_own(file, f"{json.dumps(about)}\n{body}".encode())
            _drop_oldest(file.parent)

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
    return " ".join([__version__, sys.version, *parts])


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
