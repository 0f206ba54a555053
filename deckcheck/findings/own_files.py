"""Files kept for the next run, which only the user can have written.

Kept code is run and kept pickles are run as well, so what others may have put there is
never read: a file or folder of another user, one that others may write to, a link.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

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
