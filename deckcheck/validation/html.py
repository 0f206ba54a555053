"""What a notebook shows of a validation."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards.changes import told
from deckcheck.findings.html_text import html_table
from deckcheck.validation.verdicts import DeckReport, Validation

__all__ = ["validation_html"]

COLUMNS = ("deck", "format", "verdict", "line", "finding", "help")


def validation_html(run: Validation) -> str:
    """A row for each finding, or for a deck without any."""
    rows = [row for report in run.reports for row in _rows(report)]
    formats = [f"{fmt.id} ({fmt.snapshot})" for fmt in run.formats]
    digest = [f"digest {run.digest}"] if run.digest else []
    return html_table(
        COLUMNS, rows, [", ".join([*formats, *digest]), *told(run.changes)]
    )


def _rows(report: DeckReport) -> Sequence[Sequence[object]]:
    name = report.source.path if report.name is None else report.name
    fmt = report.format.id if report.format else None
    head = (name, fmt, "legal" if report.legal else "illegal")
    if not report.findings:
        return [(*head, None, None, None)]
    return [
        (*head, each.span.start.line, f"{each.name}: {each.message}", each.help)
        for each in report.findings
    ]
