"""A simulation as plain text: aligned, for screens of any width and for pipes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deckcheck.findings.columns import wrap
from deckcheck.findings.options import option
from deckcheck.findings.words import plural, printable
from deckcheck.report.layout import GAP, table_lines
from deckcheck.report.sections import Report
from deckcheck.report.tables import Table

NARROWEST = 40
MOST_ROWS = 100
MOST_IN_MATRIX = 40


def as_text(report: Report, width: int = 80, *, whole: bool = False) -> str:
    """Return the tables of `report`, laid out for `width` columns (40 at least).

    Long tables end where a reader stops, unless they are to be `whole`.
    """
    width = max(width, NARROWEST)
    paragraphs = [
        "\n".join(wrap(printable(answer), width)) for answer in report.answers
    ]
    paragraphs += [
        "\n".join(table_lines(table, width) if whole else _lines(table, width))
        for table in report.tables
    ]
    notes = [wrap(printable(f"warning: {note}"), width) for note in report.warnings]
    paragraphs.extend("\n".join(lines) for lines in notes)
    label = max(len(name) for name, _ in report.facts)
    paragraphs.append(
        "\n".join(
            line
            for name, fact in report.facts
            for line in wrap(printable(fact), width, f"{name:<{label}}{GAP}")
        )
    )
    return "\n\n".join(paragraphs) + "\n"


def _lines(table: Table, width: int) -> Iterator[str]:
    """The lines of a table, or of its first rows and where the others are."""
    rows = len(table.rows)
    if table.matrix and len(table.columns) - 1 > MOST_IN_MATRIX:
        yield from wrap(
            printable(f"{table.title}: {_elsewhere(plural(rows, 'row'))}"), width
        )
        return
    more = rows - MOST_ROWS
    if more <= 0:
        yield from table_lines(table, width)
        return
    yield from table_lines(replace(table, rows=table.rows[:MOST_ROWS]), width)
    yield ""
    yield from wrap(_elsewhere(plural(more, "more row")), width)


def _elsewhere(rows: str) -> str:
    """Where rows are that are not shown."""
    return f"{rows}, which {option('output-format', 'html:page.html')} has"
