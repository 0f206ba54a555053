"""`markdown`: tables for people, for a page, a comment or a summary of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from deckcheck.findings import Finding, Severity
from deckcheck.findings.style import PLAIN, Style
from deckcheck.findings.words import printable
from deckcheck.reporters.base import name_formats, summarise
from deckcheck.validation import DeckReport, Validation

__all__ = ["code_span", "plain_text", "write_markdown"]

_CODE = re.compile(r"`([^`]+)`")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")


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
    place = code_span(f"{finding.path}:{start.line}:{start.column}")
    kind = f"{_bold(finding)} {finding.code} {finding.name}"
    help = plain_text(finding.help or "")
    return f"| {place} | {kind} | {plain_text(finding.message)} | {help} |\n"


def _bold(finding: Finding) -> str:
    is_error = finding.severity is Severity.ERROR
    return f"**{finding.severity}**" if is_error else finding.severity.value


def _decks(run: Validation) -> Iterator[str]:
    yield "\n| deck | file | format | verdict |\n|---|---|---|---|\n"
    for report in run.reports:
        yield _deck(report)
    for line in name_formats(run):
        yield f"\n{plain_text(line)}\n"


def _deck(report: DeckReport) -> str:
    name = plain_text(report.name) if report.name is not None else "unreadable"
    fmt = report.format.id if report.format else "none"
    verdict = "legal" if report.legal else "**illegal**"
    file = code_span(report.source.path)
    return f"| {name} | {file} | {plain_text(fmt)} | {verdict} |\n"


def plain_text(text: str) -> str:
    """`text` with its back-ticked words as code and nothing else marked up."""
    parts = _CODE.split(printable(text))
    return "".join(
        code_span(part) if i % 2 else _SPECIAL.sub(r"\\\1", part)
        for i, part in enumerate(parts)
    )


def code_span(text: str) -> str:
    """A code span, which knows no escapes but that of a table's bar."""
    plain = printable(text).replace("`", "'").replace("|", "\\|")
    return f"`{plain}`" if plain.strip() else plain
