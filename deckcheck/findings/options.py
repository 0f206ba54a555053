"""Options in messages, named as the one who reads them would write them.

`option("games", 400)` is `--games 400` for a command, and `games=400` for a function in
Python. Each entrance says once how it names options; whoever raises an error does not
know where it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from deckcheck.findings.errors import UsageError

Naming: TypeAlias = Callable[[str, object], str]
"""From the long name of an option without dashes, and a value or None, to its text."""

_LISTS = {
    "faction": "factions",
    "opponent": "opponents",
    "policy": "policies",
    "select": "selections",
}
"""Arguments that take a list, by the options that are given several times."""


def identifier(name: str) -> str:
    """An option as an argument in Python is called, and a key of a plan."""
    return _LISTS.get(name, name.replace("-", "_"))


def of_the_command_line(name: str, value: object) -> str:
    """An option as it is typed."""
    return f"--{name}" if value is None else f"--{name} {value}"


_NAMING: ContextVar[Naming] = ContextVar("naming", default=of_the_command_line)


def option(name: str, value: object = None) -> str:
    """An option of the command line by its long name, as the caller writes it."""
    return f"`{_NAMING.get()(name, value)}`"


@contextmanager
def options_named(naming: Naming) -> Iterator[None]:
    """Let messages that are made meanwhile name options by `naming`."""
    token = _NAMING.set(naming)
    try:
        yield
    finally:
        _NAMING.reset(token)


def check_range(name: str, value: int, lowest: int, highest: int) -> None:
    """Raise UsageError for an option whose number is too small or too large."""
    if not lowest <= value <= highest:
        raise UsageError(f"{option(name)} is {value}, must be {lowest} to {highest}")
