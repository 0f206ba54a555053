"""Decks as YAML, JSON and CSV: read and written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deckcheck.cards import CardDatabase, normalise
from deckcheck.decks.asides import Aside, is_set_aside, said_beside
from deckcheck.decks.findings import (
    DUPLICATE_HEADER,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
)
from deckcheck.decks.lines import MAX_COUNT, DeckLine, check_count, list_lines, unlisted
from deckcheck.decks.model import (
    HEADERS,
    CardText,
    DeckSource,
    Header,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    header_key,
    is_reserves,
    lost_reserves,
)
from deckcheck.decks.text import MAX_LINE, DeckReader
from deckcheck.documents.model import Document, DocumentError, Location
from deckcheck.findings import Finding, Rule, Span, UsageError, on_line, split_lines
from deckcheck.markup import guarded, json_text, unguarded
from deckcheck.messages import choice, option, printable, quote, sentence

_MEND = "Correct it there, or write the deck as text, a count and a card on each line"
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
        return [RawDeck.unreadable(finding)]
    data = document.data
    if data is None or data == {}:
        return []
    if not isinstance(data, dict):
        help = "Write several decks as a list under `decks`"
        message = f"A deck is a mapping, not {_kind(data)}"
        finding = MALFORMED_DECK.at(path, document.span(), message, help=help)
        return [RawDeck.unreadable(finding)]
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
        finding = MALFORMED_DECK.at(path, document.span(("decks",)), message)
        return [RawDeck.unreadable(finding)]
    raw_decks = []
    for index, deck in enumerate(decks):
        reader = _DocumentReader(document, path, index, ("decks", index))
        reader.headers.update(shared.headers)
        if index == 0:
            reader.findings += shared.findings
        raw_decks.append(reader.read(deck))
    return raw_decks


_NAMES = ("name", "card", "cardname", "title", "id")
_COUNTS = ("count", "amount", "copies", "n", "num", "number", "qty", "quantity")
"""The keys that a card may have which is a mapping."""


class _DocumentReader(DeckReader):
    """Gathers one deck of a document; `base` is the way to it."""

    def __init__(
        self, document: Document, path: str, index: int, base: Location
    ) -> None:
        super().__init__(DeckSource(path, index))
        self.document = document
        self.base = base

    def read(self, data: object) -> RawDeck:
        """Read the whole deck."""
        if isinstance(data, dict):
            for key, value in data.items():
                self.take(key, value)
        else:
            message = f"A deck is a mapping, not {_kind(data)}"
            self.report_at(MALFORMED_DECK, (), message, None)
            self.unread += 1
        line, column = self.document.span(self.base).start
        return self.deck(self.head() or on_line(line, column, column + 1))

    def take(self, key: str, value: object) -> None:
        """Read one key of the deck."""
        name = header_key(key) or key.lower()
        is_held = isinstance(value, dict | list | str)
        sets_aside = name not in HEADERS and is_set_aside(key) and is_held
        if name == "cards" or is_reserves(name) or sets_aside:
            self.begin(self.key_span((key,)), sets_aside=sets_aside)
            self.in_reserves = is_reserves(name)
            if sets_aside and isinstance(value, str):
                span = self.span((key,))
                self.take_line(DeckLine(1, 1, value.strip() or key, place=span))
            else:
                self.take_cards(key, value)
        elif name not in HEADERS:
            help = f"A deck has {choice([*list(HEADERS)[:4], 'cards'], 'and')}"
            message = f"Unknown key {quote(key)}"
            self.report(UNKNOWN_HEADER, self.key_span((key,)), message, help)
        elif value is None or value == "":
            message = f"Header {quote(key)} has no value"
            help = "Write it, or remove the key"
            self.report(EMPTY_HEADER, self.key_span((key,)), message, help)
        elif name == "leader" and isinstance(value, list):
            for index, item in enumerate(value):
                self.take_header(name, (key, index), item)
        else:
            self.headers.pop(name, None)
            self.take_header(name, (key,), value)

    def take_header(self, name: str, location: Location, value: object) -> None:
        if len(str(value)) > MAX_LINE:
            message = f"Header `{name}` has {len(str(value)):,} characters"
            help = f"At most {MAX_LINE} are allowed"
            self.report_at(MALFORMED_DECK, location, message, help)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            header = Header(str(value), self.span(location))
            self.headers[name] = (*self.headers.get(name, ()), header)
        else:
            message = f"Header `{name}` is text, not {_kind(value)}"
            help = f"Write what it says behind `{name}` itself"
            self.report_at(MALFORMED_DECK, location, message, help)

    def take_cards(self, key: str, value: object) -> None:
        if isinstance(value, dict):
            for name, count in value.items():
                self.take_count((key, name), name, count)
        elif isinstance(value, list):
            self.take_items(key, value)
        else:
            message = f"`cards` is a mapping or a list, not {_kind(value)}"
            self.report_at(MALFORMED_DECK, (key,), message, _SHAPE)
            # Nobody knows how many cards were meant: no lower limit is missed.
            self.unread += MAX_COUNT

    def take_count(
        self,
        location: Location,
        name: str,
        value: object,
        beside: Aside | None = None,
        span: Span | None = None,
    ) -> None:
        shown = "" if value is None else str(value)
        if isinstance(value, dict | list):
            message = f"The count of {quote(name)} is a number, not {_kind(value)}"
            self.refuse(MALFORMED_DECK, location, message, _SHAPE)
        elif isinstance(count := check_count(shown), int):
            span = span or self.key_span(location)
            self.take_named(name, count, span, beside)
        else:
            help = "Write how many copies the deck has, or remove the card"
            self.refuse(IMPOSSIBLE_COUNT, location, count, help)

    def take_items(self, key: str, items: list[object]) -> None:
        lines: list[DeckLine] = []
        for index, item in enumerate(items):
            location = (key, index)
            if isinstance(item, dict) and self.take_mapping(location, item):
                continue
            if not isinstance(item, str) or not item.strip():
                message = f"A card of a list is text, not {_kind(item)}"
                self.refuse(MALFORMED_DECK, location, message, _SHAPE)
                continue
            whole = DeckLine(1, 1, item.strip(), place=self.span(location))
            read = unlisted(list(list_lines(item))) or [whole]
            lines += (replace(one, place=whole.place) for one in read)
        for line in self.settled(lines):
            self.take_line(line)

    def take_mapping(self, location: Location, item: dict[str, object]) -> bool:
        """Read a card that is a mapping with a name, and perhaps a count."""
        keys = {header_key(key) or normalise(key): key for key in item}
        name = next((keys[key] for key in _NAMES if key in keys), None)
        if name is None or not isinstance(item[name], str):
            return False
        count = next((keys[key] for key in _COUNTS if key in keys), None)
        rest = {key: said for key, said in item.items() if key not in (name, count)}
        self.take_count(
            location if count is None else (*location, count),
            str(item[name]),
            1 if count is None else item[count],
            said_beside(rest),
            self.span((*location, name)),
        )
        return True

    def refuse(self, rule: Rule, location: Location, message: str, help: str) -> None:
        self.unread += 1
        self.report_at(rule, location, message, help)

    def span(self, location: Location) -> Span:
        return self.document.span((*self.base, *location))

    def key_span(self, location: Location) -> Span:
        return self.document.key_span((*self.base, *location))

    def report_at(
        self, rule: Rule, location: Location, message: str, help: str | None
    ) -> None:
        self.report(rule, self.span(location), message, help)


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


@dataclass(frozen=True, slots=True)
class _Row:
    """One row: its values by column, and the places of these."""

    values: dict[str, str]
    spans: dict[str, Span]
    start: Span


def parse_csv(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a table; none if it has no row.

    The first line names the columns: `card`, and optionally `count`, `deck` where there
    are several, and headers. Commas, semicolons or tabs separate the values. Never
    raises: what cannot be read is a finding.
    """
    lines = split_lines(text)
    if not any(line.strip() for line in lines):
        return []
    delimiter = max(_DELIMITERS, key=lines[0].count)
    try:
        rows = list(_rows(lines, delimiter))
    except csv.Error as error:
        finding = MALFORMED_DOCUMENT.at(path, _line(1, ""), f"No table: {error}")
        return [RawDeck.unreadable(finding)]
    if not rows:
        return []
    number, names, spans = rows[0]
    columns = [header_key(name) or name.strip().lower() for name in names]
    if "card" not in columns:
        help = (
            "Name the columns in the first line, such as `count,card`; "
            f"{option('exclude')} leaves out a table that is not a deck"
        )
        message = "The table has no column `card`"
        finding = MALFORMED_DECK.at(path, _line(number, lines[0]), message, help=help)
        return [RawDeck.unreadable(finding)]
    decks: dict[str, _TableReader] = {}
    for number, values, places in rows[1:]:
        row = _Row(
            dict(zip(columns, map(unguarded, values), strict=False)),
            dict(zip(columns, places, strict=False)),
            _line(number, lines[number - 1]),
        )
        key = row.values.get("deck") or row.values.get("name", "")
        deck = decks.setdefault(key, _TableReader(DeckSource(path, len(decks)), row))
        deck.take(row)
    for deck in list(decks.values())[:1]:
        deck.findings[:0] = _strange_columns(columns, spans, path)
    return [deck.deck(deck.row.start) for deck in decks.values()]


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
        spans.append(on_line(line, column, end))
        column = end + 1
    return spans


