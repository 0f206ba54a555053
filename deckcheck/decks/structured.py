"""Decks as YAML, JSON and CSV: read and written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import (
    DUPLICATE_HEADER,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
)
from deckcheck.decks.lines import MAX_COUNT, check_count, cleaned
from deckcheck.decks.model import (
    DeckSource,
    Header,
    Heading,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    lost_reserves,
)
from deckcheck.decks.reading import MAX_LINE, heading_of, place_of
from deckcheck.decks.words import HEADERS, Below, header_key, usual_heading
from deckcheck.documents.model import Document, DocumentError, Location
from deckcheck.findings import Finding, Rule, Span, UsageError, on_line, split_lines
from deckcheck.markup import guard_formula, json_text, remove_guard
from deckcheck.messages import choice, option, printable, quote, sentence

_MEND = "Correct it there, or write the deck as text, a count and a card on each line"
_SHAPE = "Write `cards:` as names with counts, `Ballista: 2`, or as a list of names"


class _Gatherer:
    """Gathers the lines of one deck, and what is wrong with how they are written."""

    holder = "card"
    """What holds a card."""

    def __init__(self, source: DeckSource) -> None:
        self.source = source
        self.headers: dict[str, list[Line]] = {}
        self.lines: list[Line] = []
        self.findings: list[Finding] = []
        self.unread = 0

    def report(self, rule: Rule, span: Span, message: str, help: str | None) -> None:
        """Add a finding."""
        self.findings.append(rule.at(self.source.path, span, message, help=help))

    def refuse(self, rule: Rule, span: Span, message: str, help: str) -> None:
        """Add a finding about a card that cannot be read."""
        self.unread += 1
        self.report(rule, span, message, help)

    def add_header(self, key: str, value: str, span: Span) -> None:
        """Add a header."""
        self.headers.setdefault(key, []).append(header_line(key, value, span))

    def add_card(self, name: str, said: str, place: Span, at_count: Span) -> None:
        """Add a card whose count is separate."""
        count = check_count(said)
        if isinstance(count, str):
            help = f"Write how many copies the deck has, or remove the {self.holder}"
            self.refuse(IMPOSSIBLE_COUNT, at_count, count, help)
            return
        doubt = cleaned(Line(name, place)).doubt
        self.lines.append(Line(name, place, doubt=doubt, count=count))

    def deck(self, place: Span) -> RawDeck:
        """The deck; `place` is where it stands as a whole."""
        headers = [line for lines in self.headers.values() for line in lines]
        lines = (*headers, *self.lines)
        findings, unread = tuple(self.findings), self.unread
        return RawDeck(self.source, lines, findings, place, unread)


def header_line(key: str, value: str, span: Span) -> Line:
    """A header of which the notation says that it is one."""
    return Line(value, span, key=key, header=Header(value, span))


# YAML and JSON: a mapping, or several under `decks`.


def parse_structured(
    read: Callable[[bytes | str], Document], text: str, path: str
) -> list[RawDeck]:
    """Read the deck of a document, or those under `decks`; none if it is empty.

    `read` is the reader of the syntax. Headers outside `decks` hold for each deck that
    does not state them itself.
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
        return [_Document(document, path, 0, ()).read(data)]
    return _parse_decks(document, path, data)


def _parse_decks(
    document: Document, path: str, data: Mapping[str, object]
) -> list[RawDeck]:
    shared = _Document(document, path, 0, ())
    for key, value in data.items():
        if key != "decks":
            shared.take(key, value)
    if shared.lines:
        message = (
            f"The cards under {quote(shared.lines[0].text)} are in none of `decks`"
        )
        help = "Write them under one of the decks"
        shared.report(MALFORMED_DECK, shared.lines[0].span, message, help)
    decks = data["decks"]
    if not isinstance(decks, list) or not decks:
        message = f"`decks` is a list of decks, not {_kind(decks)}"
        finding = MALFORMED_DECK.at(path, document.span(("decks",)), message)
        return [RawDeck.unreadable(finding)]
    raws = []
    for index, deck in enumerate(decks):
        reader = _Document(document, path, index, ("decks", index))
        reader.headers.update(shared.headers)
        reader.findings += shared.findings if index == 0 else []
        raws.append(reader.read(deck))
    return raws


