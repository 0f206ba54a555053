"""Tournaments: one file names the players and the folder of their lists."""

from deckcheck.events.checking import Event, check_event
from deckcheck.events.file import EventFile
from deckcheck.events.seals import changes, seal
from deckcheck.events.summary import WRITERS

__all__ = ["WRITERS", "Event", "EventFile", "changes", "check_event", "seal"]
