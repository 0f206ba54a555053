"""Reading and writing files of runs, series, shards, the lock (light)."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from socket import gethostname
from typing import Any, NamedTuple
from zlib import crc32

from deckcheck.files import MAX_PATH_BYTES, read_input, unusable, usable
from deckcheck.findings import UsageError
from deckcheck.markup import document_head, json_text
from deckcheck.messages import printable, quote

# The files of a run that are one JSON document each, with a CRC: `run.json` for one.
#
# They are written whole or not at all, so that they outlive a power cut.

SCHEMA_VERSION = 1

MAX_BYTES = 2**28
RESTORE_REMEDY = (
    "Restore it from a copy; without one, begin the run again in another folder"
)


def resume_command(folder: Path) -> str:
    """Return the command that continues or shows a run, as a shell reads it."""
    return f"deckcheck resume {shlex.quote(str(folder))}"


def write_document(file: Path, content: Mapping[str, object]) -> None:
    """Write a document, its version first. Raises UsageError if that fails."""
    text = json_text({"schema_version": SCHEMA_VERSION, **content})
    with usable("write", file):
        replace_file(file, [with_crc(text.encode())])


def read_document(file: Path, remedy: str = RESTORE_REMEDY) -> dict[str, Any]:
    """Read the content of a document, without its version.

    Raises UsageError for a damaged document, with the remedy.
    """
    content = read_input(file, MAX_BYTES)
    try:
        document = json.loads(without_crc(content))
        if document.pop("schema_version") != SCHEMA_VERSION:
            raise ValueError(document)
    except (ValueError, LookupError, AttributeError, RecursionError):
        raise damage_error(file, "its CRC is wrong", remedy) from None
    checked: dict[str, Any] = document
    return checked


def damage_error(file: Path, why: str, remedy: str = RESTORE_REMEDY) -> UsageError:
    """Return the error for a document that must not be believed."""
    return UsageError(f"{quote(str(file), MAX_PATH_BYTES)} is damaged: {why}", remedy)


def draft_path(file: Path) -> Path:
    """Return where a file is written before it replaces the old file."""
    return file.with_name(f".{file.name}.part")


def replace_file(file: Path, content: Iterable[bytes]) -> None:
    """Write a file whole or not at all. Raises OSError."""
    draft = draft_path(file)
    with open(draft, "wb") as stream:
        stream.writelines(content)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(draft, file)
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(handle)
        os.close(handle)


_OF_LINE = b',"crc":"%08x"}\n'
_OF_DOCUMENT = b',\n  "crc": "%08x"\n}\n'


def with_crc(text: bytes, start: int = 0) -> bytes:
    """Return the text of an object with a last key `crc`, over all text before it.

    The object is not empty, and is written on a line or indented by two. A CRC may
    `start` with the CRC of the owner of the object.
    """
    end = b"\n}\n" if text.endswith(b"\n}\n") else b"}\n"
    form = _OF_DOCUMENT if end == b"\n}\n" else _OF_LINE
    body = text.removesuffix(end)
    return body + form % crc32(body, start)


def without_crc(text: bytes, start: int = 0) -> bytes:
    """Return the text of an object without `crc`, or raise ValueError if it differs."""
    for form in (_OF_LINE, _OF_DOCUMENT):
        body = text[: -len(form % 0)]
        if text == body + form % crc32(body, start):
            return body + b"}"
    raise ValueError("a wrong CRC, or none")


# A folder with several runs, each in one of its own: where a plan is played.

RUN_FILE = "run.json"
SERIES_FILE = "plan.json"
SERIES_REMEDY = "Delete it, and the command that began these runs writes it again"


def begin_series(folder: Path, names: list[str], check: Path | None = None) -> None:
    """Write down which runs a folder holds, or find that it holds the same.

    `check` is the plan by which they are checked: it does not include expectations.
    Raises UsageError for a folder that holds anything else.
    """
    runs = read_run_names(folder)
    if runs is not None and runs != names:
        raise UsageError(
            f"{quote(str(folder))} holds other experiments: {', '.join(runs)}",
            "Name another folder",
        )
    with usable("write to", folder):
        folder.mkdir(parents=True, exist_ok=True)
        others = {*os.listdir(folder)} - {draft_path(folder / SERIES_FILE).name, *names}
    if runs is None and others:
        raise UsageError(
            f"{quote(str(folder))} holds files that are no plan's",
            "Name an empty folder, or one that does not exist",
        )
    plan = checked_plan(folder) if check is None else check
    checked = {} if plan is None else {"check": os.path.abspath(plan)}
    tool = document_head()["tool"]
    write_document(
        folder / SERIES_FILE, {"tool": tool, "experiments": names, **checked}
    )


def checked_plan(folder: Path) -> Path | None:
    """Return the plan that runs of a folder were checked by, or None."""
    plan = _read_document(folder).get("check")
    return Path(plan) if isinstance(plan, str) else None


def read_run_names(folder: Path) -> list[str] | None:
    """Return the names of the runs in a folder of several, in order, or else None."""
    document = _read_document(folder)
    if not document:
        return None
    names = document.get("experiments")
    if not isinstance(names, list) or not names or not all(map(_is_name, names)):
        why = "`experiments` are no names of folders"
        raise damage_error(folder / SERIES_FILE, why, SERIES_REMEDY)
    return names


def is_run(folder: Path) -> bool:
    """Report whether a folder holds a run, or every run of a plan, by its files."""
    try:
        names = read_run_names(folder)
    except UsageError:
        return False
    folders = [folder] if names is None else [folder / name for name in names]
    return all(os.path.isfile(folder / RUN_FILE) for folder in folders)


def _read_document(folder: Path) -> dict[str, Any]:
    """Read which runs the folder holds. The result is empty for a folder of one run."""
    file = folder / SERIES_FILE
    return read_document(file, SERIES_REMEDY) if os.path.isfile(file) else {}


def _is_name(name: object) -> bool:
    """Report whether a value names a direct child of the folder."""
    if not isinstance(name, str) or name in ("", os.curdir, os.pardir):
        return False
    return name == Path(name).name


# One process at a time writes a run directory.
#
# The lock is the system's own: it ends with its process, however that ends. The file
# says who holds it, for the message to others.

LOCK_FILE = "lock"
LOCKED_BYTE = 1 << 20
"""Where Windows locks a byte: what it locks, others cannot read."""


READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


class ReadOnlyError(UsageError):
    """A folder that may be read and not written."""


class LockedError(UsageError):
    """A folder that another process is writing."""


class Lock:
    """The lock of a folder, held until it is released, as `with` does in the end.

    Raises LockedError while another process holds it, ReadOnlyError for a folder that
    may not be written, and UsageError for a folder that cannot be.
    """

    def __init__(self, folder: Path) -> None:
        file = folder / LOCK_FILE
        try:
            self._handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            refusal = unusable("write to", folder, error)
            if error.errno in READ_ONLY:
                refusal = ReadOnlyError(refusal.message)
            raise refusal from None
        try:
            _take(self._handle)
        except OSError:
            holder = printable(os.read(self._handle, 200).decode(errors="replace"))
            os.close(self._handle)
            raise LockedError(
                f"{quote(str(folder))} is being written by {holder or 'another run'}",
                "Wait for it to finish, or use a different directory",
            ) from None
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.write(self._handle, f"process {os.getpid()} on {gethostname()}".encode())

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let others write. The empty file stays."""
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
        os.close(self._handle)


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


# A shard: the part of all games that one of several machines plays.

MAX_SHARDS = 10_000
_SHARD_FORM = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")


class Shard(NamedTuple):
    """Shard `number` of `shards`, counted from 1: of each table as many sets."""

    number: int
    shards: int

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"

    def of(self, sets: range) -> range:
        """Return the sets of this shard among some sets."""
        first = len(sets) * (self.number - 1) // self.shards
        return sets[first : len(sets) * self.number // self.shards]


def read_shard(text: str) -> Shard:
    """Return the shard that `3/8` names. Raises UsageError for other text."""
    match = _SHARD_FORM.fullmatch(text.strip())
    shard = Shard(int(match[1]), int(match[2])) if match else Shard(0, 0)
    if not 1 <= shard.number <= shard.shards <= MAX_SHARDS:
        raise UsageError(
            f"{quote(text)} is not a shard",
            f"Write `3/8` for the third of eight; there are at most {MAX_SHARDS:,}",
        )
    return shard
