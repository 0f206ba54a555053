"""`rdjson`: the Reviewdog Diagnostic Format, for comments in code reviews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from deckcheck.findings import Finding, Position, Severity, Span
from deckcheck.findings.style import Style
from deckcheck.reporters.base import full_message, write_object
from deckcheck.reporters.snippet import split_lines
from deckcheck.validation import Validation

__all__ = ["write_rdjson"]

_SEVERITIES = {
    Severity.ERROR: "ERROR",
    Severity.WARNING: "WARNING",
    Severity.NOTE: "INFO",
}


def write_rdjson(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write one object; its columns count bytes of UTF-8, as the format wants it."""
    diagnostics = []
    text, lines = "", [""]
    for report in run.parts:
        if report.findings and report.text is not text:
            text, lines = report.text, split_lines(report.text)
        diagnostics += [_diagnostic(finding, lines) for finding in report.findings]
    content = {"source": {"name": "deckcheck"}, "diagnostics": diagnostics}
    write_object(content, stream)


def _diagnostic(finding: Finding, lines: Sequence[str]) -> dict[str, object]:
    content: dict[str, object] = {
        "message": full_message(finding),
        "location": _location(finding.path, finding.span, lines),
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": f"{finding.code} {finding.name}"},
    }
    if finding.related:
        content["related_locations"] = [
            {
                "message": related.message,
                "location": _location(finding.path, related.span, lines),
            }
            for related in finding.related
        ]
    return content


def _location(path: str, span: Span, lines: Sequence[str]) -> dict[str, object]:
    start, end = (_position(position, lines) for position in span)
    return {"path": path, "range": {"start": start, "end": end}}


def _position(position: Position, lines: Sequence[str]) -> dict[str, int]:
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    before = line[: position.column - 1]
    wider = len(before.encode("utf-8", errors="surrogatepass")) - len(before)
    return {"line": position.line, "column": position.column + wider}
