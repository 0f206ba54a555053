"""One process at a time writes a run directory.

The lock is the system's own: it ends with its process, however that ends. The file
says who holds it, for the message to others.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from socket import gethostname

from deckcheck.findings import UsageError
from deckcheck.findings.files import unusable
from deckcheck.findings.words import printable, quote

LOCK = "lock"
BEYOND = 1 << 20
"""Where Windows locks a byte: what it locks, others cannot read."""


READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


class ReadOnlyError(UsageError):
    """A folder that may be read and not written."""


class Lock:
    """The lock of a folder, held until it is released.

    Raises UsageError when another process holds it, or the folder is not writable, and
    then ReadOnlyError where that is so for as long as nobody changes it.
    """

    def __init__(self, folder: Path) -> None:
        file = folder / LOCK
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
            raise UsageError(
                f"{quote(str(folder))} is being written by {holder or 'another run'}",
                "Wait for its end, or name another directory",
            ) from None
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.write(self._handle, f"process {os.getpid()} on {gethostname()}".encode())

    def release(self) -> None:
        """Let others write; the file stays, empty."""
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
        os.close(self._handle)


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        os.lseek(handle, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
