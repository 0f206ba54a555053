"""Text decks, which players write by hand: read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import (
    DUPLICATE_HEADER,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    LATE_HEADER,
    UNREADABLE_LINE,
)
from deckcheck.decks.lines import (
    CardLine,
    DeckLine,
    LineDefect,
    may_be_list,
    parse_card_line,
    read_lines,
    unlisted,
)
from deckcheck.decks.model import (
    HEADERS,
    ONCE,
    CardText,
    DeckSource,
    Header,
    HeaderLine,
    RawDeck,
    RawEntry,
    Sheet,
    WrittenDeck,
    card_order,
    header_of,
    is_reserves,
    section_of,
    sections,
)
from deckcheck.findings import Finding, Position, Related, Rule, Span, UsageError
from deckcheck.messages import quote

# Text decks: the format that players write by hand.

MAX_LINE = 500

SEPARATOR = re.compile(r"-{3,}")


def parse_text(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a text; none for a text without any line of a deck.

    Never raises: what cannot be read is a finding of its deck.
    """
    decks: list[RawDeck] = []
    is_listed = may_be_list(text)
    for chunk in _chunks(read_lines(text)):
        lines = unlisted(chunk) if is_listed else chunk
        if not lines:
            continue
        reader = _TextReader(DeckSource(path, len(decks)))
        for line in lines:
            reader.take(line)
        decks.append(reader.finish())
    return decks


def _chunks(lines: Iterable[DeckLine]) -> Iterator[list[DeckLine]]:
    """The lines of each deck; separators at the ends or in a row separate nothing."""
    chunk: list[DeckLine] = []
    for line in lines:
        if not SEPARATOR.fullmatch(line.text):
            chunk.append(line)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _has_count(text: str) -> bool:
    """Whether a line says how many copies it means, or tries to."""
    return bool(text) and parse_card_line(text) != CardLine(1, text, 0, len(text))


class _TextReader:
    """Gathers one deck, line by line."""

    def __init__(self, source: DeckSource) -> None:
        self.source = source
        self.first: Span | None = None
        self.headers: dict[str, list[Header]] = {}
        self.sections: dict[str, Span] = {}
        self.entries: list[RawEntry] = []
        self.texts: list[CardText] = []
        self.findings: list[Finding] = []
        self.unread = 0
        self.in_reserves = False
        self.title: RawEntry | None = None

    def take(self, line: DeckLine) -> None:
        """Read one line."""
        if self.first is None:
            self.first = line.span(0, min(len(line.text), MAX_LINE))
        if len(line.text) > MAX_LINE:
            self.refuse_long(line)
            return
        if ":" in line.text:
            header = header_of(line.text)
            if header is not None:
                self.take_header(line, header)
                return
        section = section_of(line.text)
        if section is None and line.text[-1] == ":":
            title = line.text[:-1].rstrip()
            section = None if _has_count(title) else title.lower()
        if section is not None:
            self.sections.setdefault(section, line.span())
            self.in_reserves = is_reserves(section)
            return
        self.take_card(line)

    def take_header(self, line: DeckLine, header_read: HeaderLine) -> None:
        key, value, start = header_read
        label = HEADERS[key]
        if not value:
            help = f"Write it after the colon, or remove the `{label}` line"
            self.report(
                EMPTY_HEADER, line.span(), f"Header `{label}` has no value", help
            )
            return
        header = Header(value, line.span(start))
        headers = self.headers.setdefault(key, [])
        headers.append(header)
        if key in ONCE and len(headers) > 1:
            first = Related(headers[0].span, "first given here")
            help = "Keep one of them, or write `---` between two decks"
            message = f"Header `{label}` appears again, 1 allowed"
            self.report(DUPLICATE_HEADER, line.span(), message, help, first)
        if any(":" not in entry.name for entry in self.entries):
            message = f"Header `{label}` comes after the first card"
            help = "Move it above the cards, or write `---` before a second deck"
            self.report(LATE_HEADER, line.span(), message, help)

    def take_card(self, line: DeckLine) -> None:
        card = parse_card_line(line.text)
        whole = line.span()
        if isinstance(card, CardLine):
            span = line.span(card.start, card.end)
            entry = RawEntry(card.name, card.count, span, self.in_reserves)
            if self.first == whole and card.name == line.text:
                self.title = entry
            self.entries.append(entry)
            self.texts.append(CardText(line.text, whole, entry))
        else:
            self.refuse(line, card)
            finding, beside = self.findings[-1], self.in_reserves
            self.texts.append(CardText(line.text, whole, None, finding, beside))

    def refuse(self, line: DeckLine, defect: LineDefect) -> None:
        self.unread += 1
        rule = IMPOSSIBLE_COUNT if defect.about_count else UNREADABLE_LINE
        span = line.span(defect.start, defect.end)
        self.report(rule, span, defect.message, defect.help)

    def refuse_long(self, line: DeckLine) -> None:
        message = f"Line of {len(line.text):,} characters, at most {MAX_LINE} allowed"
        self.unread += 1
        help = "Write one card per line"
        self.report(UNREADABLE_LINE, line.span(0, MAX_LINE), message, help)

    def report(
        self, rule: Rule, span: Span, message: str, help: str, *related: Related
    ) -> None:
        path = self.source.path
        self.findings.append(rule.at(path, span, message, help=help, related=related))

    def finish(self) -> RawDeck:
        """The deck; findings about all of it point at its name, or its first line."""
        for key in ("name", "leader", "faction", "format"):
            if key in self.headers:
                self.first = self.headers[key][0].span
                break
        return RawDeck(
            source=self.source,
            headers={key: tuple(headers) for key, headers in self.headers.items()},
            entries=tuple(self.entries),
            findings=tuple(self.findings),
            span=self.first or Span(Position(1, 1), Position(1, 1)),
            sections=self.sections,
            unread=self.unread,
            texts=tuple(self.texts),
            title=self.title,
        )


