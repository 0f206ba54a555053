"""Arguments of the Python API: checked, with a sentence for what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

from deckcheck.cards import Root
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.files import path_fault
from deckcheck.findings.options import identifier, options_named
from deckcheck.findings.words import quote

Target: TypeAlias = str | PathLike[str]
"""A file, a folder or a glob."""

Names: TypeAlias = str | Sequence[str]
"""One name or several."""

CardDb: TypeAlias = Target | Sequence[Target] | None
"""Folders with a sub-folder for each game; none for our own."""

DEEPEST = 50

P = ParamSpec("P")
R = TypeVar("R")


class Judging(NamedTuple):
    """By what decks are judged: as the options of the command line say."""

    format: str | None
    root: Root
    rules: tuple[str, ...]
    as_of: str | None

    @classmethod
    def of(
        cls, format: Target | None, card_db: CardDb, rule: Names, as_of: str | None
    ) -> Judging:
        """Check the four arguments."""
        return cls(
            None if format is None else _path("format", format, "the id of a format"),
            _card_db(card_db),
            names("rule", rule),
            None if as_of is None else text_of("as_of", as_of),
        )


def targets_of(
    given: Sequence[object],
    what: str,
    expected: str = "a deck, a file, a folder or a glob",
) -> Iterator[Deck | str]:
    """The decks and paths among the arguments of the function `what`, lists resolved.

    Raises UsageError for anything else, and when there is nothing at all.
    """
    targets = [argument for one in given for argument in _flat(one, what)]
    if not targets:
        raise UsageError(f"`{what}` got no deck", "Name files, folders or globs")
    for target in targets:
        if isinstance(target, Deck):
            yield target
        else:
            yield _path(what, target, expected)


def files_of(given: Sequence[object], what: str) -> list[str]:
    """The same where only paths make sense."""
    targets = list(targets_of(given, what, "a file, a folder or a glob"))
    for target in targets:
        if isinstance(target, Deck):
            message = f"`{what}` got the deck {quote(target.name)}, expected a path"
            raise UsageError(message, "A deck needs no reading")
    return [str(target) for target in targets]


def _flat(one: object, what: str, depth: int = 0) -> Iterator[object]:
    if depth > DEEPEST:
        message = f"`{what}` got lists nested deeper than {DEEPEST} levels"
        raise UsageError(message, "Give the decks one by one, or as one list")
    if isinstance(one, (list, tuple)):
        for element in one:
            yield from _flat(element, what, depth + 1)
    else:
        yield one


def text_of(name: str, value: object) -> str:
    """A text, or UsageError."""
    if not isinstance(value, str):
        raise _wrong(name, value, "text")
    return value


def names(name: str, value: object) -> tuple[str, ...]:
    """One name or several, or UsageError."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)):
        raise _wrong(name, value, "text or a list of texts")
    return tuple(text_of(name, text) for text in value)


def folder(name: str, value: object) -> Path | None:
    """A folder or file by its path, or UsageError."""
    return None if value is None else Path(_path(name, value, "a path"))


def whole_number(name: str, value: object) -> int:
    """A whole number, those of numpy too, or UsageError."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        return int(value.__index__())
    raise _wrong(name, value, "a whole number")


def flag(name: str, value: object) -> bool:
    """True or False, or UsageError."""
    if not isinstance(value, bool):
        raise _wrong(name, value, "True or False")
    return value


def optional_number(name: str, value: object) -> int | None:
    """The same, or None."""
    return None if value is None else whole_number(name, value)


def number(name: str, value: object) -> float:
    """A number, those of numpy too, or UsageError."""
    if not isinstance(value, (bool, str)) and hasattr(value, "__float__"):
        return float(value.__float__())
    raise _wrong(name, value, "a number")


def callable_or_none(name: str, value: object, method: str | None = None) -> Any:
    """Something to be called, or something with that method, or None."""
    called: Callable[..., object] | None = value  # type: ignore[assignment]
    if method is not None and value is not None:
        called = getattr(value, method, None)
        if not callable(called):
            raise _wrong(name, value, f"an object with `{method}`")
    if called is not None and not callable(called):
        raise _wrong(name, value, "a function")
    return value


def _card_db(value: object) -> Root:
    if value is None:
        return None
    given = value if isinstance(value, (list, tuple)) else [value]
    return tuple(Path(_path("card_db", path, "a path")) for path in given)


def _path(name: str, value: object, expected: str) -> str:
    path = os.fspath(value) if isinstance(value, PathLike) else value
    if not isinstance(path, str):
        raise _wrong(name, value, expected)
    fault = path_fault(path)
    if fault is not None:
        raise UsageError(fault)
    return path


def in_python(function: Callable[P, R]) -> Callable[P, R]:
    """Let messages name arguments where the command line has options."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with options_named(_argument):
            return function(*args, **kwargs)

    return run


def _argument(option: str, value: object) -> str:
    name = identifier(option)
    return name if value is None else f"{name}={value!r}"


def _wrong(name: str, value: object, expected: str) -> UsageError:
    kind = "None" if value is None else f"a value of type `{type(value).__name__}`"
    return UsageError(f"`{name}` got {kind}, expected {expected}")
