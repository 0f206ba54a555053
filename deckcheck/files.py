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

GROUP_OR_OTHER_WRITABLE = 0o022
GROUP_OR_OTHER_ANYTHING = 0o077
"""Permissions of others: to write, or any at all."""


def is_own_folder(folder: Path, *, is_secret: bool = False) -> bool:
    """Report whether `folder` is the user's, no link, and closed to writing by others.

    Others may do nothing at all there if it `is_secret`. Raises OSError for a folder
    that does not exist.
    """
    status = os.lstat(folder)
    forbidden = GROUP_OR_OTHER_ANYTHING if is_secret else GROUP_OR_OTHER_WRITABLE
    return stat.S_ISDIR(status.st_mode) and _is_own(status, forbidden)


def make_own_folder(folder: Path) -> None:
    """Make `folder`, for the user alone, and those above it, where they are missing."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def read_own(
    file: Path | str, most: int = -1, *, like: os.stat_result | None = None
) -> bytes:
    """Return at most `most` bytes of a file that only the user can have written.

    A link is not followed, and a pipe or a device is not waited for. With `like`,
    everyone may have written it who could have written the file with that status.
    Raises PermissionError for any other file.
    """
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    handle = os.open(file, flags)
    status = os.fstat(handle)
    is_own = _is_own(status, GROUP_OR_OTHER_WRITABLE, like)
    if not stat.S_ISREG(status.st_mode) or not is_own:
        os.close(handle)
        raise PermissionError(None, "not a file of this user alone", str(file))
    with open(handle, "rb") as stream:
        return stream.read(most)


def write_own(file: Path | str, data: bytes) -> None:
    """Write a file for the user alone, whole or not at all."""
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
    status: os.stat_result, forbidden: int, like: os.stat_result | None = None
) -> bool:
    """Report whether a file belongs to the user, without permissions for others.

    With `like` both files have the same owner, and others may have the permissions
    that they have there.
    """
    if not hasattr(os, "geteuid"):  # Windows keeps caches in folders of the user
        return True
    if like is None:
        return status.st_uid == os.geteuid() and not status.st_mode & forbidden
    return status.st_uid == like.st_uid and not (
        status.st_mode & forbidden & ~like.st_mode
    )


# The files that a run has read, so that it does not overwrite them

# By device and inode: a file has many names, and may be replaced under one of them.
_READ_FILES: ContextVar[dict[tuple[int, int], str] | None] = ContextVar(
    "read", default=None
)
_STDIN_NUMBER = 0


@contextlib.contextmanager
def note_reads() -> Iterator[None]:
    """Note the files that are read meanwhile, besides earlier ones; see `is_read`.

    The file behind standard input counts as read.
    """
    token = _READ_FILES.set(dict(_READ_FILES.get() or {}))
    try:
        note_read(_STDIN_NUMBER)
        yield
    finally:
        _READ_FILES.reset(token)


def note_read(file: str | Path | int) -> None:
    """Remember that a file, by its name or number, is read, if reads are noted."""
    read = _READ_FILES.get()
    if read is None:
        return
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        if stat.S_ISREG(status.st_mode):
            read[status.st_dev, status.st_ino] = os.path.abspath(str(file))


def is_read(file: str | Path) -> bool:
    """Report whether a file has been read, under any name, since reads are noted."""
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        return (status.st_dev, status.st_ino) in (_READ_FILES.get() or ())
    return False


def list_read_files() -> set[str]:
    """Return the files that were read in the working folder, by their paths in it."""
    here = os.path.join(os.getcwd(), "")
    names = (_READ_FILES.get() or {}).values()
    return {name.removeprefix(here) for name in names if name.startswith(here)}


def is_direct(file: str | Path) -> bool:
    """Report whether the path from the working folder to a file has no link."""
    path = os.path.abspath(file)
    return os.path.realpath(path) == os.path.join(
        os.path.realpath(os.curdir), relative_path(path)
    )


# Opening what the user names: files, and pipes that the shell hands over

# `/dev/stdin`, and `/dev/fd/63` of a process substitution, `<(command)`.
_HANDED_OVER = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")

_SPECIAL_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
)


MAX_NAME_BYTES, MAX_PATH_BYTES = 255, 4_095
"""The bytes of UTF-8 that systems allow for a name in a path, and for the path."""


def path_fault(text: str) -> str | None:
    """Return why a text from a file cannot be a path, or None if it can."""
    if "\0" in text:
        return f"{quote(text)} holds `\\x00`, which no path can"
    path = text.encode("utf-8", errors="surrogatepass")
    longest = max(map(len, path.split(b"/")))
    if longest > MAX_NAME_BYTES:
        return f"{quote(text)} has a name of {longest} bytes, {MAX_NAME_BYTES} allowed"
    size = len(path)
    if size > MAX_PATH_BYTES:
        return f"{quote(text)} is a path of {size:,} bytes, {MAX_PATH_BYTES:,} allowed"
    return None


def relative_path(path: str | Path, start: str | Path = os.curdir) -> str:
    """Return `path` relative to `start`, by default the working folder.

    A path on another drive of Windows stays absolute.
    """
    try:
        return os.path.relpath(path, start)
    except ValueError:
        return os.path.abspath(path)


def expand_patterns(paths: Iterable[Path]) -> list[Path]:
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
    """Return the path, or the match of a pattern.

    Raises UsageError for a pattern with several matches.
    """
    matches = expand_patterns([path])
    if len(matches) > 1:
        message = f"{quote(str(path))} matches {plural(len(matches), 'file')}"
        help = f"Name one of them, such as {quote(str(matches[0]))}"
        raise UsageError(message, help)
    return matches[0]


def refuse_deck(path: str | Path, wanted: str) -> None:
    """Raise UsageError for a deck, known by its suffix, where `wanted` is named."""
    if os.fspath(path).endswith(".deck") and os.path.isfile(path):
        raise UsageError(
            f"{quote(str(path))} is a deck, not {wanted}",
            "`deckcheck validate` judges decks, `deckcheck simulate` plays them",
        )


def open_file(file: str | Path, *, is_input: bool = True) -> BinaryIO:
    """Open a file, or a pipe that the shell hands over, for reading bytes.

    No output of this run replaces the file if it `is_input`. Raises OSError with a
    reason in `strerror`, also for named pipes, sockets and devices, which may never
    begin or never end.
    """
    name = os.fspath(file)
    try:
        kind = _find_strange_kind(name)
    except ValueError:
        raise OSError(errno.EINVAL, "no path can be called so", name) from None
    if kind is not None and not os.path.abspath(name).startswith(_HANDED_OVER):
        raise OSError(errno.EINVAL, f"{kind}, not a file", name)
    if is_input:
        note_read(name)
    return open(name, "rb")


def read_input(file: str | Path, most: int = -1, help: str | None = None) -> bytes:
    """Return at most `most` bytes of a file.

    Raises UsageError with `help` if it cannot be read.
    """
    with usable("read", file, help), open_file(file) as stream:
        return stream.read(most)


def file_fault(file: str | Path) -> str | None:
    """Return why a file cannot be opened, as the end of a sentence, or None."""
    try:
        kind = _find_strange_kind(os.fspath(file))
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
            return "does not exist"
        return f"cannot be read: {(error.strerror or 'unknown reason').lower()}"
    return None if kind is None else f"is {kind}, not a file"


def similar_file(path: str | Path) -> str | None:
    """Return a hint at a file of nearly that name in the same folder, or None."""
    folder, name = os.path.split(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return None
    similar_names = nearest(name, names)
    if not similar_names:
        return None
    similar_path = os.path.join(folder, similar_names[0]).replace(os.sep, "/")
    return f"Did you mean {quote(similar_path)}?"


def folder_fault(folder: str | Path) -> str | None:
    """Return why a path is not a folder, as the end of a sentence, or None."""
    if os.path.isdir(folder):
        return None
    is_there = os.path.lexists(folder)
    return "is not a folder" if is_there else "does not exist"


def unusable(
    action: str, file: str | Path, error: OSError, help: str | None = None
) -> UsageError:
    """Return the error for a file that the system does not let us read or write.

    `action` is a verb such as `read` or `write to`.
    """
    reason = (error.strerror or str(error)).lower()
    return UsageError(f"Cannot {action} {quote(str(file))}: {reason}", help)


@contextlib.contextmanager
def usable(action: str, file: str | Path, help: str | None = None) -> Iterator[None]:
    """Turn an OSError meanwhile into the error of `unusable`."""
    try:
        yield
    except OSError as error:
        raise unusable(action, file, error, help) from error


def _find_strange_kind(name: str) -> str | None:
    """Return what a path leads to if it is not a file, such as `a folder`."""
    mode = os.stat(name).st_mode
    if stat.S_ISREG(mode):
        return None
    return next((word for is_kind, word in _SPECIAL_KINDS if is_kind(mode)), "a device")


# Patterns of paths, as `--exclude` and the configuration write them

# `*` and `?` never match a slash; `**` between slashes matches any folders.
_PATTERN_SIGNS = r"(?s:\?|\[[!^]?\]?[^\]/]*\]|.)"
_NAME_END = r"(?=/|\Z)"
MAX_PATTERN_LENGTH = 4096
"""The most characters of a pattern, as of a path of Linux."""


def anchor_pattern(pattern: str, folder: str) -> str:
    """Return the absolute form of a pattern that is written in `folder`.

    A pattern without a slash, such as `drafts` or `*.bak`, means that name at any
    depth. One with a slash is a path from `folder` on.
    """
    bare = pattern.replace(os.sep, "/").removeprefix("./").rstrip("/")
    if bare.startswith("/"):
        return bare
    base = re.sub(r"([*?[])", r"[\1]", folder.replace(os.sep, "/").rstrip("/"))
    return f"{base}/{bare}" if "/" in bare else f"{base}/**/{bare}"


class PathPatterns:
    """Patterns that match a path, or any folder above it.

    Relative patterns are taken from `folder`, the working folder if none is given.
    Raises UsageError for one that is not valid or longer than any path.
    """

    def __init__(self, patterns: Iterable[str], folder: str | None = None) -> None:
        self._here = os.getcwd()
        base = folder or self._here
        self._stated = list(patterns)
        self._patterns = [_compile_pattern(pattern, base) for pattern in self._stated]
        self._idle = set(range(len(self._stated)))

    @property
    def idle(self) -> list[str]:
        """Return the stated patterns that have matched no path so far."""
        return [self._stated[index] for index in sorted(self._idle)]

    def match(self, path: str | os.PathLike[str]) -> int | None:
        """Return the index of the first pattern that matches `path`, or None."""
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


def _compile_pattern(stated: str, folder: str) -> re.Pattern[str]:
    """Return a pattern of `folder` as a regular expression that takes linear time.

    Each star takes as little as it can, for good: then the rest of the pattern has the
    most to match. No other way through the path is tried, as there can be very many.
    """
    if len(stated) > MAX_PATTERN_LENGTH:
        help = f"A pattern has at most {MAX_PATTERN_LENGTH} characters"
        raise UsageError(f"The pattern {quote(stated)} is too long", help)
    pattern = anchor_pattern(stated, folder)
    first, *groups = re.split(r"(?:/\*\*)+(?=/|$)", pattern)
    start, *names = first.split("/")
    text = _translate_name(start) + _translate_names(names)
    for group in groups:
        # Below it is every path that goes on.
        characters = _translate_names(group.split("/")[1:]) if group else "/"
        text += rf"(?>(?:/[^/]*)*?{characters})"
    try:
        return re.compile(text, re.DOTALL)
    except re.error:
        raise UsageError(f"{quote(stated)} is not a valid path pattern") from None


def _translate_names(names: Iterable[str]) -> str:
    """Translate names of folders below each other, and perhaps of a file."""
    return "".join(f"/{_translate_name(name)}" for name in names) + _NAME_END


def _translate_name(name: str) -> str:
    """Translate the name between two slashes."""
    first, *others = (
        "".join(map(_translate_sign, part)) for part in _split_at_stars(name)
    )
    *middle, last = others or [""]
    stars = "".join(f"(?>[^/]*?{part})" for part in middle)
    return first + stars + (f"(?>[^/]*{last}{_NAME_END})" if others else "")


def _split_at_stars(name: str) -> list[list[str]]:
    """Split a name into the signs between its stars."""
    chunks: list[list[str]] = [[]]
    for part in re.findall(_PATTERN_SIGNS, name):
        if part != "*":
            chunks[-1].append(part)
        elif chunks[-1] or len(chunks) == 1:
            chunks.append([])
    return chunks


def _translate_sign(part: str) -> str:
    if part == "?":
        return "[^/]"
    if part[0] != "[" or len(part) < 3:
        return re.escape(part)
    is_negated = part[1] in "!^"
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", part[1 + is_negated : -1])
    return f"[^/{inner}]" if is_negated else f"[{inner}]"


# A short hash of data, for reports and the data behind them

FINGERPRINT_LENGTH = 12


def short_digest(content: object) -> str:
    """Return twelve hex digits that are equal for equal data, on any machine.

    Data are texts, numbers, None, records, and lists, tuples and mappings with such
    values. The order of keys does not matter. Fields that comparisons ignore are
    ignored, and so are fields marked `later` in their metadata with their default
    value; with another value they count with their name. This does without `json`,
    which takes long to import.
    """
    return full_digest(content)[:FINGERPRINT_LENGTH]


def full_digest(content: object) -> str:
    """Return all 64 digits of `short_digest`."""
    return sha256(ascii(_to_plain(content)).encode()).hexdigest()


def add_checksum(document: dict[str, object]) -> dict[str, object]:
    """Return a document with a checksum as its last key; see `is_whole`.

    The checksum shows accidents and edits, but anybody can compute it anew.
    """
    return {**document, "checksum": full_digest(document)}


def is_whole(document: object) -> bool:
    """Report whether a document has the checksum with which it was written."""
    if not isinstance(document, dict):
        return False
    content = {key: value for key, value in document.items() if key != "checksum"}
    return document.get("checksum") == full_digest(content)


def _to_plain(value: Any) -> object:
    if isinstance(value, list | tuple):
        return [_to_plain(item) for item in value]
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        first: list[object] = []
        later: list[object] = []
        for field in fields.values():
            content = getattr(value, field.name)
            if not field.compare:
                continue
            if "later" not in field.metadata:
                first.append(_to_plain(content))
            elif content != field.default:
                later.append((field.name, _to_plain(content)))
        return [*first, *later]
    if hasattr(value, "keys"):
        return [(key, _to_plain(value[key])) for key in sorted(value)]
    return value
