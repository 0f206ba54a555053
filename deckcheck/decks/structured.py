"""Decks as YAML or JSON: the same deck, with keys instead of lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from deckcheck.decks.cardlines import (
    MAX_COUNT,
    CardLine,
    check_count,
    parse_card_line,
)
from deckcheck.decks.headers import HEADERS, header_key, is_reserves
from deckcheck.decks.model import CardText, DeckSource, Header, RawDeck, RawEntry
from deckcheck.decks.reading import (
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
    UNREADABLE_LINE,
)
from deckcheck.findings import Finding, Position, Rule, Span
from deckcheck.findings.documents import Document, DocumentError, Location
from deckcheck.findings.words import choice, printable, quote, sentence

_MEND = "Mend it there, or write the deck as text, a count and a card on each line"
_SHAPE = "Write `cards:` as names with counts, `Ballista: 2`, or as a list of names"


def parse_structured(
    read: Callable[[bytes | str], Document], text: str, path: str
) -> list[RawDeck]:
    """Read the deck of a document, or those under `decks`; none if it is empty.

    `read` is the reader of the syntax. Headers outside `decks` hold for each deck that
    does not state them itself. Never raises: what cannot be read is a finding.
    """
    try:
        document = read(text)
    except DocumentError as error:
        message = printable(sentence(error.message))
        finding = MALFORMED_DOCUMENT.at(
            path, error.span, message, help=error.help or _MEND, related=error.related
        )
        return [_nothing(path, finding)]
    data = document.data
    if data is None or data == {}:
        return []
    if not isinstance(data, dict):
        help = "Write several decks as a list under `decks`"
        message = f"A deck is a mapping, not {_kind(data)}"
        return [_nothing(path, _malformed(document, path, (), message, help))]
    if "decks" not in data:
        return [_Reader(document, path, 0, ()).read(data)]
    return _read_decks(document, path, data)


def _read_decks(
    document: Document, path: str, data: Mapping[str, object]
) -> list[RawDeck]:
    shared = _Reader(document, path, 0, ())
    for key, value in data.items():
        if key != "decks":
            shared.take(key, value)
    decks = data["decks"]
    if not isinstance(decks, list) or not decks:
        message = f"`decks` is a list of decks, not {_kind(decks)}"
        return [_nothing(path, _malformed(document, path, ("decks",), message, None))]
    raw_decks = []
    for index, deck in enumerate(decks):
        reader = _Reader(document, path, index, ("decks", index))
        reader.headers.update(shared.headers)
        if index == 0:
            reader.findings += shared.findings
        raw_decks.append(reader.read(deck))
    return raw_decks


class _Reader:
    """Gathers one deck of a document; `base` is the way to it."""

    def __init__(
        self, document: Document, path: str, index: int, base: Location
    ) -> None:
        self.document = document
        self.source = DeckSource(path, index)
        self.base = base
        self.headers: dict[str, tuple[Header, ...]] = {}
        self.entries: list[RawEntry] = []
        self.texts: list[CardText] = []
        self.findings: list[Finding] = []
        self.unread = 0

    def read(self, data: object) -> RawDeck:
        """Read the whole deck."""
        if isinstance(data, dict):
            for key, value in data.items():
                self.take(key, value)
        else:
            message = f"A deck is a mapping, not {_kind(data)}"
            self.report(MALFORMED_DECK, (), message, None)
            self.unread += 1
        return RawDeck(
            source=self.source,
            headers=self.headers,
            entries=tuple(self.entries),
            findings=tuple(self.findings),
            span=self.place(),
            unread=self.unread,
            texts=tuple(self.texts),
        )

    def place(self) -> Span:
        """Where findings about the whole deck point: its name, or its first key."""
        for key in ("name", "leader", "faction", "format"):
            if key in self.headers:
                return self.headers[key][0].span
        start = self.document.span(self.base).start
        return Span(start, Position(start.line, start.column + 1))

    def take(self, key: str, value: object) -> None:
        """Read one key of the deck."""
        name = header_key(key) or key.lower()
        if name == "cards" or is_reserves(name):
            before = len(self.entries)
            self.take_cards(key, value)
            if name != "cards":
                beside = [replace(e, in_reserves=True) for e in self.entries[before:]]
                self.entries[before:] = beside
        elif name not in HEADERS:
            help = f"A deck has {choice([*list(HEADERS)[:4], 'cards'], 'and')}"
            message = f"Unknown key {quote(key)}"
            self.report(UNKNOWN_HEADER, (key,), message, help, key=True)
        elif value is None or value == "":
            message = f"Header {quote(key)} has no value"
            self.report(EMPTY_HEADER, (key,), message, "Write it, or remove the key")
        elif name == "leader" and isinstance(value, list):
            for index, item in enumerate(value):
                self.take_header(name, (key, index), item)
        else:
            self.headers.pop(name, None)
            self.take_header(name, (key,), value)

    def take_header(self, name: str, location: Location, value: object) -> None:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            header = Header(str(value), self.span(location))
            self.headers[name] = (*self.headers.get(name, ()), header)
        else:
            message = f"Header `{name}` is text, not {_kind(value)}"
            self.report(MALFORMED_DECK, location, message, None)

    def take_cards(self, key: str, value: object) -> None:
        if isinstance(value, dict):
            for name, count in value.items():
                self.take_count((key, name), name, count)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self.take_item((key, index), item)
        else:
            message = f"`cards` is a mapping or a list, not {_kind(value)}"
            self.report(MALFORMED_DECK, (key,), message, _SHAPE)
            # Nobody knows how many cards were meant: no lower limit is missed.
            self.unread += MAX_COUNT

    def take_count(self, location: Location, name: str, value: object) -> None:
        shown = "" if value is None else str(value)
        if isinstance(value, dict | list):
            message = f"The count of {quote(name)} is a number, not {_kind(value)}"
            self.refuse(MALFORMED_DECK, location, message, _SHAPE)
        elif isinstance(count := check_count(shown), int):
            span = self.document.key_span((*self.base, *location))
            self.entries.append(RawEntry(name, count, span))
        else:
            help = "Write how many copies the deck has, or remove the card"
            self.refuse(IMPOSSIBLE_COUNT, location, count, help)

    def take_item(self, location: Location, item: object) -> None:
        if not isinstance(item, str) or not item.strip():
            message = f"A card of a list is text, not {_kind(item)}"
            self.refuse(MALFORMED_DECK, location, message, _SHAPE)
            return
        card, span = parse_card_line(item.strip()), self.span(location)
        if isinstance(card, CardLine):
            self.entries.append(RawEntry(card.name, card.count, span))
            self.texts.append(CardText(item, span, self.entries[-1]))
        else:
            rule = IMPOSSIBLE_COUNT if card.about_count else UNREADABLE_LINE
            self.refuse(rule, location, card.message, card.help)
            self.texts.append(CardText(item, span, finding=self.findings[-1]))

    def refuse(self, rule: Rule, location: Location, message: str, help: str) -> None:
        self.unread += 1
        self.report(rule, location, message, help)

    def span(self, location: Location) -> Span:
        return self.document.span((*self.base, *location))

    def report(
        self,
        rule: Rule,
        location: Location,
        message: str,
        help: str | None,
        key: bool = False,
    ) -> None:
        find = self.document.key_span if key else self.document.span
        span = find((*self.base, *location))
        self.findings.append(rule.at(self.source.path, span, message, help=help))


def _malformed(
    document: Document, path: str, location: Location, message: str, help: str | None
) -> Finding:
    return MALFORMED_DECK.at(path, document.span(location), message, help=help)


def _nothing(path: str, finding: Finding) -> RawDeck:
    return RawDeck(DeckSource(path), {}, (), (finding,), finding.span, unread=1)


def _kind(value: object) -> str:
    """What a value is, in words."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    return quote(str(value).lower() if isinstance(value, bool) else str(value), 30)
