"""The place in a deck where a sum crosses its limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckcheck.decks import DeckEntry
from deckcheck.findings import Related


def crossing(weighed: Iterable[tuple[DeckEntry, int]], limit: int) -> DeckEntry:
    """The entry whose weight carries the running sum above `limit`."""
    total = 0
    for entry, weight in weighed:
        total += weight
        if total > limit:
            return entry
    raise ValueError(f"the sum {total} does not cross {limit}")


def others(entries: Sequence[DeckEntry], chosen: DeckEntry) -> list[Related]:
    """The other entries, each with its number of cards."""
    return [
        Related(entry.span, f"{entry.count} here")
        for entry in entries
        if entry is not chosen
    ]
