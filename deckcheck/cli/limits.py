"""Limits that the system sets a process: too little memory, too few open files."""

from __future__ import annotations

import errno
import os
import sys

from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote

ENOUGH_MEMORY = 500 * 2**20
"""Bytes of address space with which the smallest run is played, as it was tried."""

_MEMORY = "Memory ran out"
_MORE_MEMORY = "Use fewer workers, or raise the limit: `ulimit -v unlimited`"
_FILES = (errno.EMFILE, errno.ENFILE)


def check_memory() -> None:
    """Raise UsageError where too little may be used to play a single game.

    The compiler ends the process when it finds none, and nothing can be said then.
    """
    limit = _address_space()
    if limit is not None and limit < ENOUGH_MEMORY:
        raise UsageError(
            f"Memory is limited to {limit >> 20} MB, and playing games takes "
            f"{ENOUGH_MEMORY >> 20} MB",
            "Raise the limit: `ulimit -v unlimited`",
        )


def limit_met(error: BaseException) -> UsageError | None:
    """What is said of an error that comes of a limit; None for any other error."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return UsageError(_MEMORY, _MORE_MEMORY)
    if number in _FILES:
        return UsageError(
            "Too many files are open", "Raise the limit: `ulimit -n 1024`"
        )
    if number == errno.ENAMETOOLONG and isinstance(error, OSError):
        name = quote(os.fsdecode(error.filename or ""))
        return UsageError(f"The name {name} is too long", "Choose a shorter one")
    limit = _address_space()
    is_short = limit is not None and limit < ENOUGH_MEMORY
    if is_short and isinstance(error, ImportError | OSError):
        # A library that finds no room to be loaded may give any reason.
        return UsageError(_MEMORY, _MORE_MEMORY)
    return None


def _address_space() -> int | None:
    """How many bytes this process may use at most; None for as many as there are."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
