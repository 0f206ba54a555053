"""Counts of each kind of finding."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TextIO

from deckcheck.findings import Severity
from deckcheck.findings.style import Style
from deckcheck.reporters.base import summary_lines, write_object
from deckcheck.validation import Validation

if TYPE_CHECKING:
    from deckcheck.validation.document import StatisticsDocument

__all__ = ["STATISTICS", "Count", "count_findings"]

Count = tuple[str, str, Severity, int]
"""Code, name and severity of a kind of finding, and how often it occurs."""


def count_findings(run: Validation) -> list[Count]:
    """Every kind of finding there is, the most frequent first, then by code."""
    counted = Counter((f.code, f.name, f.severity) for f in run.findings)
    counts = [(*kind, number) for kind, number in counted.items()]
    return sorted(counts, key=lambda count: (-count[-1], *count[:-1]))


def _write_text(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a line per kind: how often, code, name."""
    counts = count_findings(run)
    wide = max((len(str(number)) for *_, number in counts), default=1)
    for code, name, severity, number in counts:
        kind = f"{severity}[{code}]"
        stream.write(f"{number:>{wide}}  {style.severity(severity, kind)} {name}\n")
    if with_summary:
        stream.writelines(f"{line}\n" for line in summary_lines(run, style))


def _write_json(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a list of objects."""
    document: StatisticsDocument = [
        {"code": code, "name": name, "severity": severity.value, "count": number}
        for code, name, severity, number in count_findings(run)
    ]
    write_object(document, stream)


STATISTICS = {"full": _write_text, "concise": _write_text, "json": _write_json}
"""What `--statistics` writes instead of an output of that name."""
