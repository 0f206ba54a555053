"""The part of JSON documents about files that are no decks."""

from __future__ import annotations

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count


class LeftOutDocument(TypedDict):
    """Files that were found and are no decks."""

    others: dict[str, Count]
    """The number of files of other kinds, by suffix."""
    own: Count
    """The number of files that deckcheck wrote, and that say so."""
    excluded: Count
    """The number of files that patterns exclude."""
