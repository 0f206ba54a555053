"""The contract of a reporter, and the lines that several outputs share."""

from __future__ import annotations

from collections import Counter
from typing import Protocol, TextIO

from deckcheck.cards.models import describe_changes
from deckcheck.findings import Finding, Severity
from deckcheck.markup import json_pieces
from deckcheck.messages import plural, printable
from deckcheck.terminal import Style
from deckcheck.validation import Validation


class Reporter(Protocol):
    """Writes the verdicts of a run to a stream.

    `with_summary` asks for a closing summary, if the output has a summary. Reporters
    that ignore `style` and `with_summary` take `*_`.
    """

    def __call__(
        self, run: Validation, stream: TextIO, style: Style, with_summary: bool
    ) -> None: ...


def summarise(run: Validation, style: Style) -> str:
    """Sum a run up: `3 decks checked, 2 legal, 1 illegal (2 errors, 1 warning)`."""
    total = len(run.reports)
    legal = sum(report.legal for report in run.reports)
    parts = [f"{plural(total, 'deck')} checked"]
    if legal:
        parts.append(style.good(f"{legal} legal"))
    if legal < total:
        parts.append(style.severity(Severity.ERROR, f"{total - legal} illegal"))
    return ", ".join(parts) + count_severities(run)


def summary_lines(run: Validation, style: Style) -> list[str]:
    """Return the summary, and a line about other files."""
    return [summarise(run, style), *left_out_line(run)]


def left_out_line(run: Validation) -> list[str]:
    """Return the line `Not checked: 2 .jpg, 1 excluded`, if anything was left out."""
    return [f"Not checked: {run.left_out}"] if run.left_out else []


def count_severities(run: Validation) -> str:
    """Return ` (2 errors, 1 warning, 3 suppressed)`, or empty text."""
    numbers = Counter(finding.severity for finding in run.findings)
    counts = []
    for severity in Severity:
        if numbers[severity]:
            counts.append(plural(numbers[severity], severity.value))
    suppressed = sum(len(report.suppressed) for report in run.reports)
    if suppressed:
        counts.append(f"{suppressed} suppressed")
    if run.whole is not None:
        known = len(run.whole.findings) - len(run.findings)
        counts.append(f"{known} in the baseline")
    if not counts:
        return ""
    return f" ({', '.join(counts)})"


def name_formats(run: Validation) -> list[str]:
    """Return a line like `gwent/standard (2025-10), fingerprint 0123456789ab`.

    A line for each set of the user names the changes of cards.
    """
    if not run.formats:
        return []
    names = [f"{fmt.id} ({fmt.month})" for fmt in run.formats]
    head = ", ".join([*names, f"rules fingerprint {run.fingerprint}"])
    return [printable(head), *map(printable, describe_changes(run.changes))]


def full_message(finding: Finding) -> str:
    """Return the message with notes and help, a line each."""
    lines = [finding.message, *finding.notes]
    if finding.help:
        lines.append(finding.help)
    return "\n".join(map(printable, lines))


def write_object(content: object, stream: TextIO) -> None:
    """Write a JSON document, indented by two spaces, with a line end."""
    stream.writelines(json_pieces(content))
