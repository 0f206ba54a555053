"""The event file: what it says, and where it says it."""

from __future__ import annotations

import datetime
import os
import re
from dataclasses import dataclass
from pathlib import Path

from deckcheck.cards.errors import list_defects
from deckcheck.cards.words import Name
from deckcheck.decks.discovery import missing, shown_path
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Defect, Source, SourceError
from deckcheck.findings.documents.toml_reader import read_toml
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.words import quote

__all__ = ["EventFile", "open_event"]

_DAY = re.compile(r"(?<!\d)[0-9]{4}-[0-9]{2}-[0-9]{2}(?!\d)")


@dataclass(frozen=True, slots=True)
class EventFile:
    """What an event file says; `lists` is a folder, seen from that of the file."""

    __pydantic_config__ = CLOSED

    name: Name
    date: Name
    format: Name
    lists: Name
    players: tuple[Name, ...]

    @property
    def day(self) -> str | None:
        """The day of the event, the first of several; None for a date in words."""
        found = _DAY.search(self.date)
        return found[0] if found is not None else None


def open_event(path: Path) -> tuple[EventFile, Source]:
    """Read an event file; UsageError with all of its defects, each at its place."""
    if not os.path.lexists(path):
        raise missing(path, "event file")
    shown = shown_path(path)
    defects: list[Defect] = []
    try:
        source = Source.open(path, shown, read_toml)
    except SourceError as error:
        raise _error(shown, [error.defect]) from None
    file = source.read(EventFile, source.document.data, (), defects)
    if file is None:
        raise _error(shown, defects)
    if not file.players:
        defects.append(source.defect(("players",), "no player is registered"))
    if file.day is not None and not _is_possible(file.day):
        message = f"there is no such day as {quote(file.day)}"
        defects.append(source.defect(("date",), message))
    if defects:
        raise _error(shown, defects)
    return file, source


def _is_possible(day: str) -> bool:
    """Whether a day exists."""
    try:
        datetime.date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _error(path: str, defects: list[Defect]) -> UsageError:
    return UsageError(list_defects(f"Event file {quote(path)}", defects))