def _line(number: int, text: str) -> Span:
    return on_line(number, 1, len(text) + 1)


def _strange_columns(
    columns: Sequence[str], spans: Sequence[Span], path: str
) -> Iterator[Finding]:
    for name, span in zip(columns, spans, strict=True):
        if name and name not in _COLUMNS:
            help = "It is ignored: remove it, or name it like a header"
            message = f"Unknown column {quote(name)}"
            yield UNKNOWN_HEADER.at(path, span, message, help=help)


class _TableReader(DeckReader):
    """Gathers one deck of a table, row by row; `row` is its first."""

    def __init__(self, source: DeckSource, row: _Row) -> None:
        super().__init__(source)
        self.row = row

    def take(self, row: _Row) -> None:
        for key in HEADERS:
            value = row.values.get(key, "").strip()
            if value:
                self.take_header(key, Header(value, row.spans[key]))
        name = row.values.get("card", "").strip()
        said = row.values.get("count", "").strip()
        if not name:
            message, help = "The row names no card", "Write the card, or remove the row"
            self.report(MALFORMED_DECK, row.start, message, help)
            self.unread += 1
            return
        line = DeckLine(1, 1, name, place=row.spans["card"])
        if not said and "count" in row.values and self.take_heading(line):
            return
        count = check_count(said) if "count" in row.values else 1
        if isinstance(count, str):
            help = "Write how many copies the deck has, or remove the row"
            self.report(IMPOSSIBLE_COUNT, row.spans["count"], count, help)
            self.unread += 1
            return
        rest = {key: word for key, word in row.values.items() if key not in _COLUMNS}
        before = len(self.entries)
        self.take_named(name, count, row.spans["card"], said_beside(rest))
        if "count" not in row.values:
            new = self.entries[before:]
            self.texts += (CardText(name, entry.span, entry) for entry in new)

    def take_header(self, key: str, header: Header) -> None:
        if len(header.value) > MAX_LINE:
            message = f"Column `{key}` has {len(header.value):,} characters"
            help = f"At most {MAX_LINE} are allowed"
            self.report(MALFORMED_DECK, header.span, message, help)
            return
        [first, *_] = self.headers.setdefault(key, (header,))
        if first.value != header.value:
            said, other = quote(header.value), quote(first.value)
            message = f"Column `{key}` says {said} and {other}"
            help = "Write the same in every row of a deck"
            self.report(DUPLICATE_HEADER, header.span, message, help)


