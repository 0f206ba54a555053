"""The pieces that arrive in the inbox, and the files of ZIP archives."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePath, PurePosixPath
from typing import NamedTuple

from deckcheck.decks.decoding import MAX_BYTES
from deckcheck.messages import plural, printable

# The pieces: a file, an attachment, a row of a form


BY_FILE = "the file name"
BY_ADDRESS = "the address"
"""The words for a hint with the name of a file, with the address of the sender."""


class Hint(NamedTuple):
    """A hint to the owner of a list: `by` the file name, the sender, a row."""

    by: str
    text: str


def list_path_hints(path: PurePath) -> tuple[Hint, ...]:
    """Return the name of a file and of its folder as hints."""
    file_hint = Hint(BY_FILE, path.stem)
    if not path.parent.name:
        return (file_hint,)
    return file_hint, Hint("the folder", path.parent.name)


Rows = Sequence[Sequence[str]]
"""The cells of a table, row by row."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A list as it arrived."""

    origin: str
    """Where it was, as in `mail.eml: list.txt`."""
    name: str
    """The name of its file, whose suffix names its notation."""
    data: bytes = field(repr=False)
    """Its bytes."""
    hints: tuple[Hint, ...] = ()
    """Whatever may name its player."""
    remarks: tuple[str, ...] = ()
    """The changes to it, in sentences for the organiser."""
    fault: str | None = None
    """The reason why it is unreadable."""
    time: datetime | None = None
    """When it was received, by the row of a form or by the mail that it came in.

    The row of a form may have no time zone.
    """
    time_fault: str | None = None
    """Why nobody knows when it was received, where a deadline acts on that."""
    mail: str = ""
    """The place of the mail that it came in."""
    is_letter: bool = False
    """Whether there may be a letter around the list: a mail, the cell of a form."""
    is_form_row: bool = False
    """Whether it is a cell of a form's row."""
    is_spare: bool = False
    """Whether it counts only if nothing else arrived from its player."""
    rows: Rows | None = field(default=None, repr=False)
    """The cells of a table, which may be a form."""

    def with_remark(self, remark: str) -> Piece:
        """Return the piece with another remark."""
        return replace(self, remarks=(*self.remarks, remark))


@dataclass(slots=True)
class Budget:
    """How much of archives and emails is unpacked, over all that they hold."""

    pieces: int = 2_000
    bytes: int = 64 * MAX_BYTES
    depth: int = 4

    def spend(self, size: int) -> bool:
        """Take off a piece of `size` bytes. Return whether it may be unpacked."""
        self.pieces -= 1
        self.bytes -= size
        return self.pieces >= 0 and self.bytes >= 0

    def describe_excess(self) -> str:
        """Return the limit that was passed, in a sentence about the archive."""
        if self.pieces < 0:
            return f"it holds more than {plural(Budget().pieces, 'file')}"
        return f"it holds more than {Budget().bytes // 2**20} MiB"


# ZIP archives, unpacked into memory: their paths are never used as paths

_LITTER_NAMES = ("__MACOSX", "Thumbs.db", "desktop.ini")


class ArchiveError(ValueError):
    """Refuses an archive. The message is the reason, without a full stop."""


def is_litter(path: str) -> bool:
    """Report whether a file is hidden, or left behind by a system."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    for part in parts:
        is_hidden = part.startswith(".") and part not in (".", "..")
        if is_hidden or part in _LITTER_NAMES:
            return True
    return False


def read_archive(data: bytes, budget: Budget) -> Iterator[tuple[str, bytes | str]]:
    """Yield the path of each file of a ZIP archive, and its bytes.

    In place of bytes that cannot be read comes the reason, a text: an empty folder, a
    link, a damaged file, or a password. Stated sizes are not trusted. Raises
    ArchiveError for a damaged archive, and if the budget is spent.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            filled: set[PurePosixPath] = set()
            for name in archive.namelist():
                filled.update(PurePosixPath(name.replace("\\", "/")).parents)
            for info in archive.infolist():
                path = PurePosixPath(info.filename.replace("\\", "/"))
                if is_litter(str(path)) or (info.is_dir() and path in filled):
                    continue
                content = _read_member(archive, info, budget)
                if not budget.spend(len(content)):
                    raise ArchiveError(budget.describe_excess())
                yield str(path), content
    except ArchiveError:
        raise
    except Exception as error:
        # Each way of packing has errors of its own.
        raise ArchiveError(f"the archive is damaged: {printable(str(error))}") from None


def _read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget
) -> bytes | str:
    if info.is_dir():
        return "it is an empty folder"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link to another file"
    if info.flag_bits & 1:
        return "it needs a password"
    try:
        with archive.open(info) as stream:
            return stream.read(max(0, budget.bytes) + 1)
    except NotImplementedError as error:
        return f"it cannot be unpacked: {error}"
    except Exception as error:
        return f"it is damaged: {printable(str(error))}"
