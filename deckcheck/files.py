"""Files that a user names, files of our own, what a run has read, and hashes."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from deckcheck.findings import UsageError
from deckcheck.messages import nearest, plural, quote

# Files kept for the next run, which only the user can have written.
#
# Kept code is run and kept pickles are run as well, so what others may have put there
# is never read: a file or folder of another user, one that others may write to, a link.

WRITING, ANYTHING = 0o022, 0o077
"""What others may be allowed: to write, or whatever."""


def is_own_folder(folder: Path, *, is_secret: bool = False) -> bool:
    """Whether `folder` is the user's, no link, and others may not write to it.

    They may do nothing at all there if it `is_secret`. Raises OSError where nothing is.
    """
    about = os.lstat(folder)
    return stat.S_ISDIR(about.st_mode) and _is_own(
        about, ANYTHING if is_secret else WRITING
    )


def make_own_folder(folder: Path) -> None:
    """Make `folder`, for the user alone, and those above it, where they are missing."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def read_own(
    file: Path | str, most: int = -1, *, like: os.stat_result | None = None
) -> bytes:
    """What a file holds; PermissionError unless only the user can have written it.

    A link is not followed, and a pipe or a device is not waited for. No more than
    `most` bytes are read. With `like`, those may have written it who could have
    written the file that `like` is about.
    """
    flags = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    handle = os.open(file, os.O_RDONLY | sum(flags))
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode) or not _is_own(about, WRITING, like):
        os.close(handle)
        raise PermissionError(None, "not a file of this user alone", str(file))
    with open(handle, "rb") as stream:
        return stream.read(most)


def write_own(file: Path | str, data: bytes) -> None:
    """Write a file for the user alone, which is there as a whole or not at all."""
    from tempfile import mkstemp

    folder, name = os.path.split(file)
    handle, draft = mkstemp(os.path.splitext(name)[1], dir=folder)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        os.replace(draft, file)
    except BaseException:
        os.unlink(draft)
        raise


def _is_own(
    about: os.stat_result, others: int, like: os.stat_result | None = None
) -> bool:
    """Whether this is of the user, and others have none of these permissions.

    With `like` both files have one owner, and others have no permissions but those
    that they have there.
    """
    if not hasattr(os, "geteuid"):  # Windows, where caches lie in folders of the user
        return True
    owner = os.geteuid() if like is None else like.st_uid
    allowed = 0 if like is None else like.st_mode
    return about.st_uid == owner and not about.st_mode & others & ~allowed


# The files that a run has read, so that it does not overwrite them.

# By device and inode: a file has many names, and may be replaced under one of them.
_READ: ContextVar[dict[tuple[int, int], str] | None] = ContextVar("read", default=None)
_STDIN = 0


@contextlib.contextmanager
def reads_noted() -> Iterator[None]:
    """Note what is read meanwhile, besides what was read before; see `is_read`.

    The file that standard input comes from counts as read.
    """
    token = _READ.set(dict(_READ.get() or {}))
    try:
        note_read(_STDIN)
        yield
    finally:
        _READ.reset(token)


def note_read(file: str | Path | int) -> None:
    """Remember that a file, by its name or number, is read, if reads are noted."""
    read = _READ.get()
    if read is None:
        return
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        if stat.S_ISREG(status.st_mode):
            read[status.st_dev, status.st_ino] = os.path.abspath(str(file))


def is_read(file: str | Path) -> bool:
    """Whether a file has been read, under whatever name, since reads are noted."""
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        return (status.st_dev, status.st_ino) in (_READ.get() or ())
    return False


def read_here() -> set[str]:
    """The files in the working folder that were read, called as seen from there."""
    here = os.path.join(os.getcwd(), "")
    names = (_READ.get() or {}).values()
    return {name.removeprefix(here) for name in names if name.startswith(here)}


def is_direct(file: str | Path) -> bool:
    """Whether no link is on the way to a file from the working folder on."""
    path = os.path.abspath(file)
    return os.path.realpath(path) == os.path.join(
        os.path.realpath(os.curdir), relative_path(path)
    )


