"""`jsonl`: one line of JSON per finding, for programs that read line by line."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings.json_text import json_text
from deckcheck.findings.style import Style
from deckcheck.validation import DeckReport, FileReport, Validation
from deckcheck.validation.documents import finding_object

__all__ = ["write_jsonl"]


def write_jsonl(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write each finding with the deck it belongs to; legal decks give no line."""
    for part in run.parts:
        deck = _deck(part)
        for finding in part.findings:
            line = {**finding_object(finding), **deck}
            stream.write(json_text(line, indent=None))


def _deck(part: DeckReport | FileReport) -> dict[str, object]:
    """The deck that findings are about; none where they are about a whole file."""
    deck = part if isinstance(part, DeckReport) else None
    fmt = deck.format if deck else None
    return {
        "index": part.source.index,
        "deck": deck.name if deck else None,
        "format": fmt.id if fmt else None,
        "snapshot": fmt.snapshot if fmt else None,
    }
