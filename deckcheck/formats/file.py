"""The content of one format file, before anything is inherited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from deckcheck.cards.words import Identifier, Name
from deckcheck.findings.fields import CLOSED, Either, Form
from deckcheck.formats.dates import DATE

Snapshot = Annotated[str, Form(DATE, "a date such as `2025-10` or `2025-10-31`")]
Value = Annotated[bool | int | str, Either("true or false or a whole number or text")]


@dataclass(frozen=True, slots=True)
class FormatChange:
    """What changed at one date: entries as in the file, about what it said before."""

    __pydantic_config__ = CLOSED

    snapshot: Snapshot
    """The date of the change."""
    constraints: dict[Identifier, dict[str, object] | None] = field(
        default_factory=dict
    )
    """The constraints that change."""
    options: dict[Identifier, Value] = field(default_factory=dict)
    """The options of play that change."""
    sets: tuple[Name, ...] = ()
    """The files of sets that change cards from that date on."""


@dataclass(frozen=True, slots=True)
class FormatFile:
    """One file of `card_db/<game>/formats/`; with `extends`, only the differences.

    An entry of `constraints` that names a rule is new or replaces the inherited one
    of that name; one without a rule changes single settings of it, where nothing
    removes a setting; nothing at all repeals it.
    """

    __pydantic_config__ = CLOSED

    title: Name
    """The title of the format."""
    extends: str | None = None
    """The format that this one builds on: an id or a file."""
    snapshot: Snapshot | None = None
    """The date from which on the format is like this."""
    snapshot_assumed: bool = False
    """Whether no source gives the date."""
    constraints: dict[Identifier, dict[str, object] | None] = field(
        default_factory=dict
    )
    """The constraints that decks are judged by."""
    options: dict[Identifier, Value] = field(default_factory=dict)
    """The options of play, each set by its name."""
    seating: dict[Identifier, Value] = field(default_factory=dict)
    """The words of seating, each set by its name."""
    history: tuple[FormatChange, ...] = ()
    """Later changes, the earliest first."""
    sets: tuple[Name, ...] = ()
    """The files of sets that change cards, seen from the folder of this file."""
