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
    """What changed at one date: entries as in the file, about what it said before.

    `sets` change cards from that date on.
    """

    __pydantic_config__ = CLOSED

    snapshot: Snapshot
    constraints: dict[Identifier, dict[str, object] | None] = field(
        default_factory=dict
    )
    options: dict[Identifier, Value] = field(default_factory=dict)
    sets: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class FormatFile:
    """One file of `card_db/<game>/formats/`; with `extends`, only the differences.

    An entry of `constraints` that names a rule is new or replaces the inherited one
    of that name; one without a rule changes single settings of it, where nothing
    removes a setting; nothing at all repeals it. Options are set one by one, and so
    are the words of `seating`. `history` lists later changes, the earliest first.
    `sets` are files that change the cards, see `SetFile`; paths start at this file's
    folder. `snapshot_assumed` says that no source gives the date.
    """

    __pydantic_config__ = CLOSED

    title: Name
    extends: str | None = None
    snapshot: Snapshot | None = None
    snapshot_assumed: bool = False
    constraints: dict[Identifier, dict[str, object] | None] = field(
        default_factory=dict
    )
    options: dict[Identifier, Value] = field(default_factory=dict)
    seating: dict[Identifier, Value] = field(default_factory=dict)
    history: tuple[FormatChange, ...] = ()
    sets: tuple[Name, ...] = ()
