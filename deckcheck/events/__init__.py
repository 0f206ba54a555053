"""Tournaments: one file names the players and the folder of their lists."""

from deckcheck.events.checking import check_event
from deckcheck.events.event import Event, Group
from deckcheck.events.file import EventFile
from deckcheck.events.salts import Salts, new_salts, read_salts, write_salts
from deckcheck.events.seals import Seal, Sealed, as_json, read_seals, seal_of
from deckcheck.events.verifying import check_salts, unchanged, verify

__all__ = [
    "Event",
    "EventFile",
    "Group",
    "Salts",
    "Seal",
    "Sealed",
    "as_json",
    "check_event",
    "check_salts",
    "new_salts",
    "read_salts",
    "read_seals",
    "seal_of",
    "unchanged",
    "verify",
    "write_salts",
]
