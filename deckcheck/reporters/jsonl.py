"""`jsonl`: one line of JSON per finding, for programs that read line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from deckcheck.findings import Finding
from deckcheck.findings.json_text import json_text
from deckcheck.findings.style import Style
from deckcheck.validation import DeckReport, FileReport, Validation
from deckcheck.validation.finding_data import finding_data

if TYPE_CHECKING:
    from deckcheck.validation.document import FindingLine

__all__ = ["write_jsonl"]


def write_jsonl(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write each finding with the deck it belongs to; legal decks give no line."""
    for part in run.parts:
        for finding in part.findings:
            stream.write(json_text(_line(part, finding), indent=None))


def _line(part: DeckReport | FileReport, finding: Finding) -> FindingLine:
    """A finding and its deck; none where it is about a whole file."""
    deck = part if isinstance(part, DeckReport) else None
    fmt = deck.format if deck else None
    return {
        **finding_data(finding),
        "index": part.source.index,
        "deck": deck.name if deck else None,
        "format": fmt.id if fmt else None,
        "snapshot": fmt.snapshot if fmt else None,
    }