# Opening what the user names: files, and pipes that the shell hands over.

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
    """Replace the patterns among paths by their matches, as a shell does it.

    The shell of Windows leaves it to programs. Raises UsageError for a pattern without
    a match.
    """
    expanded_paths: list[Path] = []
    for path in paths:
        if not glob.has_magic(str(path)) or os.path.lexists(path):
            expanded_paths.append(path)
            continue
        matches = sorted(glob.glob(str(path)))
        if not matches:
            raise nothing_matches(str(path))
        expanded_paths.extend(map(Path, matches))
    return expanded_paths


def nothing_matches(pattern: str) -> UsageError:
    """Return the error for a pattern of paths without a match."""
    literal = escape_brackets(pattern)
    help = "Check the pattern"
    if literal != pattern:
        help = "A bracket in a name is written `[[]`"
        if glob.glob(literal, recursive=True):
            help = f"{help}: {quote(literal)} matches"
    return UsageError(f"Nothing matches {quote(pattern)}", help)


def escape_brackets(pattern: str) -> str:
    """Return the pattern in which each `[` stands for itself."""
    return re.sub(r"\[\[\]|\[", "[[]", pattern)


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


def read_input(file: str | Path, most: int = -1, help: str | None = None) -> bytes:
    """What a file holds, no more than `most` bytes; UsageError if it cannot be read."""
    with usable("read", file, help), open_file(file) as stream:
        return stream.read(most)


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


def unusable(
    action: str, file: str | Path, error: OSError, help: str | None = None
) -> UsageError:
    """The error for what the system does not let us `read`, `write` or `write to`."""
    reason = (error.strerror or str(error)).lower()
    return UsageError(f"Cannot {action} {quote(str(file))}: {reason}", help)


@contextlib.contextmanager
def usable(action: str, file: str | Path, help: str | None = None) -> Iterator[None]:
    """Say an OSError meanwhile as `unusable` does."""
    try:
        yield
    except OSError as error:
        raise unusable(action, file, error, help) from error


def _strange_kind(name: str) -> str | None:
    """What is there if not a file, in words."""
    mode = os.stat(name).st_mode
    if stat.S_ISREG(mode):
        return None
    return next((word for is_kind, word in _KINDS if is_kind(mode)), "a device")


# Patterns of paths, as `--exclude` and the configuration write them.

# `*` and `?` never match a slash; `**` between slashes matches any folders.
_PARTS = r"(?s:\?|\[[!^]?\]?[^\]/]*\]|.)"
_END = r"(?=/|\Z)"
LONGEST = 4096
"""The most characters of a pattern, which are those of the longest path of Linux."""


def anchored(pattern: str, folder: str) -> str:
    """`pattern` as an absolute one: what it means when it is written in `folder`.

    A pattern without a slash, such as `drafts` or `*.bak`, means that name at any
    depth. One with a slash is a path from `folder` on.
    """
    bare = pattern.replace(os.sep, "/").removeprefix("./").rstrip("/")
    if bare.startswith("/"):
        return bare
    base = re.sub(r"([*?[])", r"[\1]", folder.replace(os.sep, "/").rstrip("/"))
    return f"{base}/{bare}" if "/" in bare else f"{base}/**/{bare}"


class PathPatterns:
    """Patterns that match a path, or any folder it lies in.

    Relative patterns are taken from `folder`, the working folder if none is given.
    Raises UsageError for one that is not valid or longer than any path.
    """

    def __init__(self, patterns: Iterable[str], folder: str | None = None) -> None:
        self._here = os.getcwd()
        base = folder or self._here
        self._stated = list(patterns)
        self._patterns = [_compiled(pattern, base) for pattern in self._stated]
        self._idle = set(range(len(self._stated)))

    @property
    def idle(self) -> list[str]:
        """The patterns that have matched no path so far, as they were stated."""
        return [self._stated[index] for index in sorted(self._idle)]

    def match(self, path: str | os.PathLike[str]) -> int | None:
        """The index of the first pattern that matches `path`, None if none does."""
        if not self._patterns:
            return None
        if os.getcwd() != self._here:  # the checkout of somebody else
            path = os.path.join(self._here, relative_path(os.fspath(path)))
        absolute = os.path.abspath(path).replace(os.sep, "/")
        first = None
        for index, pattern in enumerate(self._patterns):
            if first is not None and index not in self._idle:
                continue
            if pattern.match(absolute):
                self._idle.discard(index)
                first = index if first is None else first
        return first


