"""Tournaments: a file names the players and the folder of their lists."""

from deckcheck.events.checking import check_event
from deckcheck.events.event import (
    Event,
    EventFile,
    PlayerGroup,
    Salts,
    new_salts,
    read_salts,
    write_salts,
)
from deckcheck.events.seals import (
    Seal,
    SealFile,
    check_salts,
    count_unchanged,
    make_seal,
    read_seals,
    seals_json,
    verify,
)

__all__ = [
    "Event",
    "EventFile",
    "PlayerGroup",
    "Salts",
    "Seal",
    "SealFile",
    "check_event",
    "check_salts",
    "count_unchanged",
    "make_seal",
    "new_salts",
    "read_salts",
    "read_seals",
    "seals_json",
    "verify",
    "write_salts",
]
