"""Findings: what the checks report, with exact positions."""

from deckcheck.findings.finding import Finding, Position, Related, Severity, Span

__all__ = ["Finding", "Position", "Related", "Severity", "Span"]