# Text decks in canonical form: headers, then one section for each kind of card.

RESERVES = "Reserves:"


def write_text(sheets: Sequence[Sheet], db: CardDatabase) -> WrittenDeck:
    """Decks as text, with a line `---` between two."""
    return WrittenDeck("\n---\n\n".join(_write(sheet, db) for sheet in sheets))


def _write(sheet: Sheet, db: CardDatabase) -> str:
    lines = [
        header_line(key, value)
        for key, values in sheet.headers.items()
        for value in values
    ]
    for section in sections(sheet.cards, db):
        lines += [""] if lines else []
        lines.append(f"{section.title}:")
        for card, count in section.cards:
            lines.append(card_line(db.cards[card].name, count, db))
    if sheet.reserves:
        lines += ["", RESERVES] if lines else [RESERVES]
    for card in sorted(sheet.reserves, key=lambda id: card_order(id, db)):
        lines.append(card_line(db.cards[card].name, sheet.reserves[card], db))
    return "".join(f"{line}\n" for line in lines)


def header_line(key: str, value: str) -> str:
    """`Name: Siege masters`; UsageError for a value that reads as something else."""
    line = f"{HEADERS[key]}: {value}"
    read = [line_read.text for line_read in read_lines(line)]
    if read != [line] or len(line) > MAX_LINE or value != value.strip():
        raise UsageError(
            f"A text deck cannot hold the header `{HEADERS[key]}` {quote(value)}",
            "It is long, has several lines or reads as a comment: write it differently",
        )
    return line


def card_line(name: str, count: int, db: CardDatabase) -> str:
    """`2 Ballista`; one card is its bare name, unless that reads as a section.

    `2x 5 ice`, where cards are described and may start with a number.
    """
    if db.description is not None and db.description.number is not None:
        return name if count == 1 else f"{count}x {name}"
    return name if count == 1 and section_of(name) is None else f"{count} {name}"
