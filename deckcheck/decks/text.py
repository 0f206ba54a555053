"""Text decks, which players write by hand: read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import DUPLICATE_HEADER
from deckcheck.decks.lines import list_lines, says_nothing
from deckcheck.decks.model import (
    DeckSource,
    Header,
    Heading,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    sections,
)
from deckcheck.decks.reading import MAX_LINE, place_of
from deckcheck.decks.words import HEADERS, ONCE, Below, header_of, usual_heading
from deckcheck.findings import Finding, Related, UsageError
from deckcheck.messages import quote

SEPARATOR = re.compile(r"-{3,}")


def parse_text(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a text; none for a text without any line of a deck."""
    chunks = _chunks(list_lines(text))
    return [_parse(lines, DeckSource(path, at)) for at, lines in enumerate(chunks)]


def _chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The lines of each deck; separators at the ends or in a row separate nothing."""
    chunk: list[Line] = []
    for line in lines:
        is_separator = SEPARATOR.fullmatch(line.text) is not None
        if is_separator and chunk:
            yield chunk
            chunk = []
        elif not is_separator and (line.doubt or not says_nothing(line.text)):
            chunk.append(line)
    if chunk:
        yield chunk


def _parse(lines: Sequence[Line], source: DeckSource) -> RawDeck:
    lines = list(map(_with_header, lines))
    findings: list[Finding] = []
    firsts: dict[str, Header] = {}
    for line in lines:
        if line.header is None or line.key not in ONCE:
            continue
        first = firsts.setdefault(line.key, line.header)
        if first is not line.header:
            message = f"Header `{HEADERS[line.key]}` appears again, 1 allowed"
            help = "Keep one of them, or write `---` between two decks"
            related = [Related(first.span, "first given here")]
            finding = DUPLICATE_HEADER.at(
                source.path, line.span, message, help=help, related=related
            )
            findings.append(finding)
    span = lines[0].part(0, min(len(lines[0].text), MAX_LINE))
    raw = RawDeck(source, tuple(lines), tuple(findings), span)
    return replace(raw, span=place_of(raw.headers) or span)


def _with_header(line: Line) -> Line:
    """The line with the header that it is, if it is one; a header may have no value."""
    read = header_of(line.text) if len(line.text) <= MAX_LINE else None
    if read is None:
        return line
    key, value, start = read
    if not value:
        return replace(line, heading=Heading(key, line.span, Below.VALUE))
    header = Header(value, line.part(start))
    return replace(line, doubt="", key=key, header=header)


# Text decks in canonical form: headers, then one section for each kind of card.

RESERVES = "Reserves:"


def write_text(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Decks as text, with a line `---` between two."""
    return WrittenDeck("\n---\n\n".join(_write(sheet, database) for sheet in sheets))


def _write(sheet: Sheet, database: CardDatabase) -> str:
    heads = [
        header_line(key, value)
        for key, values in sheet.headers.items()
        for value in values
    ]
    reserves = sorted(sheet.reserves, key=lambda id: card_order(id, database))
    parts = [(f"{part.title}:", part.cards) for part in sections(sheet.cards, database)]
    parts.append((RESERVES, tuple((id, sheet.reserves[id]) for id in reserves)))
    lines = laid_out(heads, (
        (title, [card_line(database.cards[id].name, n, database) for id, n in cards])
        for title, cards in parts
    ))  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def laid_out(
    heads: Sequence[str], parts: Iterable[tuple[str, Sequence[str]]]
) -> list[str]:
    """The lines of a deck: its headers, then each part below its title."""
    lines = [*heads]
    for title, cards in parts:
        if cards:
            lines += ["", title, *cards] if lines else [title, *cards]
    return lines


def header_line(key: str, value: str) -> str:
    """`Name: Siege masters`; UsageError for a value that reads as something else."""
    line = f"{HEADERS[key]}: {value}"
    read = [one.text for one in list_lines(line)]
    if read != [line] or len(line) > MAX_LINE or value != value.strip():
        raise UsageError(
            f"A text deck cannot hold the header `{HEADERS[key]}` {quote(value)}",
            "It is long, has several lines or reads as a comment: write it differently",
        )
    return line


def card_line(name: str, count: int, database: CardDatabase) -> str:
    """`2 Ballista`; one card is its bare name, unless that reads as a section.

    `2x 5 ice`, where cards are described and may start with a number.
    """
    if database.has_numbers:
        return name if count == 1 else f"{count}x {name}"
    return name if count == 1 and usual_heading(name) is None else f"{count} {name}"
