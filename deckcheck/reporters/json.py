"""`json`: everything, for programs. Keys are never removed, more may be added."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings import Finding, Position, Span
from deckcheck.findings.json_text import document_head
from deckcheck.findings.style import Style
from deckcheck.reporters.base import write_object
from deckcheck.validation import DeckReport, Validation

__all__ = ["SCHEMA_VERSION", "finding_object", "validation_object", "write_json"]

SCHEMA_VERSION = 1


def write_json(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write one object; colour and the wish for a summary change nothing."""
    write_object(validation_object(run), stream)


def validation_object(run: Validation) -> dict[str, object]:
    """A run as `json` writes it; what is said of whole files is only counted."""
    findings = sum(len(part.findings) for part in run.parts)
    legal = sum(report.legal for report in run.reports)
    return {
        **document_head(SCHEMA_VERSION),
        "digest": run.digest,
        "summary": {
            "decks": len(run.reports),
            "legal": legal,
            "findings": findings,
            "suppressed": sum(len(report.suppressed) for report in run.reports),
        },
        "left_out": run.left_out.as_data(),
        "changes": [change.as_data() for change in run.changes],
        "decks": [_deck(report) for report in run.reports],
    }


def _deck(report: DeckReport) -> dict[str, object]:
    return {
        "path": report.source.path,
        "index": report.source.index,
        "name": report.name,
        "format": report.format.id if report.format else None,
        "snapshot": report.format.snapshot if report.format else None,
        "legal": report.legal,
        "findings": [finding_object(finding) for finding in report.findings],
    }


def finding_object(finding: Finding) -> dict[str, object]:
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


def _span(span: Span) -> dict[str, object]:
    return {"start": _position(span.start), "end": _position(span.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}
