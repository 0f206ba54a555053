"""What several commands print alike: lines for people, columns of words, JSON.

Everything for people goes through here or through `printable`: words of decks and
files must not steer a terminal.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Mapping, Sequence

import typer

from deckcheck.findings.words import printable, printable_lines

__all__ = ["columns", "print_file", "print_json", "say", "tell", "tell_notes"]


def say(text: str = "") -> None:
    """Print lines for people on standard output."""
    typer.echo(printable_lines(text))


def tell(text: str) -> None:
    """Print lines on standard error, if anybody takes them."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        print(printable_lines(text), file=sys.stderr, flush=True)


def tell_notes(notes: Iterable[str]) -> None:
    """Say on standard error what is worth a look and no mistake, a line each."""
    for note in notes:
        tell(f"note: {note}")


def print_file(text: str) -> None:
    """Print what could be kept as a file: as it is, unless a terminal shows it."""
    shown = printable_lines(text) if sys.stdout.isatty() else text
    typer.echo(shown, nl=False)


def columns(rows: Sequence[tuple[str, ...]], indent: str = "") -> str:
    """The rows with their cells in columns, a line each."""
    cells = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        indent
        + "  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def print_json(document: Mapping[str, object]) -> None:
    """Print a document as people and programs can read it."""
    from deckcheck.findings.json_text import json_text

    typer.echo(json_text(document), nl=False)
