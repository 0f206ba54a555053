"""Shared printing of commands: lines for people, columns of words, JSON.

Everything for people goes through here or through `printable`: words of decks and
files must not steer a terminal.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import typer

from deckcheck.findings.words import printable, printable_lines

if TYPE_CHECKING:
    from deckcheck.findings.style import Style


Paint: TypeAlias = Callable[[str], str]
"""Puts a colour around text that is printable."""


def say(text: str = "", paint: Paint = str) -> None:
    """Print lines for people on standard output."""
    # The marks of colours are ours: nothing else that steers is left.
    typer.echo(paint(printable_lines(text)), color=True)


def tell(text: str) -> None:
    """Print lines on standard error, if anybody takes them."""
    tell_painted(printable_lines(text))


def tell_painted(text: str) -> None:
    """Print on standard error what is printable already, and may have colours."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def style_of(color: str, file: object = None, *, is_error: bool = False) -> Style:
    """How to paint, by `--color`, what goes to `file`, or to a standard stream."""
    from deckcheck.findings.style import Style, wants_color

    if file is not None:
        return Style(color == "always")
    stream = sys.stderr if is_error else sys.stdout
    return Style(wants_color(color, stream, os.environ))


def tell_notes(notes: Iterable[str], *, quiet: bool = False) -> None:
    """Say on standard error what is worth a look and no mistake, a line each."""
    for note in notes if not quiet else ():
        tell(f"note: {note}")


def print_file(text: str) -> None:
    """Print what could be kept as a file: as it is, unless a terminal shows it."""
    shown = printable_lines(text) if sys.stdout.isatty() else text
    typer.echo(shown, nl=False)


def say_table(rows: Sequence[tuple[str, ...]], style: Style) -> None:
    """Print rows in columns, the first of them as a heading."""
    head, _, rest = columns(rows).partition("\n")
    say(head, style.strong)
    if rest:
        say(rest)


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
