"""CSV decks: one row for each card, the headers of the deck in columns of their own."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deckcheck.decks.cardlines import check_count
from deckcheck.decks.headers import HEADERS, header_key
from deckcheck.decks.model import CardText, DeckSource, Header, RawDeck, RawEntry
from deckcheck.decks.reading import (
    DUPLICATE_HEADER,
    IMPOSSIBLE_COUNT,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
)
from deckcheck.findings import Finding, Position, Span
from deckcheck.findings.csv_text import unguarded
from deckcheck.findings.options import option
from deckcheck.findings.words import quote

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
