"""A decklist: its lines, their meaning in a game, and the deck for writers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise
from deckcheck.decks.words import HEADERS, Below
from deckcheck.findings import Finding, Span, UsageError, on_line

# A list as it is written: lines, whichever notation they come from


@dataclass(frozen=True, slots=True)
class DeckSource:
    """The path of a deck as shown to the user, and its index in the file."""

    path: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """The value of a header, which `span` covers."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its words, the kind of lines below, and the number that it states."""

    title: str
    span: Span
    below: Below
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list, or its equal in a document or a table. `span` covers `text`."""

    text: str
    span: Span
    remark: str = ""
    """The comment after the line."""
    doubt: str = ""
    """The mark that leaves open whether the line is meant."""
    count: int | None = None
    """The count of a card where it is apart from the name."""
    key: str = ""
    """The lower-case key of the header."""
    header: Header | None = None
    heading: Heading | None = None
    """The heading that the notation makes of the line."""
    is_comment: bool = False

    def part(self, start: int = 0, end: int | None = None) -> Span:
        """Return the place of `text[start:end]`, or of the line if its text differs."""
        return locate_part(self.span, self.text, start, end)

    def spelt(self, text: str) -> Line:
        """Return the line with a text as long, without the space at its ends."""
        start = len(text) - len(text.lstrip())
        bare = text.strip()
        return replace(self, text=bare, span=self.part(start, start + len(bare)))


def locate_part(span: Span, text: str, start: int, end: int | None) -> Span:
    """Return the place of `text[start:end]`. `span` covers `text`, or its quotes too.

    All of `span` where the text is written otherwise there.
    """
    first, last = span
    shift, odd = divmod(last.column - first.column - len(text), 2)
    if first.line != last.line or odd or shift not in (0, 1):
        return span
    stop = len(text) if end is None else end
    column = first.column + shift
    return on_line(first.line, column + start, column + stop)


@dataclass(frozen=True, slots=True)
class RawDeck:
    """A deck as it is written, before its game is known."""

    source: DeckSource
    lines: tuple[Line, ...]
    findings: tuple[Finding, ...]
    """The findings about its notation."""
    span: Span
    """The place for findings about the whole deck."""
    unread_lines: int = 0
    """The number of lines, rows or values with a card that could not be read.

    It is MAX_COUNT where nobody knows how many cards were meant.
    """

    @property
    def headers(self) -> dict[str, tuple[Header, ...]]:
        """Return the headers by lower-case key."""
        headers: dict[str, tuple[Header, ...]] = {}
        for line in self.lines:
            if line.header is not None:
                headers[line.key] = (*headers.get(line.key, ()), line.header)
        return headers

    @classmethod
    def unreadable(cls, finding: Finding, index: int = 0) -> RawDeck:
        """Return a deck without any readable line, with the finding about it."""
        source = DeckSource(finding.path, index)
        return cls(source, (), (finding,), finding.span)


def find_place(headers: Mapping[str, tuple[Header, ...]]) -> Span | None:
    """Return where findings about a deck point: its name, or the next header."""
    first = map(headers.get, ("name", "leader", "faction", "format"))
    return next((header[0].span for header in first if header), None)


# A list as it is understood


@dataclass(frozen=True, slots=True)
class Entry:
    """A card of a list before its name is looked up. `span` covers the name."""

    name: str
    count: int
    span: Span
    line: Line
    heading: Heading | None = None

    @property
    def in_reserves(self) -> bool:
        """Report whether the card is below the heading of the reserves."""
        return self.heading is not None and self.heading.below is Below.RESERVES


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """A resolved card line: card id, count and position."""

    card: str
    count: int
    span: Span


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck with its names resolved to ids, without the names that did not resolve."""

    source: DeckSource
    name: str
    """The name in the list, or else by the file."""
    format: str | None
    faction: str | None
    """The id of the faction."""
    leader: str | None
    """The id of the leader."""
    entries: tuple[DeckEntry, ...]
    """The card lines in the order of the file: a card may have several."""
    span: Span
    headers: Mapping[str, tuple[Header, ...]]
    sections: Mapping[str, Span] = field(default_factory=dict)
    unread: int = 0
    """The most cards that unreadable lines and unknown names may mean.

    A minimum is not reported as missed while they could fill it.
    """
    reserves: tuple[DeckEntry, ...] = ()
    """The cards listed as reserves, in games with reserves."""

    def counts(self) -> Counter[str]:
        """Count the copies of each card id in the deck."""
        return _count_cards(self.entries)

    def reserve_counts(self) -> Counter[str]:
        """Count the copies of each card id in the reserves."""
        return _count_cards(self.reserves)


