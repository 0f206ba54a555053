"""`junit`: one test case per deck, for whatever shows test results.

What is said of a file beyond its decks is a case too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from deckcheck.findings import Finding, Severity
from deckcheck.findings.style import Style
from deckcheck.findings.words import plural, printable
from deckcheck.reporters.base import full_message
from deckcheck.validation import DeckReport, FileReport, Validation

__all__ = ["write_junit"]

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a case for every deck: errors are its failure, the rest its output."""
    illegal = sum(not part.legal for part in run.parts)
    counts = f'tests="{len(run.parts)}" failures="{illegal}" errors="0"'
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(f'<testsuites name="deckcheck" {counts}>\n')
    stream.write(f'  <testsuite name="deckcheck" {counts} skipped="0">\n')
    if run.left_out:
        value = _attribute(str(run.left_out))
        stream.write("    <properties>\n")
        stream.write(f'      <property name="left out" value={value} />\n')
        stream.write("    </properties>\n")
    for part in run.parts:
        stream.writelines(f"{line}\n" for line in _case(part))
    stream.write("  </testsuite>\n</testsuites>\n")


def _case(report: DeckReport | FileReport) -> Iterator[str]:
    path = _attribute(report.source.path)
    head = f"name={_attribute(_name(report))} classname={path} file={path}"
    if not report.findings:
        yield f"    <testcase {head} />"
        return
    yield f"    <testcase {head}>"
    errors = [f for f in report.findings if f.severity is Severity.ERROR]
    others = [f for f in report.findings if f.severity is not Severity.ERROR]
    if errors:
        message = errors[0].message
        if len(errors) > 1:
            message = f"{plural(len(errors), 'error')}, the first: {message}"
        kind = _attribute(errors[0].name)
        yield f"      <failure message={_attribute(message)} type={kind}>"
        yield f"{_text(errors)}</failure>"
    if others:
        yield f"      <system-out>{_text(others)}</system-out>"
    yield "    </testcase>"


def _name(report: DeckReport | FileReport) -> str:
    """The name of a deck, with its number where a file holds several."""
    number = report.source.index + 1
    if report.name is None:
        return f"deck {number}"
    return f"{report.name} (deck {number})" if number > 1 else report.name


def _text(findings: Sequence[Finding]) -> str:
    from xml.sax.saxutils import escape

    text = "\n\n".join(map(_paragraph, findings))
    return escape(_FORBIDDEN.sub("\ufffd", text))


def _paragraph(finding: Finding) -> str:
    start = finding.span.start
    place = f"{printable(finding.path)}:{start.line}:{start.column}"
    kind = f"{finding.severity}[{finding.code}] {finding.name}"
    return f"{place}: {kind}: {full_message(finding)}"


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(_FORBIDDEN.sub("\ufffd", printable(text)))
