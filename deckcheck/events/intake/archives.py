"""ZIP archives, unpacked into memory: no path of theirs is ever used as one."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from deckcheck.events.intake.pieces import Budget
from deckcheck.findings.words import plural, quote

_LITTER = ("__MACOSX", "Thumbs.db", "desktop.ini")


class ArchiveError(ValueError):
    """Why an archive is not unpacked, in a sentence without a full stop."""


def is_litter(path: str) -> bool:
    """Whether a file is one that systems leave behind, or hidden."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    hidden = (part.startswith(".") and part not in (".", "..") for part in parts)
    return any(hidden) or any(part in _LITTER for part in parts)


def members(data: bytes, budget: Budget) -> Iterator[tuple[str, bytes]]:
    """The name of each file of an archive, without its folders, and its bytes.

    What an archive says of its sizes is not believed. Raises ArchiveError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if info.is_dir() or is_litter(info.filename):
                    continue
                name = PurePosixPath(info.filename.replace("\\", "/")).name
                if info.flag_bits & 1:
                    raise ArchiveError(f"{quote(name)} in it needs a password")
                with archive.open(info) as stream:
                    content = stream.read(max(0, budget.bytes) + 1)
                if not budget.spend(len(content)):
                    raise ArchiveError(_too_much(budget))
                yield name, content
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise ArchiveError(f"the archive is damaged: {error}") from None
    except (NotImplementedError, RuntimeError) as error:
        raise ArchiveError(f"the archive cannot be unpacked: {error}") from None


def _too_much(budget: Budget) -> str:
    if budget.pieces < 0:
        return f"it holds more than {plural(Budget().pieces, 'file')}"
    return f"it holds more than {Budget().bytes // 2**20} MiB"
