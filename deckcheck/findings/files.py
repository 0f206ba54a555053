"""Opening what the user names: files, and pipes that the shell hands over."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from deckcheck.findings.errors import UsageError
from deckcheck.findings.reads import note_read
from deckcheck.findings.words import nearest, plural, quote

# `/dev/stdin`, and `/dev/fd/63` of a process substitution, `<(command)`.
_HANDED_OVER = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
)


LONGEST_NAME, LONGEST_PATH = 255, 4_095
"""How many bytes of UTF-8 systems allow for a name in a path, and for all of it."""


def path_fault(text: str) -> str | None:
    """Why `text`, which some file states, can be no path; None if it can be one."""
    if "\0" in text:
        return f"{quote(text)} holds `\\x00`, which no path can"
    sizes = [
        len(name.encode("utf-8", errors="surrogatepass")) for name in text.split("/")
    ]
    if max(sizes) > LONGEST_NAME:
        return f"{quote(text)} has a name of {max(sizes)} bytes, {LONGEST_NAME} allowed"
    size = sum(sizes) + len(sizes) - 1
    if size > LONGEST_PATH:
        return f"{quote(text)} is a path of {size:,} bytes, {LONGEST_PATH:,} allowed"
    return None


def relative_path(path: str | Path, start: str | Path = os.curdir) -> str:
    """`path` from the folder `start` on, the working folder if none is given.

    It stays absolute where no relative path leads to it: on another drive of Windows.
    """
    try:
        return os.path.relpath(path, start)
    except ValueError:
        return os.path.abspath(path)


def expanded(paths: Iterable[Path]) -> list[Path]:
    """Paths with the patterns in them replaced by what they match, as a shell does it.

    That of Windows leaves it to programs. A pattern without a match stays, and is then
    reported as a path that does not exist.
    """
    places: list[Path] = []
    for path in paths:
        is_pattern = glob.has_magic(str(path)) and not os.path.lexists(path)
        matches = sorted(glob.glob(str(path))) if is_pattern else []
        places.extend(map(Path, matches or [str(path)]))
    return places


def only_one(path: Path) -> Path:
    """The path, or the one that a pattern matches; UsageError if it matches several."""
    places = expanded([path])
    if len(places) > 1:
        named = f"{quote(str(path))} matches {plural(len(places), 'file')}"
        raise UsageError(named, f"Name one of them, such as {quote(str(places[0]))}")
    return places[0]


def refuse_deck(path: str | Path, wanted: str) -> None:
    """Raise UsageError for a deck, known by its suffix, where `wanted` is named."""
    if os.fspath(path).endswith(".deck") and os.path.isfile(path):
        raise UsageError(
            f"{quote(str(path))} is a deck, not {wanted}",
            "`deckcheck validate` judges decks, `deckcheck simulate` plays them",
        )


def open_file(file: str | Path, *, is_input: bool = True) -> BinaryIO:
    """Open a file, or a pipe that the shell hands over, for reading bytes.

    No output of this run replaces the file, unless `is_input` says that it is looked at
    only to see what it is. Raises OSError with a reason in `strerror`, also for what
    would never end or never begin: named pipes, sockets, devices. Nobody may be writing
    into a named pipe.
    """
    name = os.fspath(file)
    try:
        kind = _strange_kind(name)
    except ValueError:
        raise OSError(errno.EINVAL, "no path can be called so", name) from None
    if kind is not None and not os.path.abspath(name).startswith(_HANDED_OVER):
        raise OSError(errno.EINVAL, f"{kind}, not a file", name)
    if is_input:
        note_read(name)
    return open(name, "rb")


def file_fault(file: str | Path) -> str | None:
    """Why `file` is none that can be opened, after its name; None if it is one."""
    try:
        kind = _strange_kind(os.fspath(file))
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
            return "does not exist"
        return f"cannot be read: {(error.strerror or 'unknown reason').lower()}"
    return None if kind is None else f"is {kind}, not a file"


def similar_file(path: str | Path) -> str | None:
    """A hint when the folder of `path` has a file of nearly that name."""
    folder, name = os.path.split(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return None
    for near in nearest(name, names):
        shown = os.path.join(folder, near).replace(os.sep, "/")
        return f"Did you mean {quote(shown)}?"
    return None


def folder_fault(folder: str | Path) -> str | None:
    """Why `folder` is none, after its name; None if it is one."""
    if os.path.isdir(folder):
        return None
    is_there = os.path.lexists(folder)
    return "is not a folder" if is_there else "does not exist"


def unusable(deed: str, file: str | Path, error: OSError) -> UsageError:
    """The error for what the system does not let us `read`, `write` or `write to`."""
    reason = (error.strerror or str(error)).lower()
    return UsageError(f"Cannot {deed} {quote(str(file))}: {reason}")


def _strange_kind(name: str) -> str | None:
    """What is there if not a file, in words."""
    mode = os.stat(name).st_mode
    if stat.S_ISREG(mode):
        return None
    return next((word for is_kind, word in _KINDS if is_kind(mode)), "a device")
