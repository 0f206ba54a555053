"""The files that a run has read, so that it does not overwrite them."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

# By device and inode: a file has many names, and may be replaced under one of them.
_READ: ContextVar[set[tuple[int, int]] | None] = ContextVar("read", default=None)
_STDIN = 0


@contextlib.contextmanager
def reads_noted() -> Iterator[None]:
    """Note what is read meanwhile, besides what was read before; see `is_read`.

    The file that standard input comes from counts as read.
    """
    token = _READ.set(set(_READ.get() or ()))
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
            read.add((status.st_dev, status.st_ino))


def is_read(file: str | Path) -> bool:
    """Whether a file has been read, under whatever name, since reads are noted."""
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        return (status.st_dev, status.st_ino) in (_READ.get() or ())
    return False
