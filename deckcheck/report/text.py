"""A simulation as plain text: aligned, for screens of any width and for pipes."""

from __future__ import annotations

from deckcheck.findings.columns import wrap
from deckcheck.findings.words import printable
from deckcheck.report.layout import GAP, table_lines
from deckcheck.report.sections import Report

NARROWEST = 40


def as_text(report: Report, width: int = 80) -> str:
    """Return the tables of `report`, laid out for `width` columns (40 at least)."""
    width = max(width, NARROWEST)
    paragraphs = [
        "\n".join(wrap(printable(answer), width)) for answer in report.answers
    ]
    paragraphs += ["\n".join(table_lines(table, width)) for table in report.tables]
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
