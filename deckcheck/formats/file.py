"""What one format file says, before anything is inherited."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from deckcheck.cards.models import Identifier, Name, Record

__all__ = ["FormatFile"]

Snapshot = Annotated[str, Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]


class FormatFile(Record):
    """One file of `card_db/<game>/formats/`; with `extends`, only the differences.

    An entry of `constraints` that names a rule is new or replaces the inherited one
    of that name; one without a rule changes single settings of it, where nothing
    removes a setting; nothing at all repeals it. Options are set one by one.
    """

    title: Name
    extends: str | None = None
    snapshot: Snapshot | None = None
    constraints: dict[Identifier, dict[str, object] | None] = Field(
        default_factory=dict
    )
    options: dict[Identifier, bool | int | str] = Field(default_factory=dict)
