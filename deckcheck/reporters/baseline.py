"""Findings that are recognised from run to run: fingerprints and baselines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from deckcheck.files import read_input
from deckcheck.findings import Finding, Span, UsageError, split_lines
from deckcheck.markup import json_text, tool
from deckcheck.messages import option, quote
from deckcheck.reporters.repository import Part, in_repository
from deckcheck.validation import Validation

# Fingerprints that identify a finding from run to run.

FINGERPRINT_LENGTH = 32
"""Hex digits of a fingerprint."""

Identity: TypeAlias = tuple[str, str, str, str, int]
"""Code, path, name of the deck, words pointed at, and the number of equal findings."""


def fingerprint_findings(run: Validation) -> Iterator[tuple[Finding, str]]:
    """Yield every finding in order with its fingerprint, 32 hex digits, each unique."""
    for finding, identity in identify_findings(run):
        parts = "\0".join(map(str, identity))
        data = parts.encode("utf-8", errors="surrogatepass")
        yield finding, sha256(data).hexdigest()[:FINGERPRINT_LENGTH]


def identify_findings(run: Validation) -> Iterator[tuple[Finding, Identity]]:
    """Yield every finding in order with its identity, each unique in a run.

    Lines may move and numbers of a message may change without changing it.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    text, lines = "", [""]
    for report in run.parts:
        if report.findings and report.text is not text:
            text, lines = report.text, split_lines(report.text)
        for finding in report.findings:
            words = _text_at(lines, finding.span)
            identity = (finding.code, finding.path, report.name or "", words)
            seen[identity] += 1
            yield finding, (*identity, seen[identity])


def _text_at(lines: Sequence[str], span: Span) -> str:
    """Return the text of a span on its first line, with single spaces."""
    start, end = span
    if start.line > len(lines):
        return ""
    line = lines[start.line - 1]
    if end.line == start.line:
        line = line[: end.column - 1]
    return " ".join(line[start.column - 1 :].split())


# Baselines: known findings, so that a later run shows only new findings.

BASELINE_KEYS = ("code", "path", "deck", "card", "number")
MAX_BASELINE_BYTES = 2**26

Baseline: TypeAlias = Mapping[Identity, int]
"""The known findings, each with its `excess`."""


def format_baseline(run: Validation, file: Path) -> str:
    """Return the findings of a run as the text of a baseline, to be written to `file`.

    Each has its code, deck and card, no line. Without a repository paths start from
    the folder of the file.
    """
    rows = []
    for finding, identity in identify_findings(in_repository(run, file.parent)):
        rows.append((*identity, finding.excess))
    keys = (*BASELINE_KEYS, "excess")
    findings = [dict(zip(keys, row, strict=True)) for row in sorted(rows)]
    return json_text({"schema_version": 1, "tool": tool(), "baseline": findings})


def read_baseline(file: Path) -> Baseline:
    """Read a baseline. Raises UsageError for a file of another kind."""
    try:
        content = json.loads(read_input(file, MAX_BASELINE_BYTES))
        known: dict[Identity, int] = {}
        for row in content["baseline"]:
            code, path, deck, card, number = (row[key] for key in BASELINE_KEYS)
            known[code, path, deck, card, number] = int(row["excess"])
        return known
    except (ValueError, TypeError, KeyError, RecursionError):
        message = f"{quote(str(file))} is not a baseline"
        help = f"Write a baseline with {option('write-baseline', 'FILE')}"
        raise UsageError(message, help) from None


def without_known(run: Validation, known: Baseline, file: Path) -> Validation:
    """Return the run without the findings of the baseline `file`.

    A finding that got worse is new: four copies where there were three.
    """
    are_new = []
    for finding, identity in identify_findings(in_repository(run, file.parent)):
        are_new.append(known.get(identity, -1) < finding.excess)
    remaining = iter(are_new)
    return replace(
        run,
        files=tuple(_keep_new(report, remaining) for report in run.files),
        reports=tuple(_keep_new(report, remaining) for report in run.reports),
        whole=run,
    )


def _keep_new(report: Part, are_new: Iterator[bool]) -> Part:
    """Return the report with its new findings."""
    findings = tuple(finding for finding in report.findings if next(are_new))
    return replace(report, findings=findings)
