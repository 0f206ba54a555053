"""The differences between decks, card by card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.decks.model import Deck
from deckcheck.messages import plural, quote


class CountChange(NamedTuple):
    """A card whose number of copies has changed."""

    card: str
    """The id of the card, or its name where decks are kept by names."""
    old: int
    """The number of copies before."""
    new: int
    """The number of copies after."""


def find_changes(old: Mapping[str, int], new: Mapping[str, int]) -> list[CountChange]:
    """Return the cards whose number has changed, in the order of the decks."""
    changes: list[CountChange] = []
    for card in dict.fromkeys((*old, *new)):
        change = CountChange(card, old.get(card, 0), new.get(card, 0))
        if change.old != change.new:
            changes.append(change)
    return changes


def describe_differences(
    before: Sequence[Deck], after: Sequence[Deck], database: CardDatabase
) -> list[str]:
    """List the differences of decks, such as "`2 Ballista` became `3 Ballista`"."""
    if len(before) != len(after):
        return [f"{plural(len(before), 'deck')} became {len(after)}"]
    differences = []
    for number, (old, new) in enumerate(zip(before, after, strict=True), start=1):
        prefix = f"Deck {number}: " if len(before) > 1 else ""
        for change in _compare_decks(old, new, database):
            differences.append(prefix + change)
    return differences


def name_leader(deck: Deck, database: CardDatabase) -> str | None:
    """Return the full name of the leader of a deck, or None without a leader."""
    return database.leaders[deck.leader].full_name if deck.leader else None


def _compare_decks(before: Deck, after: Deck, database: CardDatabase) -> Iterator[str]:
    if before.leader != after.leader:
        names: list[str] = []
        for deck in (before, after):
            leader = name_leader(deck, database)
            names.append("no leader" if leader is None else quote(leader))
        yield f"{names[0]} became {names[1]}"
    elif before.faction != after.faction:
        yield "The faction has changed"
    yield from _compare_counts(before.counts(), after.counts(), database)
    old_reserves = before.reserve_counts()
    new_reserves = after.reserve_counts()
    for change in _compare_counts(old_reserves, new_reserves, database):
        yield f"{change} in the reserves"


def _compare_counts(
    old: Mapping[str, int], new: Mapping[str, int], database: CardDatabase
) -> Iterator[str]:
    """Yield a sentence for each card whose number has changed, by name."""
    changes = find_changes(old, new)
    changes.sort(key=lambda change: (database.cards[change.card].name, change.card))
    for card, was, now in changes:
        name = database.cards[card].name
        if was and now:
            yield f"{quote(f'{was} {name}')} became {quote(f'{now} {name}')}"
        elif now:
            yield f"{quote(f'{now} {name}')} is new"
        else:
            yield f"{quote(f'{was} {name}')} is gone"
