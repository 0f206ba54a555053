"""Text decks, which players write by hand: read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import DUPLICATE_HEADER
from deckcheck.decks.lines import MAX_LINE, list_lines, says_nothing
from deckcheck.decks.model import (
    DeckSource,
    Header,
    Heading,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    find_place,
    sections,
)
from deckcheck.decks.words import (
    HEADERS,
    SINGLE_HEADERS,
    Below,
    column_role,
    read_header,
    usual_heading,
)
from deckcheck.findings import Finding, Related, UsageError
from deckcheck.messages import quote

DECK_SEPARATOR = re.compile(r"-{3,}")
_CELL_DELIMITER = re.compile(r"[,;\t|]")


def parse_text(text: str, path: str) -> list[RawDeck]:
    """Return the decks of a text: an empty list if no line belongs to a deck."""
    chunks = _split_decks(list_lines(text, with_comments=True))
    decks = []
    for index, lines in enumerate(chunks):
        decks.append(_parse(lines, DeckSource(path, index)))
    return decks


def _split_decks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each deck. Empty parts between separators are skipped."""
    chunk: list[Line] = []
    for line in lines:
        is_separator = DECK_SEPARATOR.fullmatch(line.text) is not None
        if is_separator and not line.is_comment:
            if any(map(_is_content, chunk)):
                yield chunk
                chunk = []
        elif line.doubt or not says_nothing(line.text):
            chunk.append(line)
    if any(map(_is_content, chunk)):
        yield chunk


def _is_content(line: Line) -> bool:
    """Report whether a line is more than a comment, regardless of its words."""
    return not line.is_comment and not line.text.startswith(("#", "//"))


def _parse(chunk: Sequence[Line], source: DeckSource) -> RawDeck:
    """Read the lines of a deck, with the tables among them."""
    read, findings, unread_lines = _read_tables(chunk, source)
    lines = [_with_header(line) for line in read]
    firsts: dict[str, Header] = {}
    for line in lines:
        if line.header is None or line.key not in SINGLE_HEADERS:
            continue
        first = firsts.setdefault(line.key, line.header)
        if first is not line.header:
            message = f"Header `{HEADERS[line.key]}` appears again, 1 allowed"
            help = "Remove it, or write `---` between two decks"
            related = [Related(first.span, "first given here")]
            finding = DUPLICATE_HEADER.at(
                source.path, line.span, message, help=help, related=related
            )
            findings.append(finding)
    start = next(filter(_is_content, chunk))
    span = start.part(0, min(len(start.text), MAX_LINE))
    raw = RawDeck(source, tuple(lines), tuple(findings), span, unread_lines)
    return replace(raw, span=find_place(raw.headers) or span)


def _read_tables(
    chunk: Sequence[Line], source: DeckSource
) -> tuple[list[Line], list[Finding], int]:
    """Return the lines, with rows as cards, the findings, and the unread lines."""
    if not any(_may_be_heads(line) for line in chunk):
        return list(chunk), [], 0
    from deckcheck.decks.tables import TextTables

    tables = TextTables(source)
    for line in chunk:
        is_row = not (line.doubt or line.is_comment)
        if _may_be_heads(line) and tables.begin(line):
            continue
        if is_row and read_header(line.text) is None and tables.read_row(line):
            continue
        tables.lines.append(line)
    tables.finish()
    return tables.lines, tables.findings, tables.unread_lines


def _may_be_heads(line: Line) -> bool:
    """Report whether a line may name the columns of a table."""
    text = line.text
    if line.is_comment or len(text) > MAX_LINE or not _CELL_DELIMITER.search(text):
        return False
    heads = _CELL_DELIMITER.split(text)
    return any(column_role(head.strip()) == "card" for head in heads)


def _with_header(line: Line) -> Line:
    """Return the line with its header, if it is a header, perhaps without a value."""
    is_header = len(line.text) <= MAX_LINE and line.count is None
    is_header = is_header and not line.is_comment and line.heading is None
    read = read_header(line.text) if is_header else None
    if read is None:
        return line
    key, value, start = read
    if not value:
        return replace(line, heading=Heading(key, line.span, Below.VALUE))
    header = Header(value, line.part(start))
    return replace(line, doubt="", key=key, header=header)


# Text decks in canonical form: headers, then a section for each kind of card

RESERVES_TITLE = "Reserves:"


def write_text(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Write decks as text, with a line `---` between two."""
    return WrittenDeck("\n---\n\n".join(_write(sheet, database) for sheet in sheets))


def _write(sheet: Sheet, database: CardDatabase) -> str:
    heads = []
    for key, values in sheet.headers.items():
        heads += [header_line(key, value) for value in values]
    parts: dict[str, list[str]] = {}
    for part in sections(sheet.cards, database):
        parts[f"{part.title}:"] = _write_card_lines(part.cards, database)
    reserves = sorted(sheet.reserves, key=lambda id: card_order(id, database))
    counts = [(id, sheet.reserves[id]) for id in reserves]
    parts[RESERVES_TITLE] = _write_card_lines(counts, database)
    lines = lay_out_deck(heads, parts.items())
    return "".join(f"{line}\n" for line in lines)


def _write_card_lines(
    counts: Iterable[tuple[str, int]], database: CardDatabase
) -> list[str]:
    return [card_line(database.cards[id].name, n, database) for id, n in counts]


def lay_out_deck(
    heads: Sequence[str], parts: Iterable[tuple[str, Sequence[str]]]
) -> list[str]:
    """Return the lines of a deck: its headers, then each part below its title."""
    lines = [*heads]
    for title, cards in parts:
        if cards:
            if lines:
                lines.append("")
            lines += [title, *cards]
    return lines


def header_line(key: str, value: str) -> str:
    """Return `Name: Siege masters`. Raises UsageError if it would read otherwise."""
    line = f"{HEADERS[key]}: {value}"
    texts = [part.text for part in list_lines(line)]
    if texts != [line] or len(line) > MAX_LINE or value != value.strip():
        raise UsageError(
            f"A text deck cannot hold the header `{HEADERS[key]}` {quote(value)}",
            "It is long, has several lines or reads as a comment: write it differently",
        )
    return line


def card_line(name: str, count: int, database: CardDatabase) -> str:
    """Return `2 Ballista`, or the bare name of a single card.

    A single card with the name of a section keeps its count. Cards that are described,
    and may start with a number, are written as `2x 5 ice`.
    """
    if count == 1 and (database.has_numbers or usual_heading(name) is None):
        return name
    if database.has_numbers:
        return f"{count}x {name}"
    return f"{count} {name}"