class _Document(_Gatherer):
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
            self.report(MALFORMED_DECK, self.span(()), message, None)
            self.unread += 1
        line, column = self.document.span(self.base).start
        deck = self.deck(on_line(line, column, column + 1))
        return replace(deck, span=place_of(deck.headers) or deck.span)

    def take(self, key: str, value: object) -> None:
        """Read one key of the deck."""
        name = header_key(key) or key.lower()
        place = self.key_span((key,))
        usual = usual_heading(key) if name not in HEADERS else None
        below = usual[1] if usual is not None else Below.CARDS
        if name == "cards" or below is not Below.CARDS:
            self.lines.append(Line(key, place, heading=Heading("", place, below)))
            self.take_cards(key, value)
        elif name not in HEADERS:
            help = f"A deck has {choice([*list(HEADERS)[:4], 'cards'], 'and')}"
            # What holds several things may be cards that are meant.
            rule = MALFORMED_DECK if isinstance(value, dict | list) else UNKNOWN_HEADER
            self.report(rule, place, f"Unknown key {quote(key)}", help)
        elif value is None or value == "":
            message = f"Header {quote(key)} has no value"
            self.report(EMPTY_HEADER, place, message, "Write it, or remove the key")
        else:
            self.headers.pop(name, None)
            if name == "leader" and isinstance(value, list):
                for index, item in enumerate(value):
                    self.take_header(name, (key, index), item)
            else:
                self.take_header(name, (key,), value)

    def take_header(self, name: str, location: Location, value: object) -> None:
        """Read the value of a header."""
        place = self.span(location)
        if len(str(value)) > MAX_LINE:
            message = f"Header `{name}` has {len(str(value)):,} characters"
            help = f"At most {MAX_LINE} are allowed"
            self.report(MALFORMED_DECK, place, message, help)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            self.add_header(name, str(value), place)
        else:
            message = f"Header `{name}` is text, not {_kind(value)}"
            help = f"Write what it says behind `{name}` itself"
            self.report(MALFORMED_DECK, place, message, help)

    def take_cards(self, key: str, value: object) -> None:
        """Read the cards below a key: names with counts, or a list."""
        if isinstance(value, dict):
            for name, count in value.items():
                at = (key, name)
                self.take_count(at, name, count, self.key_span(at))
        elif isinstance(value, list):
            self.take_items(key, value)
        else:
            message = f"`cards` is a mapping or a list, not {_kind(value)}"
            self.report(MALFORMED_DECK, self.span((key,)), message, _SHAPE)
            # Nobody knows how many cards were meant: no lower limit is missed.
            self.unread += MAX_COUNT

    def take_count(self, at: Location, name: str, value: object, place: Span) -> None:
        """Read a card with a count, which stands at a location."""
        if isinstance(value, dict | list):
            message = f"The count of {quote(name)} is a number, not {_kind(value)}"
            self.refuse(MALFORMED_DECK, self.span(at), message, _SHAPE)
        else:
            said = "" if value is None else str(value)
            self.add_card(name, said, place, self.span(at))

    def take_items(self, key: str, items: list[object]) -> None:
        """Read a list of cards, written like lines of text."""
        for index, item in enumerate(items):
            at = (key, index)
            if isinstance(item, str) and item.strip():
                self.lines.append(cleaned(Line(item, self.span(at))))
            elif isinstance(item, dict) and isinstance(item.get("name"), str):
                self.take_mapping(at, item)
            else:
                message = f"A card of a list is text, not {_kind(item)}"
                self.refuse(MALFORMED_DECK, self.span(at), message, _SHAPE)

    def take_mapping(self, at: Location, item: dict[str, object]) -> None:
        """Read a card that is a mapping with a name, and perhaps a count."""
        for key in item.keys() - {"name", "count"}:
            message = f"A card has a `name` and a `count`, not {quote(key)}"
            help = "Remove it, and the card if it is not meant"
            self.refuse(MALFORMED_DECK, self.key_span((*at, key)), message, help)
        place = (*at, "count") if "count" in item else at
        count, span = item.get("count", 1), self.span((*at, "name"))
        self.take_count(place, str(item["name"]), count, span)

    def span(self, location: Location) -> Span:
        return self.document.span((*self.base, *location))

    def key_span(self, location: Location) -> Span:
        return self.document.key_span((*self.base, *location))


