"""`gitlab`: a Code Quality report, which GitLab shows in merge requests."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings import Finding, Severity
from deckcheck.findings.style import Style
from deckcheck.findings.words import printable
from deckcheck.reporters.base import write_object
from deckcheck.reporters.fingerprints import fingerprinted
from deckcheck.validation import Validation

__all__ = ["write_gitlab"]

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.NOTE: "info",
}


def write_gitlab(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a list of findings; each has a fingerprint that survives line moves."""
    write_object([_issue(*fingerprint) for fingerprint in fingerprinted(run)], stream)


def _issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    start, end = finding.span
    return {
        "description": f"{finding.code} {finding.name}: {printable(finding.message)}",
        "check_name": finding.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.path,
            "lines": {"begin": start.line, "end": end.line},
        },
    }
