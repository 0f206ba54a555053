"""Decks as YAML, JSON and CSV: read and written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import (
    DUPLICATE_HEADER,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
    UNREADABLE_LINE,
)
from deckcheck.decks.lines import MAX_COUNT, CardLine, check_count, parse_card_line
from deckcheck.decks.model import (
    HEADERS,
    CardText,
    DeckSource,
    Header,
    RawDeck,
    RawEntry,
    Sheet,
    WrittenDeck,
    card_order,
    header_key,
    is_reserves,
    lost_reserves,
)
from deckcheck.documents.model import Document, DocumentError, Location
from deckcheck.findings import Finding, Position, Rule, Span, UsageError
from deckcheck.markup import guarded, json_text, unguarded
from deckcheck.messages import choice, option, printable, quote, sentence

# Decks as YAML or JSON: the same deck, with keys instead of lines.

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
        return [_DocumentReader(document, path, 0, ()).read(data)]
    return _read_decks(document, path, data)


def _read_decks(
    document: Document, path: str, data: Mapping[str, object]
) -> list[RawDeck]:
    shared = _DocumentReader(document, path, 0, ())
    for key, value in data.items():
        if key != "decks":
            shared.take(key, value)
    decks = data["decks"]
    if not isinstance(decks, list) or not decks:
        message = f"`decks` is a list of decks, not {_kind(decks)}"
        return [_nothing(path, _malformed(document, path, ("decks",), message, None))]
    raw_decks = []
    for index, deck in enumerate(decks):
        reader = _DocumentReader(document, path, index, ("decks", index))
        reader.headers.update(shared.headers)
        if index == 0:
            reader.findings += shared.findings
        raw_decks.append(reader.read(deck))
    return raw_decks


class _DocumentReader:
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


# CSV decks: one row for each card, the headers of the deck in columns of their own.

_COLUMNS = ("deck", "count", "card", *HEADERS)
_DELIMITERS = ",;\t"
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class _Row:
    """One row: its values by column, and the places of these."""

    values: dict[str, str]
    spans: dict[str, Span]
    start: Span


@dataclass(slots=True)
class _Gathered:
    """What is known of one deck so far."""

    index: int
    span: Span
    headers: dict[str, tuple[Header, ...]] = field(default_factory=dict)
    entries: list[RawEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    texts: list[CardText] = field(default_factory=list)
    unread: int = 0


def parse_csv(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a table; none if it has no row.

    The first line names the columns: `card`, and optionally `count`, `deck` where there
    are several, and headers. Commas, semicolons or tabs separate the values. Never
    raises: what cannot be read is a finding.
    """
    lines = _LINE_END.split(text)
    if not any(line.strip() for line in lines):
        return []
    delimiter = max(_DELIMITERS, key=lines[0].count)
    try:
        rows = list(_rows(lines, delimiter))
    except csv.Error as error:
        finding = MALFORMED_DOCUMENT.at(path, _line(1, ""), f"No table: {error}")
        return [RawDeck(DeckSource(path), {}, (), (finding,), finding.span, unread=1)]
    if not rows:
        return []
    number, names, spans = rows[0]
    columns = [header_key(name) or name.strip().lower() for name in names]
    if "card" not in columns:
        help = (
            "Name the columns in the first line, such as `count,card`; "
            f"{option('exclude')} leaves out a table that is no deck"
        )
        message = "The table has no column `card`"
        finding = MALFORMED_DECK.at(path, _line(number, lines[0]), message, help=help)
        return [RawDeck(DeckSource(path), {}, (), (finding,), finding.span, unread=1)]
    decks: dict[str, _Gathered] = {}
    for number, values, places in rows[1:]:
        row = _Row(
            dict(zip(columns, map(unguarded, values), strict=False)),
            dict(zip(columns, places, strict=False)),
            _line(number, lines[number - 1]),
        )
        key = row.values.get("deck") or row.values.get("name", "")
        deck = decks.setdefault(key, _Gathered(len(decks), row.start))
        _take(deck, row, path)
    read_decks = list(decks.values())
    if read_decks:
        read_decks[0].findings[:0] = _strange_columns(columns, spans, path)
    return [_finish(deck, path) for deck in read_decks]


