"""SARIF for code scanning, of a command that could not be carried out."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from deckcheck.findings.errors import UsageError

COMMANDS = ("validate", "event")
FORMAT, OUTPUT = "--output-format", ("-o", "--output")


def log_misuse(arguments: Sequence[str], message: str, help: str | None) -> None:
    """Write the SARIF file that a command was asked for, with its error in it.

    The arguments are looked at as they stand: what is wrong may be one of them. No
    file is replaced but one that deckcheck has written.
    """
    if not arguments or arguments[0] not in COMMANDS:
        return
    places = list(_places(arguments))
    if not places:
        return
    from deckcheck.reporters.sarif import write_misuse

    stream = io.StringIO()
    write_misuse(message, help, stream)
    for place in places:
        if place is None:
            with contextlib.suppress(OSError):
                sys.stdout.write(stream.getvalue())
        elif _is_ours(place):
            from deckcheck.cli.writing import write_file

            with contextlib.suppress(UsageError):
                write_file(place, stream.getvalue())


def _places(arguments: Sequence[str]) -> Iterator[str | None]:
    """The files of SARIF that were asked for; None is standard output."""
    rest = next(_values(arguments, OUTPUT), None)
    for value in _values(arguments, (FORMAT,)):
        name, _, file = value.partition(":")
        if name == "sarif":
            yield file or rest


def _values(arguments: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    for at, word in enumerate(arguments):
        if word == "--":
            return
        name, equals, value = word.partition("=")
        if equals and name in names:
            yield value
        elif word in names and at + 1 < len(arguments):
            yield arguments[at + 1]


def _is_ours(place: str) -> bool:
    """Whether a file is not there, empty, or an output of deckcheck."""
    from deckcheck.decks.recognising import HEAD, own_kind
    from deckcheck.decks.recognising import OUTPUT as OWN

    if not os.path.lexists(place):
        return True
    if not os.path.isfile(place):
        return False
    with contextlib.suppress(OSError), open(place, "rb") as stream:
        text = stream.read(HEAD).decode("utf-8", errors="replace")
        return not text or own_kind(text, f"{Path(place).stem}.json") == OWN
    return False
