"""A finding as plain data, as `json` and `jsonl` write it."""

from __future__ import annotations

from typing import Any

from deckcheck.findings import Finding, Position, Span

SCHEMA_VERSION = 1
"""Of the document of a run; keys are never removed, more may be added."""


def finding_object(finding: Finding) -> dict[str, Any]:
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


def _span(span: Span) -> dict[str, Any]:
    return {"start": _position(span.start), "end": _position(span.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}
