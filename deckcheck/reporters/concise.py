"""`concise`: one line per finding."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings.style import Style
from deckcheck.findings.words import printable
from deckcheck.reporters.base import summary_lines
from deckcheck.validation import Validation

__all__ = ["write_concise"]


def write_concise(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write `path:line:column: error[DL102] too-many-cards: message`."""
    for report in run.parts:
        for finding in report.findings:
            start = finding.span.start
            place = f"{printable(finding.path)}:{start.line}:{start.column}"
            kind = f"{finding.severity}[{finding.code}]"
            stream.write(
                f"{place}: {style.severity(finding.severity, kind)} "
                f"{finding.name}: {printable(finding.message)}\n"
            )
    if with_summary:
        stream.writelines(f"{line}\n" for line in summary_lines(run, style))
