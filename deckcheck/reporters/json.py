"""`json`: everything, for programs. Keys are never removed, more may be added."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings.style import Style
from deckcheck.reporters.base import write_object
from deckcheck.validation import Validation

__all__ = ["write_json"]


def write_json(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write one object; colour and the wish for a summary change nothing."""
    write_object(run.to_dict(), stream)
