"""The JSON document of an event."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from deckcheck.validation.document import FindingDocument, ValidationDocument

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
PlayerVerdict: TypeAlias = Literal[
    "legal", "illegal", "no list", "several lists", "of another player"
]


class ListDocument(TypedDict):
    """A list of a player."""

    path: str
    """The file of the list."""
    sha256: Sha256
    """The SHA-256 of the file."""
    seal: Sha256 | None
    """The salted hash to publish; null before there are salts."""


class PlayerDocument(TypedDict):
    """A registered player."""

    name: str
    """The name of the player."""
    verdict: PlayerVerdict
    """The verdict on the player's list."""
    lists: list[ListDocument]
    """The lists of the player."""
    findings: list[FindingDocument]
    """The findings about the player, those of the lists included."""


class EventEntry(TypedDict):
    """An event and its players."""

    path: str
    """The event file."""
    name: str
    """The name of the event."""
    date: str
    """The date of the event as the file has it."""
    format: str
    """The id of the format."""
    snapshot: str
    """The date from which on the format was like this."""
    sound: bool
    """Whether nothing is an error, so that the lists can be sealed."""
    players: list[PlayerDocument]
    """The registered players."""
    findings: list[FindingDocument]
    """The findings that are about no player."""


class EventDocument(ValidationDocument):
    """The output of `deckcheck event --output-format json`."""

    event: EventEntry
    """The event and its players."""