def _compiled(stated: str, folder: str) -> re.Pattern[str]:
    """A pattern of `folder` as a regular expression that takes no time to speak of.

    Each star is as short as it can be, for good: what follows it then has the most
    left. No other way through the path is tried: there can be very many.
    """
    if len(stated) > LONGEST:
        help = f"A pattern has at most {LONGEST} characters"
        raise UsageError(f"The pattern {quote(stated)} is too long", help)
    pattern = anchored(stated, folder)
    first, *groups = re.split(r"(?:/\*\*)+(?=/|$)", pattern)
    start, *names = first.split("/")
    text = _name(start) + _names(names)
    for group in groups:
        # Below it is every path that goes on.
        characters = _names(group.split("/")[1:]) if group else "/"
        text += rf"(?>(?:/[^/]*)*?{characters})"
    try:
        return re.compile(text, re.DOTALL)
    except re.error:
        raise UsageError(f"{quote(stated)} is not a valid path pattern") from None


def _names(names: Iterable[str]) -> str:
    """Names of folders below each other, and perhaps of a file."""
    return "".join(f"/{_name(name)}" for name in names) + _END


def _name(name: str) -> str:
    """One name between slashes."""
    first, *others = ("".join(map(_translated, part)) for part in _chunks(name))
    *middle, last = others or [""]
    stars = "".join(f"(?>[^/]*?{part})" for part in middle)
    return first + stars + (f"(?>[^/]*{last}{_END})" if others else "")


def _chunks(name: str) -> list[list[str]]:
    """The signs of a name between its stars."""
    chunks: list[list[str]] = [[]]
    for part in re.findall(_PARTS, name):
        if part != "*":
            chunks[-1].append(part)
        elif chunks[-1] or len(chunks) == 1:
            chunks.append([])
    return chunks


def _translated(part: str) -> str:
    if part == "?":
        return "[^/]"
    if part[0] != "[" or len(part) < 3:
        return re.escape(part)
    is_negated = part[1] in "!^"
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", part[1 + is_negated : -1])
    return f"[^/{inner}]" if is_negated else f"[{inner}]"


# A short hash of data, by which reports say what they were made from.

LENGTH = 12


def short_digest(content: object) -> str:
    """Twelve hex digits that are equal for equal data, on any machine.

    Data are texts, numbers, None, records, and lists, tuples and mappings of these; the
    order of keys does not matter. Fields that do not count in comparisons do not count
    here, nor do those marked `later` in their metadata that have their default, and
    every other one of these counts with its name. Not `json`, which takes its time to
    import.
    """
    return full_digest(content)[:LENGTH]


def full_digest(content: object) -> str:
    """All 64 digits of `short_digest`."""
    return sha256(ascii(_plain(content)).encode()).hexdigest()


def signed(document: dict[str, object]) -> dict[str, object]:
    """A document with a checksum as its last key, which `is_whole` compares.

    It shows an accident or an editor, and not somebody who computes it anew.
    """
    return {**document, "checksum": full_digest(document)}


def is_whole(document: object) -> bool:
    """Whether a document has the checksum with which it was written."""
    if not isinstance(document, dict):
        return False
    content = {key: value for key, value in document.items() if key != "checksum"}
    return document.get("checksum") == full_digest(content)


def _plain(value: Any) -> object:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        counted = [field for field in fields.values() if field.compare]
        first = [f for f in counted if "later" not in f.metadata]
        later = [f for f in counted if "later" in f.metadata]
        return [
            *(_plain(getattr(value, f.name)) for f in first),
            *(
                (f.name, _plain(getattr(value, f.name)))
                for f in later
                if getattr(value, f.name) != f.default
            ),
        ]
    if hasattr(value, "keys"):
        return [(key, _plain(value[key])) for key in sorted(value)]
    return value
