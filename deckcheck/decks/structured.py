"""Decks as YAML and JSON: read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import (
    EMPTY_HEADER,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
)
from deckcheck.decks.lines import MAX_COUNT, MAX_LINE, clean_line
from deckcheck.decks.model import (
    DeckSource,
    Heading,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    find_place,
    single_value,
)
from deckcheck.decks.tables import Gatherer
from deckcheck.decks.words import (
    HEADERS,
    Below,
    Title,
    column_role,
    header_key,
    read_titles,
)
from deckcheck.documents.model import Document, DocumentError, Location
from deckcheck.findings import Span, on_line
from deckcheck.markup import json_text
from deckcheck.messages import choice, describe_value, printable, quote, sentence

_MEND_HELP = (
    "Correct it there, or write the deck as text, a count and a card on each line"
)
_SHAPE_HELP = (
    "Write `cards:` as names with counts, `Ballista: 2`, or as a list of names"
)


# YAML and JSON: a mapping, or several under `decks`


def parse_structured(
    read: Callable[[bytes | str], Document], text: str, path: str
) -> list[RawDeck]:
    """Return the deck of a document, or each deck of the list under `decks`.

    `read` parses the syntax. Headers outside `decks` apply to each deck without them.
    The result is empty for an empty document.
    """
    try:
        document = read(text)
    except DocumentError as error:
        message = printable(sentence(error.message))
        finding = MALFORMED_DOCUMENT.at(
            path,
            error.span,
            message,
            help=error.help or _MEND_HELP,
            related=error.related,
        )
        return [RawDeck.unreadable(finding)]
    data = document.data
    if data is None or data == {}:
        return []
    if not isinstance(data, dict):
        help = "Write several decks as a list under `decks`"
        message = f"A deck is a mapping, not {describe_value(data)}"
        finding = MALFORMED_DECK.at(path, document.span(), message, help=help)
        return [RawDeck.unreadable(finding)]
    if "decks" not in data:
        return [_DeckReader(document, path, 0, ()).read_deck(data)]
    return _parse_decks(document, path, data)


def _parse_decks(
    document: Document, path: str, data: Mapping[str, object]
) -> list[RawDeck]:
    shared = _DeckReader(document, path, 0, ())
    for key, value in data.items():
        if key != "decks":
            shared.take(key, value)
    if shared.lines:
        heading = quote(shared.lines[0].text)
        message = f"The cards under {heading} are in none of `decks`"
        help = "Write them under a deck of the list"
        shared.report(MALFORMED_DECK, shared.lines[0].span, message, help)
    decks = data["decks"]
    if not isinstance(decks, list) or not decks:
        message = f"`decks` is a list of decks, not {describe_value(decks)}"
        finding = MALFORMED_DECK.at(path, document.span(("decks",)), message)
        findings = (*shared.findings, finding)
        return [replace(RawDeck.unreadable(finding), findings=findings)]
    raws = []
    for index, deck in enumerate(decks):
        reader = _DeckReader(document, path, index, ("decks", index))
        reader.headers.update(shared.headers)
        if index == 0:
            reader.findings += shared.findings
        raws.append(reader.read_deck(deck))
    return raws


class _DeckReader(Gatherer):
    """Gathers a deck of a document. `base` is its location."""

    def __init__(
        self, document: Document, path: str, index: int, base: Location
    ) -> None:
        super().__init__(DeckSource(path, index))
        self.document = document
        self.base = base

    def read_deck(self, data: object) -> RawDeck:
        """Read the whole deck."""
        if isinstance(data, dict):
            for key, value in data.items():
                self.take(key, value)
        else:
            message = f"A deck is a mapping, not {describe_value(data)}"
            self.refuse_all(self.span(()), message, None)
        line, column = self.document.span(self.base).start
        deck = self.deck(on_line(line, column, column + 1))
        return replace(deck, span=find_place(deck.headers) or deck.span)

    def take(self, key: str, value: object) -> None:
        """Read a key of the deck."""
        name = header_key(key) or key.lower()
        span = self.key_span((key,))
        total = _read_total(key, value)
        below = None if name in HEADERS else _find_section(key)
        holds_cards = isinstance(value, dict | list)
        # `Units: many` is a title of cards without any.
        is_section = below is not None and (holds_cards or below is not Below.CARDS)
        if total is not None:
            heading = Heading("", span, Below.TOTAL, total.number)
            self.lines.append(Line(key, span, heading=heading))
        elif name == "cards" or is_section:
            heading = Heading("", span, below or Below.CARDS)
            self.lines.append(Line(key, span, heading=heading))
            self.take_cards(key, value)
        elif name in HEADERS:
            self.take_headers(name, key, value)
        else:
            help = f"A deck has {choice([*list(HEADERS)[:4], 'cards'], 'and')}"
            message = f"Unknown key {quote(key)}"
            if holds_cards:
                self.refuse_all(span, message, help)
            else:
                self.report(UNKNOWN_HEADER, span, message, help)

    def take_headers(self, name: str, key: str, value: object) -> None:
        """Read the value of a header, or each of several leaders."""
        if value is None or value == "":
            message = f"Header {quote(key)} has no value"
            help = "Write it, or remove the key"
            self.report(EMPTY_HEADER, self.key_span((key,)), message, help)
            return
        # It replaces the header given for all decks.
        self.headers.pop(name, None)
        if name == "leader" and isinstance(value, list):
            for index, item in enumerate(value):
                self.take_header(name, (key, index), item)
        else:
            self.take_header(name, (key,), value)

    def take_header(self, name: str, location: Location, value: object) -> None:
        """Read the value of a header."""
        span = self.span(location)
        if len(str(value)) > MAX_LINE:
            message = f"Header `{name}` has {len(str(value)):,} characters"
            help = f"At most {MAX_LINE} are allowed"
            self.report(MALFORMED_DECK, span, message, help)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            self.add_header(name, str(value), span)
        else:
            message = f"Header `{name}` is text, not {describe_value(value)}"
            help = f"Write the text itself behind `{name}`"
            self.report(MALFORMED_DECK, span, message, help)

    def take_cards(self, key: str, value: object) -> None:
        """Read the cards below a key: names with counts, or a list."""
        if isinstance(value, dict):
            for name, count in value.items():
                location = (key, name)
                self.take_count(location, name, count, self.key_span(location))
        elif isinstance(value, list):
            self.take_items(key, value)
        else:
            message = f"`cards` is a mapping or a list, not {describe_value(value)}"
            self.refuse_all(self.span((key,)), message, _SHAPE_HELP)

    def refuse_all(self, span: Span, message: str, help: str | None) -> None:
        """Add a finding about a value that may hold any number of cards."""
        self.report(MALFORMED_DECK, span, message, help)
        # Nobody knows how many cards were meant: no lower limit is missed.
        self.unread_lines += MAX_COUNT

    def take_count(
        self, location: Location, name: str, value: object, name_span: Span
    ) -> None:
        """Read a card with a count, which is at a location."""
        if isinstance(value, dict | list):
            shown = describe_value(value)
            message = f"The count of {quote(name)} is a number, not {shown}"
            self.refuse(MALFORMED_DECK, self.span(location), message, _SHAPE_HELP)
        else:
            number = "" if value is None else str(value)
            self.add_card(name, number, name_span, self.span(location))

    def take_items(self, key: str, items: list[object]) -> None:
        """Read a list of cards, written like lines of text."""
        for index, item in enumerate(items):
            location = (key, index)
            if isinstance(item, str) and item.strip():
                self.lines.append(clean_line(Line(item, self.span(location))))
            elif isinstance(item, dict) and _find_roles(item).get("card") is not None:
                self.take_mapping(location, item)
            else:
                message = f"A card of a list is text, not {describe_value(item)}"
                self.refuse(MALFORMED_DECK, self.span(location), message, _SHAPE_HELP)

    def take_mapping(self, location: Location, item: dict[str, object]) -> None:
        """Read a card as a mapping with a name, and perhaps a count."""
        roles = _find_roles(item)
        name = roles["card"]
        count_key = roles.get("count")
        for key in item:
            if key not in roles.values() and column_role(key) != "idle":
                message = f"A card has a `name` and a `count`, not {quote(key)}"
                if count_key is not None and column_role(key) == "count":
                    counts = f"{quote(count_key)} and {quote(key)}"
                    message = f"A card has a single count, not {counts}"
                help = "Remove it, and the card if it is not meant"
                span = self.key_span((*location, key))
                self.refuse(MALFORMED_DECK, span, message, help)
        name_span = self.span((*location, name))
        if count_key is None:
            self.take_count(location, str(item[name]), 1, name_span)
        else:
            count_location = (*location, count_key)
            self.take_count(count_location, str(item[name]), item[count_key], name_span)

    def span(self, location: Location) -> Span:
        return self.document.span((*self.base, *location))

    def key_span(self, location: Location) -> Span:
        return self.document.key_span((*self.base, *location))


def _read_total(key: str, value: object) -> Title | None:
    """Return the title that states a number of cards, such as `Total: 40`, or None."""
    if not isinstance(value, int):
        return None
    titles = read_titles(f"{key}: {value}")
    if titles and titles[0].below is Below.TOTAL:
        return titles[0]
    return None


def _find_section(key: str) -> Below | None:
    """Return the kind of entries below a title, or None for another key."""
    titles = read_titles(key)
    return titles[0].below if len(titles) == 1 else None


def _find_roles(item: Mapping[str, object]) -> dict[str, str]:
    """Return the keys of the name and the count of a card, by `card` and `count`."""
    roles: dict[str, str] = {}
    for wanted in ("card", "count", "number"):
        role = "count" if wanted == "number" else wanted
        for key, value in item.items():
            fits = column_role(key) == wanted
            if fits and (wanted != "card" or isinstance(value, str)):
                roles.setdefault(role, key)
    return roles


# Decks as YAML and JSON


def write_json(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Write decks as a JSON object."""
    return WrittenDeck(json_text(_file_content(sheets, database)))


def write_yaml(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Write decks as a YAML document."""
    import yaml

    content = _file_content(sheets, database)
    text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
    return WrittenDeck(text)


def _file_content(sheets: Sequence[Sheet], database: CardDatabase) -> dict[str, object]:
    decks = [_deck_mapping(sheet, database) for sheet in sheets]
    return decks[0] if len(decks) == 1 else {"decks": decks}


def _deck_mapping(sheet: Sheet, database: CardDatabase) -> dict[str, object]:
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
