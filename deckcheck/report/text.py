"""A simulation as plain text: aligned, for screens of any width and for pipes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category, combining, east_asian_width

from deckcheck.findings.words import printable
from deckcheck.report.sections import Report, Table

__all__ = ["as_text"]

GAP = "  "
SHORTEST_LABEL = 16
NARROWEST = 80


def as_text(report: Report, width: int = 80) -> str:
    """Return the tables of `report`, laid out for `width` columns (80 at least)."""
    width = max(width, NARROWEST)
    paragraphs = ["\n".join(_table_lines(table, width)) for table in report.tables]
    notes = [_wrapped(f"warning: {note}", width) for note in report.warnings]
    paragraphs.extend("\n".join(lines) for lines in notes)
    label = max(len(name) for name, _ in report.facts)
    paragraphs.append(
        "\n".join(
            line
            for name, fact in report.facts
            for line in _wrapped(fact, width, f"{name:<{label}}{GAP}")
        )
    )
    return "\n\n".join(paragraphs) + "\n"


def _table_lines(table: Table, width: int) -> Iterator[str]:
    yield from _wrapped(table.title, width)
    yield ""
    yield from _body_lines(_cleaned(table), width)
    if table.note is not None:
        yield ""
        yield from _wrapped(printable(table.note), width)


def _body_lines(table: Table, width: int) -> Iterator[str]:
    figures = _column_widths(table)[1:]
    room = width - sum(figures) - len(GAP) * len(figures)
    widest = max(_cells(row[0]) for row in (table.columns, *table.rows))
    if room >= min(widest, SHORTEST_LABEL):
        yield from _side_by_side(table, [min(widest, room), *figures])
    elif table.matrix:
        yield from _in_parts(table, width)
    else:
        yield from _stacked(table, [2, *figures])


def _side_by_side(table: Table, widths: Sequence[int]) -> Iterator[str]:
    for row in (table.columns, *table.rows):
        yield _line(row, widths)


def _stacked(table: Table, widths: Sequence[int]) -> Iterator[str]:
    """Each row on two lines: its name, and its figures below."""
    yield _line(("", *table.columns[1:]), widths)
    for row in table.rows:
        yield _cut(row[0], sum(widths) + len(GAP) * (len(widths) - 1))
        yield _line(("", *row[1:]), widths)


def _in_parts(table: Table, width: int) -> Iterator[str]:
    """As many columns at a time as fit."""
    widest = max(_column_widths(table)[1:])
    label = min(max(_cells(row[0]) for row in table.rows), width // 3)
    fitting = max(1, (width - label) // (widest + len(GAP)))
    for first in range(1, len(table.columns), fitting):
        if first > 1:
            yield ""
        for row in (table.columns, *table.rows):
            part = (row[0], *row[first : first + fitting])
            yield _line(part, [label, *[widest] * (len(part) - 1)])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    label = _cut(row[0], widths[0])
    padded = label + " " * (widths[0] - _cells(label))
    figures = (f"{cell:>{n}}" for cell, n in zip(row[1:], widths[1:], strict=True))
    return GAP.join((padded, *figures)).rstrip()


def _column_widths(table: Table) -> list[int]:
    columns = zip(table.columns, *table.rows, strict=True)
    return [max(_cells(cell) for cell in column) for column in columns]


def _cleaned(table: Table) -> Table:
    rows = tuple((printable(row[0]), *row[1:]) for row in table.rows)
    return Table(table.title, table.columns, rows, table.matrix, table.note)


def _wrapped(text: str, width: int, lead: str = "") -> list[str]:
    return textwrap.wrap(
        printable(text), width, initial_indent=lead, subsequent_indent=" " * len(lead)
    )


def _cells(text: str) -> int:
    """Return how many columns `text` takes on a screen."""
    return sum(_cell(c) for c in text)


def _cell(character: str) -> int:
    if combining(character) or category(character) == "Cf":
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _cut(text: str, width: int) -> str:
    if _cells(text) <= width:
        return text
    return "".join(_until(text, width - 1)).rstrip() + "…"


def _until(text: Iterable[str], width: int) -> Iterator[str]:
    for character in text:
        width -= _cell(character)
        if width < 0:
            return
        yield character
