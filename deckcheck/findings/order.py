"""The one order in which findings are shown."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.findings.finding import Finding


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by file, line, column, code, so that equal input gives equal bytes."""
    return tuple(sorted(findings, key=_key))


def _key(finding: Finding) -> tuple[str, int, int, str, str]:
    start = finding.span.start
    return finding.path, start.line, start.column, finding.code, finding.message
