"""The event file: what it says, and where it says it."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deckcheck.cards.errors import list_defects
from deckcheck.cards.names import normalise
from deckcheck.cards.words import Name
from deckcheck.decks.discovery import missing, shown_path
from deckcheck.events.wording import ENGLISH, languages
from deckcheck.findings import UsageError
from deckcheck.findings.documents import (
    Defect,
    Location,
    Source,
    SourceError,
    did_you_mean,
)
from deckcheck.findings.documents.toml_reader import read_toml
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.files import refuse_deck
from deckcheck.findings.words import choice, quote

_DAY = re.compile(r"(?<!\d)[0-9]{4}-[0-9]{2}-[0-9]{2}(?!\d)")


@dataclass(frozen=True, slots=True)
class EventFile:
    """What an event file says."""

    __pydantic_config__ = CLOSED

    name: Name
    """The name of the event."""
    date: Name
    """The date of the event; a date such as `2025-12-06`, or words."""
    format: Name
    """The format that lists are judged by, with its snapshot."""
    lists: Name
    """The folder of the lists, seen from the folder of this file."""
    players: tuple[Name, ...]
    """The names of the players who are registered."""
    deadline: Name | None = None
    """When lists have to be there, in words."""
    late: Literal["refused", "penalty", "accepted"] | None = None
    """What becomes of lists that come later."""
    language: Name = ENGLISH
    """The language of letters to players."""
    languages: dict[Name, Name] = field(default_factory=dict)
    """The language of the letter to a player, by the name of the player."""

    @property
    def day(self) -> str | None:
        """The day of the event, the first of several; None for a date in words."""
        return _day(self.date)

    def language_of(self, player: str) -> str:
        """The code of the language that the letter to a player is in."""
        own = {normalise(name): code for name, code in self.languages.items()}
        return own.get(normalise(player), self.language)


def _day(date: str | None) -> str | None:
    day = _DAY.search(date or "")
    return day[0] if day is not None else None


def open_event(path: Path) -> tuple[EventFile, Source]:
    """Read an event file; UsageError with all of its defects, each at its place."""
    if not os.path.lexists(path):
        raise missing(path, "event file")
    refuse_deck(path, "an event file")
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
    defects += _wrong_days(file, source)
    defects += _wrong_languages(file, source)
    if defects:
        raise _error(shown, defects)
    return file, source


def _wrong_days(file: EventFile, source: Source) -> Iterator[Defect]:
    days = {"date": file.day, "deadline": _day(file.deadline)}
    possible = {key: day for key, day in days.items() if day and _is_possible(day)}
    for key, day in days.items():
        if day is not None and key not in possible:
            yield source.defect((key,), f"there is no such day as {quote(day)}")
    if len(possible) == len(days) and possible["deadline"] > possible["date"]:
        message = f"{quote(possible['deadline'])} is after the event"
        yield source.defect(("deadline",), message)


def _wrong_languages(file: EventFile, source: Source) -> Iterator[Defect]:
    codes = languages()
    wanted: list[tuple[Location, str]] = [(("language",), file.language)]
    wanted += [(("languages", name), code) for name, code in file.languages.items()]
    for at, code in wanted:
        if code not in codes:
            message = f"unknown language {quote(code)}, languages are {choice(codes)}"
            yield source.defect(at, message)
    players = {normalise(name): name for name in file.players}
    for name in file.languages:
        if normalise(name) not in players:
            hint = did_you_mean(name, file.players)
            message = f"no player {quote(name)} is registered{hint}"
            yield source.key_defect(("languages", name), message)


def _is_possible(day: str) -> bool:
    """Whether a day exists."""
    try:
        datetime.date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _error(path: str, defects: list[Defect]) -> UsageError:
    return UsageError(list_defects(f"Event file {quote(path)}", defects))
