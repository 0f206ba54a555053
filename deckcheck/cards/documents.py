"""The JSON documents of sets, and of files left out."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.documents.records import Count


class ChangeDocument(TypedDict):
    """A card or leader that a set adds, changes or removes."""

    set: str
    """The file of the set."""
    about: Literal["card", "leader"]
    """Whether a card or a leader changes."""
    id: str
    """The id of the card or leader."""
    name: str
    """The name of the card or leader, with its title."""
    was: str | None
    """The card or leader before, in words. Null if the set adds it."""
    now: str | None
    """The card or leader with the set, in words. Null if the set removes it."""


class LeftOutDocument(TypedDict):
    """Files among the decks that are not decks."""

    others: dict[str, Count]
    """The number of files of other kinds, by suffix."""
    own: Count
    """The number of files that deckcheck wrote."""
    excluded: Count
    """The number of files that patterns exclude."""
