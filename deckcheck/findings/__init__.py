"""Findings: what the checks report, with exact positions."""

from deckcheck.findings.errors import UsageError
from deckcheck.findings.finding import Finding, Position, Related, Severity, Span
from deckcheck.findings.order import in_order
from deckcheck.findings.rule import Rule

__all__ = [
    "Finding",
    "Position",
    "Related",
    "Rule",
    "Severity",
    "Span",
    "UsageError",
    "in_order",
]
