"""A simulation as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings.markdown_text import bold, message, plain, table_row
from deckcheck.report.sections import Report
from deckcheck.report.tables import Table


def as_markdown(report: Report) -> str:
    """Return the tables of `report` and how its games were played."""
    parts = [message(answer, bold) for answer in report.answers]
    parts += ["\n".join(_table_lines(table)) for table in report.tables]
    parts.extend(f"> **Warning:** {message(note)}" for note in report.warnings)
    parts.append("\n".join(f"- {name}: {message(fact)}" for name, fact in report.facts))
    return "\n\n".join(parts) + "\n"


def _table_lines(table: Table) -> Iterator[str]:
    yield f"### {plain(table.title)}"
    yield ""
    yield table_row(map(plain, table.heads))
    yield table_row(["---", *["---:"] * (len(table.heads) - 1)])
    for place, row in zip(table.places, table.texts, strict=True):
        yield table_row(map(plain, (place + row[0], *row[1:])))
    if table.note is not None:
        yield ""
        yield message(table.note)
