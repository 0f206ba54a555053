"""Small tables of HTML, as notebooks show the value of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from deckcheck.findings.words import printable

MOST_ROWS = 50


def html_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str]
) -> str:
    """A table with its head, and the notes below it, all texts escaped."""
    head = "".join(f"<th>{_safe(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in row)}</tr>"
        for row in rows[:MOST_ROWS]
    )
    if len(rows) > MOST_ROWS:
        notes = [f"... and {len(rows) - MOST_ROWS:,} more rows", *notes]
    below = "<br>".join(map(_safe, notes))
    return f"<table><tr>{head}</tr>{body}</table><p>{below}</p>"


def _safe(cell: object) -> str:
    return escape(printable("" if cell is None else str(cell)))