def _rows(
    lines: Sequence[str], delimiter: str
) -> Iterator[tuple[int, list[str], list[Span]]]:
    """Line number, values and their places, of every row that is not empty."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    line = 1
    for values in reader:
        if any(value.strip() for value in values):
            yield line, values, _places(line, lines[line - 1], values, delimiter)
        line = reader.line_num + 1


def _places(line: int, text: str, values: list[str], delimiter: str) -> list[Span]:
    """The places of the values; the whole line when quotes hide them."""
    if delimiter.join(values) != text:
        return [_line(line, text)] * len(values)
    spans, column = [], 1
    for value in values:
        end = column + len(value)
        spans.append(Span(Position(line, column), Position(line, end)))
        column = end + 1
    return spans


def _line(number: int, text: str) -> Span:
    return Span(Position(number, 1), Position(number, len(text) + 1))


def _strange_columns(
    columns: Sequence[str], spans: Sequence[Span], path: str
) -> Iterator[Finding]:
    for name, span in zip(columns, spans, strict=True):
        if name and name not in _COLUMNS:
            help = "It is ignored: remove it, or name it like a header"
            message = f"Unknown column {quote(name)}"
            yield UNKNOWN_HEADER.at(path, span, message, help=help)


def _take(deck: _Gathered, row: _Row, path: str) -> None:
    for key in HEADERS:
        value = row.values.get(key, "").strip()
        if not value:
            continue
        [first, *_] = deck.headers.setdefault(key, (Header(value, row.spans[key]),))
        if first.value != value:
            message = f"Column `{key}` says {quote(value)} and {quote(first.value)}"
            help = "Write the same in every row of a deck"
            finding = DUPLICATE_HEADER.at(path, row.spans[key], message, help=help)
            deck.findings.append(finding)
    name = row.values.get("card", "").strip()
    if not name:
        message, help = "The row names no card", "Write the card, or remove the row"
        deck.findings.append(MALFORMED_DECK.at(path, row.start, message, help=help))
        deck.unread += 1
        return
    count = check_count(row.values["count"].strip()) if "count" in row.values else 1
    if isinstance(count, int):
        entry = RawEntry(name, count, row.spans["card"])
        deck.entries.append(entry)
        if "count" not in row.values:
            deck.texts.append(CardText(name, entry.span, entry))
    else:
        help = "Write how many copies the deck has, or remove the row"
        span = row.spans["count"]
        deck.findings.append(IMPOSSIBLE_COUNT.at(path, span, count, help=help))
        deck.unread += 1


def _finish(deck: _Gathered, path: str) -> RawDeck:
    return RawDeck(
        source=DeckSource(path, deck.index),
        headers=deck.headers,
        entries=tuple(deck.entries),
        findings=tuple(deck.findings),
        span=deck.span,
        unread=deck.unread,
        texts=tuple(deck.texts),
    )


# Decks as YAML and JSON.


def write_json(sheets: Sequence[Sheet], db: CardDatabase) -> WrittenDeck:
    """Decks as one JSON object."""
    return WrittenDeck(json_text(_content(sheets, db)))


def write_yaml(sheets: Sequence[Sheet], db: CardDatabase) -> WrittenDeck:
    """Decks as one YAML document."""
    import yaml

    content = _content(sheets, db)
    return WrittenDeck(
        yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
    )


def single_value(sheet: Sheet, key: str, way: str) -> str:
    """The one value of a header, empty if there is none; UsageError for two."""
    values = sheet.headers.get(key, ())
    if len(values) > 1:
        raise UsageError(f"{way} holds one `{key}` for a deck, {len(values)} found")
    return values[0] if values else ""


def _content(sheets: Sequence[Sheet], db: CardDatabase) -> dict[str, object]:
    decks = [_deck(sheet, db) for sheet in sheets]
    return decks[0] if len(decks) == 1 else {"decks": decks}


def _deck(sheet: Sheet, db: CardDatabase) -> dict[str, object]:
    content: dict[str, object] = {}
    for key, values in sheet.headers.items():
        if key == "leader" and len(values) > 1:
            content[key] = list(values)
        else:
            content[key] = single_value(sheet, key, "A YAML or JSON deck")
    cards = sorted(sheet.cards, key=lambda id: card_order(id, db))
    content["cards"] = {db.cards[id].name: sheet.cards[id] for id in cards}
    beside = sorted(sheet.reserves, key=lambda id: card_order(id, db))
    if beside:
        content["reserves"] = {db.cards[id].name: sheet.reserves[id] for id in beside}
    return content


# Decks as a table: one row for each card, the headers of the deck in every row.

_ALWAYS = ("name", "format", "faction", "leader")


def write_csv(sheets: Sequence[Sheet], db: CardDatabase) -> WrittenDeck:
    """Decks as comma-separated values with a line of column names."""
    used = {key for sheet in sheets for key in sheet.headers}
    keys = [key for key in HEADERS if key in _ALWAYS or key in used]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["deck", *keys, "count", "card"])
    for number, sheet in enumerate(sheets, start=1):
        if not sheet.cards:
            raise UsageError(
                "A CSV deck has one row per card, and this deck has no cards"
            )
        values = [guarded(single_value(sheet, key, "A CSV deck")) for key in keys]
        for card in sorted(sheet.cards, key=lambda id: card_order(id, db)):
            count, name = sheet.cards[card], db.cards[card].name
            table.writerow([number, *values, count, guarded(name)])
    return WrittenDeck(out.getvalue(), lost_reserves(sheets))
