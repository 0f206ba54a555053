"""Tournaments: one file names the players and the folder of their lists."""

from deckcheck.events.checking import check_event
from deckcheck.events.event import Event, Group
from deckcheck.events.file import EventFile
from deckcheck.events.seals import Seal, as_json, read_seals, seal_of
from deckcheck.events.verifying import unchanged, verify

__all__ = [
    "Event",
    "EventFile",
    "Group",
    "Seal",
    "as_json",
    "check_event",
    "read_seals",
    "seal_of",
    "unchanged",
    "verify",
]
