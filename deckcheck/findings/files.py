"""Opening what the user names: files, and pipes that the shell hands over."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from deckcheck.findings.words import quote

__all__ = ["open_file", "path_fault"]

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


def open_file(file: str | Path) -> BinaryIO:
    """Open a file, or a pipe that the shell hands over, for reading bytes.

    Raises OSError with a reason in `strerror`, also for what would never end or never
    begin: named pipes, sockets, devices. Nobody may be writing into a named pipe.
    """
    name = os.fspath(file)
    try:
        mode = os.stat(name).st_mode
    except ValueError:
        raise OSError(errno.EINVAL, "no path can be called so", name) from None
    if not stat.S_ISREG(mode) and not os.path.abspath(name).startswith(_HANDED_OVER):
        kind = next((word for is_kind, word in _KINDS if is_kind(mode)), "a device")
        raise OSError(errno.EINVAL, f"{kind}, not a file", name)
    return open(name, "rb")
