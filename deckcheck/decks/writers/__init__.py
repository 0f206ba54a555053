"""Writers: decks as text, YAML, JSON, CSV, share codes and gwent-classic files."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from deckcheck.cards import CardDatabase
from deckcheck.decks.writers.sheet import Sheet, Written, sheet_of

__all__ = ["WRITERS", "Sheet", "Written", "sheet_of", "write_decks"]

WRITERS: tuple[tuple[str, str], ...] = (
    ("text", "text"),
    ("yaml", "documents"),
    ("json", "documents"),
    ("csv", "csv"),
    ("code", "code"),
    ("gwent-classic", "gwent_classic"),
)
"""The ways to write a deck, and their modules with `write_<way>(sheets, db)`."""


def write_decks(way: str, sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """Write decks in one of WRITERS.

    What the way cannot hold is left out and listed in `lost`; UsageError where leaving
    it out would make another deck of it.
    """
    module = import_module(f"{__name__}.{dict(WRITERS)[way]}")
    written: Written = getattr(module, f"write_{way.replace('-', '_')}")(sheets, db)
    return written
