"""The contract of a reporter."""

from __future__ import annotations

from typing import Protocol, TextIO

from deckcheck.cards.changes import change_lines
from deckcheck.findings import Finding, Severity
from deckcheck.findings.json_text import json_pieces
from deckcheck.findings.style import Style
from deckcheck.findings.words import plural, printable
from deckcheck.formats.models import Format
from deckcheck.validation import Validation

__all__ = [
    "Reporter",
    "count_severities",
    "full_message",
    "left_out_line",
    "name_formats",
    "summarise",
    "summary_lines",
    "write_object",
]


class Reporter(Protocol):
    """Writes the verdicts of a run to a stream.

    `with_summary` asks for a closing summary where the output has one.
    """

    def __call__(
        self, run: Validation, stream: TextIO, style: Style, with_summary: bool
    ) -> None: ...


def summarise(run: Validation, style: Style) -> str:
    """`3 decks checked, 2 legal, 1 illegal (2 errors, 1 warning)`."""
    total = len(run.reports)
    legal = sum(report.legal for report in run.reports)
    parts = [f"{plural(total, 'deck')} checked"]
    if legal:
        parts.append(style.good(f"{legal} legal"))
    if legal < total:
        parts.append(style.severity(Severity.ERROR, f"{total - legal} illegal"))
    return ", ".join(parts) + count_severities(run)


def summary_lines(run: Validation, style: Style) -> list[str]:
    """The summary, and the files that are no decks and were not read."""
    return [summarise(run, style), *left_out_line(run)]


def left_out_line(run: Validation) -> list[str]:
    """`Left out: 2 .jpg, 1 excluded`; no line for nothing."""
    return [f"Left out: {run.left_out}"] if run.left_out else []


def count_severities(run: Validation) -> str:
    """` (2 errors, 1 warning, 3 suppressed)`; nothing without findings."""
    severities = [finding.severity for part in run.parts for finding in part.findings]
    counts = [
        plural(severities.count(severity), severity.value)
        for severity in Severity
        if severity in severities
    ]
    suppressed = sum(len(report.suppressed) for report in run.reports)
    if suppressed:
        counts.append(f"{suppressed} suppressed")
    return f" ({', '.join(counts)})" if counts else ""


def name_formats(run: Validation) -> list[str]:
    """`gwent/standard (2025-10), digest 0123456789ab`; nothing without a format.

    A line for each set of a user's own says what it does to the cards.
    """
    names = [_named(fmt) for fmt in run.formats]
    if not names:
        return []
    head = ", ".join([*names, f"digest {run.digest}"])
    return [printable(line) for line in (head, *change_lines(run.changes))]


def _named(fmt: Format) -> str:
    return f"{fmt.id} ({fmt.month})"


def full_message(finding: Finding) -> str:
    """The message with notes and help, a line each, for outputs with one text."""
    help = [finding.help] if finding.help else []
    return "\n".join(map(printable, [finding.message, *finding.notes, *help]))


def write_object(content: object, stream: TextIO) -> None:
    """Write one JSON document, two spaces deep, with a line end."""
    stream.writelines(json_pieces(content))
