"""The log of an internal error."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from deckcheck.version import __version__


def write_log(error: BaseException, arguments: Sequence[str]) -> Path | None:
    """Write what is needed to understand `error`; None when no folder can be written.

    The log goes to the user's log folder, else to the folder for temporary files.
    """
    text = _describe(error, arguments)
    for folder in _folders():
        file = folder / f"crash-{os.getpid()}.log"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return file
    return None


def _folders() -> Iterator[Path]:
    from platformdirs import user_log_path

    # Without a home folder there is none for logs either, and a system that is
    # read-only may have none for temporary files.
    with contextlib.suppress(OSError, RuntimeError):
        yield user_log_path("deckcheck", appauthor=False)
    with contextlib.suppress(OSError):
        yield Path(tempfile.gettempdir())


def _describe(error: BaseException, arguments: Sequence[str]) -> str:
    trace = "".join(traceback.format_exception(error))
    return (
        f"deckcheck {__version__}\n"
        f"Python {sys.version}\n"
        f"{platform.platform()}\n"
        f"arguments: {list(arguments)!r}\n"
        f"folder: {_working_folder()}\n\n{trace}"
    )


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "gone"
