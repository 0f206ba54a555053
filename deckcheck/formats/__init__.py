"""Formats: which decks are legal, and how a game is played."""

from deckcheck.formats.errors import FormatError, SnapshotError
from deckcheck.formats.ids import format_ids, instead_of
from deckcheck.formats.loader import database_of, formats_as_of, load_format
from deckcheck.formats.models import Constraint, Format, Seating
from deckcheck.formats.vocabulary import Condition

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
]
