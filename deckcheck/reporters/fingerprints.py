"""Fingerprints that identify a finding from one run to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256

from deckcheck.findings import Finding, Span
from deckcheck.reporters.snippet import split_lines
from deckcheck.validation import Validation

__all__ = ["fingerprinted"]

LENGTH = 32


def fingerprinted(run: Validation) -> Iterator[tuple[Finding, str]]:
    """Every finding in order with its fingerprint, 32 hex digits, each used once.

    It is made of the code, the path, the name of the deck and the words pointed at.
    Lines may move and numbers of a message may change without changing it; equal
    findings of one deck are counted.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    text, lines = "", [""]
    for report in run.parts:
        if report.findings and report.text is not text:
            text, lines = report.text, split_lines(report.text)
        for finding in report.findings:
            words = _words(lines, finding.span)
            identity = (finding.code, finding.path, report.name or "", words)
            seen[identity] += 1
            parts = "\0".join([*identity, str(seen[identity])])
            data = parts.encode("utf-8", errors="surrogatepass")
            yield finding, sha256(data).hexdigest()[:LENGTH]


def _words(lines: Sequence[str], span: Span) -> str:
    """The text of a span on its first line, with single spaces."""
    start, end = span
    line = lines[start.line - 1] if start.line <= len(lines) else ""
    stop = end.column - 1 if end.line == start.line else len(line)
    return " ".join(line[start.column - 1 : stop].split())
