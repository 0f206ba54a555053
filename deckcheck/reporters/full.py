"""`full`: findings with the lines they are about, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from deckcheck.findings import Finding
from deckcheck.findings.style import Style
from deckcheck.findings.words import printable
from deckcheck.reporters.base import name_formats, summary_lines
from deckcheck.reporters.snippet import Mark, draw, split_lines
from deckcheck.validation import Validation

__all__ = ["write_full"]

MAX_RELATED = 8


def write_full(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write every finding with header, place, source lines, notes and help."""
    for report in run.parts:
        lines = split_lines(report.text) if report.findings and report.text else []
        for finding in report.findings:
            stream.write(_finding(finding, lines, style) + "\n")
    if with_summary:
        for line in (*summary_lines(run, style), *name_formats(run)):
            stream.write(f"{line}\n")


def _finding(finding: Finding, lines: Sequence[str], style: Style) -> str:
    rows = list(draw(lines, _marks(finding)))
    gutter = max((len(str(row[0])) for row in rows if row[0]), default=1)
    bar = style.frame(f"{'':{gutter}} |")
    start = finding.span.start
    place = f"{printable(finding.path)}:{start.line}:{start.column}"
    out = [_header(finding, style), f"{style.frame(' ' * gutter + '-->')} {place}"]
    if rows:
        out.append(bar)
    for number, text, mark in rows:
        if mark is not None:
            out.append(f"{bar} {_underline(text, mark, finding, style)}")
        elif number is None:
            out.append(style.frame(text))
        else:
            out.append(f"{style.frame(f'{number:>{gutter}} |')} {text}".rstrip())
    remarks = [("note", note) for note in finding.notes]
    if finding.help is not None:
        remarks.append(("help", finding.help))
    if remarks and rows:
        out.append(bar)
    for kind, text in remarks:
        equals = style.frame(f"{'':{gutter}} =")
        out.append(f"{equals} {style.strong(kind)}: {printable(text)}")
    return "\n".join(out) + "\n"


def _header(finding: Finding, style: Style) -> str:
    kind = style.severity(finding.severity, f"{finding.severity}[{finding.code}]")
    return f"{kind} {style.strong(f'{finding.name}: {printable(finding.message)}')}"


def _marks(finding: Finding) -> list[Mark]:
    """The place of the finding and those related to it, not more than a screen."""
    related = finding.related[:MAX_RELATED]
    left = len(finding.related) - len(related)
    label = f"and {left} more lines like these" if left else ""
    marks = [Mark(other.span, other.message, is_primary=False) for other in related]
    return [Mark(finding.span, label, is_primary=True), *marks]


def _underline(text: str, mark: Mark, finding: Finding, style: Style) -> str:
    if mark.is_primary:
        return style.severity(finding.severity, text)
    return style.frame(text)
