"""Formats: which decks are legal, and how a game is played."""

from deckcheck.cards.models import Condition
from deckcheck.formats.loading import (
    database_of,
    load_format,
    load_formats,
    notes_on_dates,
)
from deckcheck.formats.model import (
    Constraint,
    Format,
    FormatError,
    Seating,
    SnapshotError,
    format_ids,
    suggest_formats,
)

__all__ = [
    "Condition",
    "Constraint",
    "Format",
    "FormatError",
    "Seating",
    "SnapshotError",
    "database_of",
    "format_ids",
    "load_format",
    "load_formats",
    "notes_on_dates",
    "suggest_formats",
]
