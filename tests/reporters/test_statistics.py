"""Counts of findings."""

from __future__ import annotations

import io
import json
from dataclasses import replace

from runs import finding, report, span

from deckcheck.findings import Severity
from deckcheck.reporters import Style
from deckcheck.reporters.text import STATISTICS
from deckcheck.validation import Validation

COPIES = finding(span(3, 3, 9))
UNKNOWN = replace(COPIES, code="DC101", name="unknown-card", path="a.deck")
REPEATED = replace(
    COPIES, code="DC104", name="repeated-card", severity=Severity.NOTE, path="a.deck"
)
RUN = Validation((report(COPIES, REPEATED), report(UNKNOWN, *[COPIES] * 9)))


def counted(name: str, *, color: bool = False, with_summary: bool = False) -> str:
    stream = io.StringIO()
    STATISTICS[name](RUN, stream, Style(color), with_summary)
    return stream.getvalue()


def test_the_most_frequent_come_first_then_by_code() -> None:
    assert counted("concise") == (
        "10  error[DL103] too-many-copies\n"
        " 1  error[DC101] unknown-card\n"
        " 1  note[DC104] repeated-card\n"
    )


def test_the_summary_comes_last() -> None:
    shown = counted("full", with_summary=True)

    assert shown.endswith("2 decks checked, 2 illegal (11 errors, 1 note)\n")


def test_colours_are_only_added() -> None:
    assert "10  \x1b[1;31merror[DL103]\x1b[0m too-many-copies\n" in counted(
        "full", color=True
    )


def test_as_json() -> None:
    assert json.loads(counted("json"))[0] == {
        "code": "DL103",
        "name": "too-many-copies",
        "severity": "error",
        "count": 10,
    }
