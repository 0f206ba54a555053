"""Text decks in canonical form: headers, then one section for each kind of card."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks.headers import HEADERS, section_of
from deckcheck.decks.lines import read_lines
from deckcheck.decks.sections import card_order, sections
from deckcheck.decks.text import MAX_LINE
from deckcheck.decks.writers.sheet import Sheet, Written
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote

RESERVES = "Reserves:"


def write_text(sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """Decks as text, with a line `---` between two."""
    return Written("\n---\n\n".join(_write(sheet, db) for sheet in sheets))


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