def _kind(value: object) -> str:
    """What a value is, in words."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    return quote(str(value).lower() if isinstance(value, bool) else str(value), 30)


# Tables: one row for each card, the headers of the deck in columns of their own.

_COLUMNS = ("deck", "count", "card", *HEADERS)
_DELIMITERS = ",;\t"


def parse_csv(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a table; none if it has no row.

    The first line names the columns: `card`, and optionally `count`, `deck` where there
    are several, and headers. Commas, semicolons or tabs separate the values.
    """
    lines = split_lines(text)
    if not any(line.strip() for line in lines):
        return []
    try:
        rows = list(_rows(lines, max(_DELIMITERS, key=lines[0].count)))
    except csv.Error as error:
        finding = MALFORMED_DOCUMENT.at(path, _line(1, ""), f"No table: {error}")
        return [RawDeck.unreadable(finding)]
    if not rows:
        return []
    (start, heads), *rest = rows
    columns = [header_key(head.text) or head.text.strip().lower() for head in heads]
    if "card" not in columns:
        help = (
            "Name the columns in the first line, such as `count,card`; "
            f"{option('exclude')} leaves out a table that is not a deck"
        )
        message = "The table has no column `card`"
        finding = MALFORMED_DECK.at(path, start, message, help=help)
        return [RawDeck.unreadable(finding)]
    decks: dict[str, _Table] = {}
    for place, cells in rest:
        row = dict(zip(columns, cells, strict=False))
        named = (row[name].text for name in ("deck", "name") if name in row)
        key = remove_guard(next(filter(None, named), ""))
        deck = decks.setdefault(key, _Table(DeckSource(path, len(decks)), place))
        deck.take(row, place)
    for deck in list(decks.values())[:1]:
        for name, head in zip(columns, heads, strict=True):
            if name and name not in _COLUMNS:
                help = "Remove it, and the rows that are not meant"
                message = f"Unknown column {quote(name)}"
                deck.report(MALFORMED_DECK, head.span, message, help)
    return [deck.deck(deck.start) for deck in decks.values()]


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[tuple[Span, list[Line]]]:
    """The place and the cells of every row that is not empty."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    number = 1
    for values in reader:
        text = lines[number - 1]
        whole = _line(number, text)
        # Where quotes hide the cells, their place is the whole line.
        is_plain, column, cells = delimiter.join(values) == text, 1, []
        for value in values:
            span = on_line(number, column, column + len(value))
            cells.append(Line(value, span if is_plain else whole))
            column += len(value) + 1
        if any(value.strip() for value in values):
            yield whole, cells
        number = reader.line_num + 1


def _line(number: int, text: str) -> Span:
    return on_line(number, 1, len(text) + 1)


class _Table(_Gatherer):
    """Gathers one deck of a table, row by row; `start` is the place of the first."""

    holder = "row"

    def __init__(self, source: DeckSource, start: Span) -> None:
        super().__init__(source)
        self.start = start

    def take(self, cells: Mapping[str, Line], place: Span) -> None:
        """Read a row, by the names of the columns."""
        row = {key: remove_guard(cell.text).strip() for key, cell in cells.items()}
        for key in HEADERS:
            if row.get(key):
                self.take_header(key, row[key], cells[key].span)
        name, said = row.get("card", ""), row.get("count")
        if not name:
            message, help = "The row names no card", "Write the card, or remove the row"
            self.refuse(MALFORMED_DECK, place, message, help)
            return
        line = cleaned(Line(name, cells["card"].span))
        if said is None or (said == "" and heading_of(line) is not None):
            self.lines.append(line)
        else:
            self.add_card(name, said, line.span, cells["count"].span)

    def take_header(self, key: str, value: str, span: Span) -> None:
        """Read a header, which is the same in every row."""
        if len(value) > MAX_LINE:
            message = f"Column `{key}` has {len(value):,} characters"
            help = f"At most {MAX_LINE} are allowed"
            self.report(MALFORMED_DECK, span, message, help)
            return
        if key not in self.headers:
            self.add_header(key, value, span)
        first = self.headers[key][0].text
        if first != value:
            message = f"Column `{key}` says {quote(value)} and {quote(first)}"
            help = "Write the same in every row of a deck"
            self.report(DUPLICATE_HEADER, span, message, help)


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
        values = [guard_formula(single_value(sheet, key, "A CSV deck")) for key in keys]
        for card in sorted(sheet.cards, key=lambda id: card_order(id, database)):
            count, name = sheet.cards[card], database.cards[card].name
            table.writerow([number, *values, count, guard_formula(name)])
    return WrittenDeck(out.getvalue(), lost_reserves(sheets))
