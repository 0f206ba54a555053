"""Text decks, which players write by hand: read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import ALL_MARKED, DUPLICATE_HEADER
from deckcheck.decks.lines import list_lines, may_be_list, read_lines, unlisted
from deckcheck.decks.marks import Aside, begins_original, is_attribution, marked
from deckcheck.decks.model import (
    Below,
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
from deckcheck.decks.words import HEADERS, ONCE, header_of, section_of
from deckcheck.findings import Finding, Related, UsageError
from deckcheck.messages import quote

SEPARATOR = re.compile(r"-{3,}")


def parse_text(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a text; none for a text without any line of a deck."""
    decks: list[RawDeck] = []
    is_listed = may_be_list(text)
    for chunk in _chunks(_replies(list(list_lines(text)))):
        lines = unlisted(chunk) if is_listed else chunk
        if any(line.aside is not Aside.COMMENT for line in lines):
            decks.append(_parse(lines, DeckSource(path, len(decks))))
    return decks


def _parse(lines: list[Line], source: DeckSource) -> RawDeck:
    lines, findings = settled(lines, source.path)
    lines = list(map(_with_header, lines))
    firsts: dict[str, Header] = {}
    for line in lines:
        if line.header is None or line.aside is not None or line.key not in ONCE:
            continue
        first = firsts.setdefault(line.key, line.header)
        if first is not line.header:
            message = f"Header `{HEADERS[line.key]}` appears again, 1 allowed"
            help = "Keep one of them, or write `---` between two decks"
            related = [Related(first.span, "first given here")]
            findings.append(
                DUPLICATE_HEADER.at(
                    source.path, line.span, message, help=help, related=related
                )
            )
    first_line = next(line for line in lines if line.aside is not Aside.COMMENT)
    is_title = first_line.header is None and first_line.heading is None
    title = first_line if is_title else None
    span = first_line.part(0, min(len(first_line.text), MAX_LINE))
    raw = RawDeck(source, tuple(lines), tuple(findings), span, title=title)
    return replace(raw, span=place_of(raw.headers) or span)


def _with_header(line: Line) -> Line:
    """The line with the header that it is, if it is one; a header may have no value."""
    is_whole = not line.is_partial and len(line.text) <= MAX_LINE
    is_comment = line.aside is Aside.COMMENT
    read = header_of(line.text) if is_whole and not is_comment else None
    if read is None:
        return line
    key, value, start = read
    if not value and line.aside is None:
        return replace(line, heading=Heading(key, line.span, Below.VALUE))
    header = Header(value, line.part(start))
    if line.aside is not None:
        line = replace(line, text=value, span=header.span)
    return replace(line, key=key, header=header)


def _chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The lines of each deck; separators at the ends or in a row separate nothing."""
    chunk: list[Line] = []
    is_begun = False
    for line in lines:
        if not SEPARATOR.fullmatch(line.text):
            chunk.append(line)
            is_begun = is_begun or line.aside is not Aside.COMMENT
        elif is_begun:
            yield chunk
            chunk, is_begun = [], False
    if is_begun:
        yield chunk


def _replies(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a text; those above a quote, and a mail below, are quoted too.

    So is all below `On Monday Anna wrote:` without signs, where cards stand above it.
    """
    is_original = was_said = was_card = False
    for line, after in zip_longest(lines, lines[1:]):
        below = after.text if after is not None else ""
        is_original = is_original or begins_original(line.text, below)
        is_said = was_said or is_attribution(line.text, below)
        was_said = is_said and line.text[-1] != ":"
        is_free = line.aside is None
        is_quoted = is_free and (is_original or is_said)
        yield replace(line, aside=Aside.QUOTED) if is_quoted else line
        was_card = was_card or (is_free and line.text[0].isdigit())
        is_bare = after is not None and marked(below).aside is not Aside.QUOTED
        is_original |= is_said and not was_said and was_card and is_bare


def settled(lines: list[Line], path: str) -> tuple[list[Line], list[Finding]]:
    """The lines, without a mark that all cards have; that they count is said.

    That is a list of boxes none of which is ticked, one in a spoiler, and one that is
    quoted as a whole, with nothing that says whose it was.
    """
    kinds = {line.aside for line in lines if _may_be_card(line)}
    if len(kinds) != 1 or not kinds <= {Aside.QUOTED, Aside.UNTICKED, Aside.SPOILER}:
        return lines, []
    if any(is_attribution(line.text) or begins_original(line.text) for line in lines):
        return lines, []
    mark = kinds.pop()
    first = next(line for line in lines if line.aside is mark)
    message = f"All cards are {mark}: they count"
    help = "Remove what is not meant, or the marks of all"
    finding = ALL_MARKED.at(path, first.span, message, help=help)
    is_marked = (x.aside is mark and x.count is None for x in lines)
    pairs = zip(lines, is_marked, strict=True)
    return [replace(x, aside=None) if is_so else x for x, is_so in pairs], [finding]


def _may_be_card(line: Line) -> bool:
    if line.aside is Aside.COMMENT or line.count is not None:
        return False
    is_heading = line.text[-1] == ":" or section_of(line.text) is not None
    return not is_heading and header_of(line.text) is None


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
    read = [one.text for one in read_lines(line)]
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
    return name if count == 1 and section_of(name) is None else f"{count} {name}"
