"""`markdown`: tables for people, for a page, a comment or a summary of a CI job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from deckcheck.findings import Finding, Severity
from deckcheck.findings.markdown_text import code, message, plain, table_row
from deckcheck.findings.style import PLAIN, Style
from deckcheck.reporters.base import left_out_line, name_formats, summarise
from deckcheck.validation import DeckReport, Validation

__all__ = ["write_markdown"]


def write_markdown(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a table of the findings; the summary adds one of the decks."""
    if with_summary:
        stream.write(f"## {summarise(run, PLAIN)}\n")
    if run.findings:
        stream.write("\n| place | finding | message | what to do |\n")
        stream.write("|---|---|---|---|\n")
    for report in run.parts:
        stream.writelines(map(_finding, report.findings))
    if with_summary:
        stream.writelines(_decks(run))


def _finding(finding: Finding) -> str:
    start = finding.span.start
    place = code(f"{finding.path}:{start.line}:{start.column}")
    kind = f"{_bold(finding)} {finding.code} {finding.name}"
    parts = (message(finding.message), message(finding.help or ""))
    return f"{table_row([place, kind, *parts])}\n"


def _bold(finding: Finding) -> str:
    is_error = finding.severity is Severity.ERROR
    return f"**{finding.severity}**" if is_error else finding.severity.value


def _decks(run: Validation) -> Iterator[str]:
    yield "\n| deck | file | format | verdict |\n|---|---|---|---|\n"
    for report in run.reports:
        yield _deck(report)
    for line in (*left_out_line(run), *name_formats(run)):
        yield f"\n{message(line)}\n"


def _deck(report: DeckReport) -> str:
    name = plain(report.name) if report.name is not None else "unreadable"
    fmt = report.format.id if report.format else "none"
    verdict = "legal" if report.legal else "**illegal**"
    file = code(report.source.path)
    return f"{table_row([name, file, plain(fmt), verdict])}\n"
