"""The HTML of judged decks in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckcheck.findings import Finding
from deckcheck.findings.html_text import html_table

COLUMNS = ("deck", "format", "verdict", "line", "finding", "help")

Cells = tuple[object, ...]


def reports_table(rows: Iterable[Cells], notes: Sequence[str]) -> str:
    """The table of the rows of all reports."""
    return html_table(COLUMNS, list(rows), notes)


def report_rows(head: Cells, findings: Sequence[Finding]) -> list[Cells]:
    """A row for each finding of a deck, or one without any; `head` is the deck's."""
    if not findings:
        return [(*head, None, None, None)]
    return [
        (
            *head,
            finding.span.start.line,
            f"{finding.name}: {finding.message}",
            finding.help,
        )
        for finding in findings
    ]
