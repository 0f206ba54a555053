"""Tables as aligned lines of a given width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from deckcheck.findings.columns import cut_apart, width, wrap, wrap_words
from deckcheck.findings.words import printable
from deckcheck.report.tables import Table

GAP = "  "
SHORTEST_LABEL = 16


@dataclass(frozen=True, slots=True)
class _Texts:
    """What a table shows: heads, rows, and what stands before the name of each row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    places: tuple[str, ...]
    matrix: bool
    whole: bool


def table_lines(table: Table, room: int) -> Iterator[str]:
    """The table under its title, in lines of `room` columns at most."""
    yield from wrap(printable(table.title), room)
    yield ""
    columns = tuple(map(printable, table.heads))
    rows = tuple(tuple(map(printable, row)) for row in table.texts)
    texts = _Texts(columns, rows, table.places, table.matrix, table.whole)
    yield from _body_lines(texts, room)
    if table.note is not None:
        yield ""
        yield from wrap(printable(table.note), room)


def _body_lines(table: _Texts, room: int) -> Iterator[str]:
    label, *figures = _column_widths(table)
    left = room - sum(figures) - len(GAP) * len(figures)
    if _is_enough(left, label, table):
        yield from _side_by_side(table, min(label, left), figures)
    elif table.matrix:
        yield from _in_parts(table, min(label, room // 3), max(figures), room)
    elif left >= 0:
        yield from _stacked(table, figures, room)
    else:
        yield from _spelled_out(table, room)


def _is_enough(left: int, label: int, table: _Texts) -> bool:
    """Whether names that need `label` columns can be told in those that are left.

    A third of a name may be cut; in a matrix, whose parts repeat the names, more.
    """
    if table.whole:
        return left >= label
    kept = 0 if table.matrix else label * 2 // 3
    return left >= min(label, max(SHORTEST_LABEL, kept))


def _side_by_side(table: _Texts, label: int, figures: Sequence[int]) -> Iterator[str]:
    yield _line(table.columns, label, figures)
    for name, row in zip(_names(table, label), table.rows, strict=True):
        yield _line((name, *row[1:]), label, figures)


def _names(table: _Texts, room: int) -> Iterator[str]:
    """The names of the rows behind their places, cut to fit."""
    places = table.places
    left = room - width("".join(places[:1]))
    shown = cut_apart((row[0] for row in table.rows), left)
    for place, row in zip(places, table.rows, strict=True):
        yield place + shown[row[0]]


def _stacked(table: _Texts, figures: Sequence[int], room: int) -> Iterator[str]:
    """Each row on two lines: its name, and its figures below."""
    yield _line(("", *table.columns[1:]), 0, figures)
    for place, row in zip(table.places, table.rows, strict=True):
        yield from wrap(row[0], room, place)
        yield _line(("", *row[1:]), 0, figures)


def _spelled_out(table: _Texts, room: int) -> Iterator[str]:
    """Each row by itself: its name, and below it each figure with its column."""
    for number, (place, row) in enumerate(zip(table.places, table.rows, strict=True)):
        if number:
            yield ""
        yield from wrap(row[0], room, place)
        pairs = zip(table.columns[1:], row[1:], strict=True)
        *most, last = (f"{column} {cell}" for column, cell in pairs)
        yield from wrap_words([*(f"{longest}," for longest in most), last], room, GAP)


def _in_parts(table: _Texts, label: int, figure: int, room: int) -> Iterator[str]:
    """As many columns at a time as fit, with the names each time."""
    fitting = max(1, (room - label) // (figure + len(GAP)))
    for first in range(1, len(table.columns), fitting):
        if first > 1:
            yield ""
        part = slice(first, first + fitting)
        columns = (table.columns[0], *table.columns[part])
        rows = tuple((row[0], *row[part]) for row in table.rows)
        some = replace(table, columns=columns, rows=rows)
        yield from _side_by_side(some, label, [figure] * (len(columns) - 1))


def _line(row: Sequence[str], label: int, figures: Sequence[int]) -> str:
    cells = [row[0] + " " * (label - width(row[0]))]
    for cell, room in zip(row[1:], figures, strict=True):
        cells.append(" " * (room - width(cell)) + cell)
    return GAP.join(cells).rstrip()


def _column_widths(table: _Texts) -> list[int]:
    places = max(map(width, table.places), default=0)
    columns = zip(table.columns, *table.rows, strict=True)
    label, *figures = (max(map(width, column)) for column in columns)
    return [places + label, *figures]
