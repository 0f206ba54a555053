"""Formats: which decks are legal, and how a game is played."""

from deckcheck.cards.models import Condition
from deckcheck.formats.loading import (
    database_of,
    formats_as_of,
    load_format,
    notes_on_dates,
)
from deckcheck.formats.model import (
    Constraint,
    Format,
    FormatError,
    Seating,
    SnapshotError,
    format_ids,
    instead_of,
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
    "formats_as_of",
    "instead_of",
    "load_format",
    "notes_on_dates",
]
