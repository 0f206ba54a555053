"""`jsonl`: one line of JSON per finding, for programs that read line by line."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings.json_text import json_text
from deckcheck.reporters.json import finding_object
from deckcheck.reporters.style import Style
from deckcheck.validation import Validation

__all__ = ["write_jsonl"]


def write_jsonl(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write each finding with the deck it belongs to; legal decks give no line."""
    for report in run.reports:
        deck = {
            "index": report.source.index,
            "deck": report.name,
            "format": report.format.id if report.format else None,
            "snapshot": report.format.snapshot if report.format else None,
        }
        for finding in report.findings:
            line = {**finding_object(finding), **deck}
            stream.write(json_text(line, indent=None))
