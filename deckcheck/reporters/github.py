"""`github`: workflow commands that GitHub shows on the lines of a pull request."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings import Finding, Severity
from deckcheck.findings.style import PLAIN, Style
from deckcheck.findings.words import printable
from deckcheck.reporters.base import full_message, left_out_line, summarise
from deckcheck.validation import Validation

__all__ = ["write_github"]

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def write_github(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write one command per finding, errors first: ten per level are shown.

    What is left out is one more notice.
    """
    weight = list(Severity)
    for finding in sorted(run.findings, key=lambda f: weight.index(f.severity)):
        stream.write(_command(finding) + "\n")
    for line in left_out_line(run):
        stream.write(f"::notice title=Files that are no decks::{_data(line)}\n")
    if with_summary:
        stream.write(summarise(run, PLAIN) + "\n")


def _command(finding: Finding) -> str:
    start, end = finding.span.start, finding.span.end
    properties = {
        "file": finding.path,
        "line": str(start.line),
        "endLine": str(end.line),
        "col": str(start.column),
    }
    # The column after the last one, and none at all when the finding spans lines.
    if start.line == end.line:
        properties["endColumn"] = str(max(end.column, start.column))
    properties["title"] = f"{finding.code} {finding.name}"
    listed = ",".join(f"{key}={_property(text)}" for key, text in properties.items())
    message = _data(full_message(finding))
    return f"::{_COMMANDS[finding.severity]} {listed}::{message}"


def _data(text: str) -> str:
    coded = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    # GitHub decodes no more than these; the log of a job is read in terminals too.
    return printable(coded)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