def _count_cards(entries: Iterable[DeckEntry]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for entry in entries:
        counts[entry.card] += entry.count
    return counts


# The cards of a deck by kind, in the order in which decks are written and counted

_KIND_TITLES = {
    "hero": "Heroes",
    "weather": "Weather",
    "bronze": "Bronze",
    "silver": "Silver",
    "gold": "Gold",
}


class DeckSection(NamedTuple):
    """The cards of a kind: ids with their counts."""

    kind: str
    cards: tuple[tuple[str, int], ...]

    @property
    def title(self) -> str:
        """Return `Units`, `Heroes`, `Weather`."""
        return section_title(self.kind)

    @property
    def total(self) -> int:
        """Return the number of cards."""
        return sum(count for _, count in self.cards)


def sections(
    counts: Mapping[str, int], database: CardDatabase
) -> tuple[DeckSection, ...]:
    """Return counted cards by kind, as the game lists them, each sorted by name."""
    ordered = sorted(counts, key=lambda id: card_order(id, database))
    kinds = groupby(ordered, key=lambda id: database.cards[id].kind)
    found: list[DeckSection] = []
    for kind, ids in kinds:
        found.append(DeckSection(kind, tuple((id, counts[id]) for id in ids)))
    return tuple(found)


def section_title(kind: str) -> str:
    """Return the heading above the cards of a kind."""
    return _KIND_TITLES.get(kind, f"{kind.capitalize().replace('_', ' ')}s")


def card_order(card: str, database: CardDatabase) -> tuple[int, str]:
    """Return the key that sorts cards by kind, as the game lists them, then by name."""
    record = database.cards[card]
    return database.game.kinds.index(record.kind), normalise(record.name)


# A deck as every writer takes it: canonical headers and counted cards


@dataclass(frozen=True, slots=True)
class Sheet:
    """A resolved deck in canonical spelling."""

    headers: Mapping[str, tuple[str, ...]]
    """The headers by lower-case key, in the usual order."""
    cards: Mapping[str, int]
    """The copies of each card by id."""
    faction: str | None
    """The id of the faction."""
    leader: str | None
    """The id of the leader."""
    reserves: Mapping[str, int] = field(default_factory=dict)
    """The copies of each reserve card by id."""
    places: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The place of each id in the list: `siege.deck:4:1`."""


@dataclass(frozen=True, slots=True)
class WrittenDeck:
    """The text of decks, and the parts that it could not hold, in words."""

    text: str
    lost: tuple[str, ...] = ()


def make_sheet(deck: Deck, database: CardDatabase) -> Sheet:
    """Return a deck in canonical spelling, with the faction that its leader implies."""
    headers: dict[str, tuple[str, ...]] = {}
    for key in HEADERS:
        values = tuple(
            canonical(key, header.value, deck.faction, database)
            for header in deck.headers.get(key, ())
        )
        if key == "faction" and not values and deck.faction is not None:
            values = (database.factions[deck.faction].name,)
        if values:
            headers[key] = values
    return Sheet(
        headers,
        dict(deck.counts()),
        deck.faction,
        deck.leader,
        dict(deck.reserve_counts()),
        _find_places(deck),
    )


def _find_places(deck: Deck) -> dict[str, str]:
    """Return the first places of the cards and of the leader."""
    spans = {entry.card: entry.span for entry in reversed(deck.entries)}
    if deck.leader is not None and "leader" in deck.headers:
        spans[deck.leader] = deck.headers["leader"][0].span
    places = {}
    for id, span in spans.items():
        places[id] = f"{deck.source.path}:{span.start.line}:{span.start.column}"
    return places


def canonical(key: str, value: str, faction: str | None, database: CardDatabase) -> str:
    """Return the value of a header as it is usually spelt."""
    if key == "format":
        return value.strip().lower()
    if key == "leader":
        of_faction = database.find_leader(value, faction).id
        leader = of_faction or database.find_leader(value).id
        if leader:
            return database.leaders[leader].full_name
    elif key == "faction":
        id = database.find_faction(value).id
        if id:
            return database.factions[id].name
    return value


def single_value(sheet: Sheet, key: str, way: str) -> str:
    """Return the value of a header, or empty text. Raises UsageError for two values."""
    values = sheet.headers.get(key, ())
    if len(values) > 1:
        message = f"{way} holds a single `{key}` for each deck, {len(values)} found"
        raise UsageError(message)
    return values[0] if values else ""


def lost_headers(sheets: Sequence[Sheet], kept: Iterable[str]) -> tuple[str, ...]:
    """Return the headers in use and not among `kept`, and the reserves."""
    used: set[str] = set()
    for sheet in sheets:
        used.update(sheet.headers)
    used -= set(kept)
    lost = [f"`{HEADERS[key]}`" for key in HEADERS if key in used]
    return (*lost, *lost_reserves(sheets))


def lost_reserves(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """Return the reserves, which a way of writing may not hold."""
    if any(sheet.reserves for sheet in sheets):
        return ("`Reserves`",)
    return ()