# Decks as YAML and JSON.


def write_json(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Decks as one JSON object."""
    return WrittenDeck(json_text(_content(sheets, database)))


def write_yaml(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Decks as one YAML document."""
    import yaml

    content = _content(sheets, database)
    text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
    return WrittenDeck(text)


def single_value(sheet: Sheet, key: str, way: str) -> str:
    """The one value of a header, empty if there is none; UsageError for two."""
    values = sheet.headers.get(key, ())
    if len(values) > 1:
        raise UsageError(f"{way} holds one `{key}` for a deck, {len(values)} found")
    return values[0] if values else ""


def _content(sheets: Sequence[Sheet], database: CardDatabase) -> dict[str, object]:
    decks = [_deck(sheet, database) for sheet in sheets]
    return decks[0] if len(decks) == 1 else {"decks": decks}


def _deck(sheet: Sheet, database: CardDatabase) -> dict[str, object]:
    content: dict[str, object] = {}
    for key, values in sheet.headers.items():
        if key == "leader" and len(values) > 1:
            content[key] = list(values)
        else:
            content[key] = single_value(sheet, key, "A YAML or JSON deck")
    cards = sorted(sheet.cards, key=lambda id: card_order(id, database))
    content["cards"] = {database.cards[id].name: sheet.cards[id] for id in cards}
    beside = sorted(sheet.reserves, key=lambda id: card_order(id, database))
    reserves = {database.cards[id].name: sheet.reserves[id] for id in beside}
    return {**content, "reserves": reserves} if reserves else content


# Decks as a table: one row for each card, the headers of the deck in every row.

_ALWAYS = ("name", "format", "faction", "leader")


def write_csv(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Decks as comma-separated values with a line of column names."""
    used = {key for sheet in sheets for key in sheet.headers}
    keys = [key for key in HEADERS if key in _ALWAYS or key in used]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["deck", *keys, "count", "card"])
    for number, sheet in enumerate(sheets, start=1):
        if not sheet.cards:
            message = "A CSV deck has one row per card, and this deck has no cards"
            raise UsageError(message)
        values = [guarded(single_value(sheet, key, "A CSV deck")) for key in keys]
        for card in sorted(sheet.cards, key=lambda id: card_order(id, database)):
            count, name = sheet.cards[card], database.cards[card].name
            table.writerow([number, *values, count, guarded(name)])
    return WrittenDeck(out.getvalue(), lost_reserves(sheets))
