"""A finding as plain data, as `json` and `jsonl` write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.findings import Finding, Position, Span

if TYPE_CHECKING:
    from deckcheck.validation.document import (
        FindingDocument,
        PositionDocument,
        SpanDocument,
    )


def finding_data(finding: Finding) -> FindingDocument:
    """A finding as `json` and `jsonl` write it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": finding.path,
        **_span(finding.span),
        "notes": list(finding.notes),
        "help": finding.help,
        "related": [
            {"message": related.message, **_span(related.span)}
            for related in finding.related
        ],
    }


def position_data(position: Position) -> PositionDocument:
    """A place as line and column."""
    return {"line": position.line, "column": position.column}


def _span(span: Span) -> SpanDocument:
    return {"start": position_data(span.start), "end": position_data(span.end)}
