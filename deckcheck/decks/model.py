"""A decklist: as it was read, and as it was understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deckcheck.findings import Finding, Span


@dataclass(frozen=True, slots=True)
class DeckSource:
    """Where a deck was read: path as shown to the user, and which deck of the file."""

    path: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """A `Key: value` line; `span` covers the value."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class RawEntry:
    """A card line before names are resolved; `span` covers the name.

    `in_reserves` is for a line below a heading of the reserves.
    """

    name: str
    count: int
    span: Span
    in_reserves: bool = False


@dataclass(frozen=True, slots=True)
class CardText:
    """A card before count and name are separated; `span` covers `text`.

    `entry` or `finding` is what was made of it before the game was known.
    """

    text: str
    span: Span
    entry: RawEntry | None = None
    finding: Finding | None = None
    in_reserves: bool = False


@dataclass(frozen=True, slots=True)
class RawDeck:
    """One deck as read: headers by lower-case key, card lines, reading findings.

    A key given twice has two headers. `span` is the place a finding about the deck as
    a whole points at. `sections` are the section lines by lower-case title. `unread`
    counts the lines that hold a card nobody can read. `texts` are the cards whose
    count is not separate, for games that write counts differently from most. `title` is
    a first line without a count, which may be the name of the deck: see `titles`.
    """

    source: DeckSource
    headers: Mapping[str, tuple[Header, ...]]
    entries: tuple[RawEntry, ...]
    findings: tuple[Finding, ...]
    span: Span
    sections: Mapping[str, Span] = field(default_factory=dict)
    unread: int = 0
    texts: tuple[CardText, ...] = ()
    title: RawEntry | None = None


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """A resolved card line: card id, count and position."""

    card: str
    count: int
    span: Span


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck whose names are resolved to ids; what did not resolve is not in it.

    `name` falls back on the file's. `faction` and `leader` are ids or None. `entries`
    keep the order and the lines of the file, so one card may have several entries.
    `unread` is how many cards the unreadable lines and unknown names may mean: a
    minimum is not reported as missed while they could fill it. `reserves` are the cards
    that it lists as reserves, in games that have them.
    """

    source: DeckSource
    name: str
    format: str | None
    faction: str | None
    leader: str | None
    entries: tuple[DeckEntry, ...]
    span: Span
    headers: Mapping[str, tuple[Header, ...]]
    sections: Mapping[str, Span] = field(default_factory=dict)
    unread: int = 0
    reserves: tuple[DeckEntry, ...] = ()

    def counts(self) -> Counter[str]:
        """How many copies of each card id the deck holds."""
        return _total(self.entries)

    def reserve_counts(self) -> Counter[str]:
        """How many copies of each card id its reserves hold."""
        return _total(self.reserves)


def _total(entries: Iterable[DeckEntry]) -> Counter[str]:
    total: Counter[str] = Counter()
    for entry in entries:
        total[entry.card] += entry.count
    return total
