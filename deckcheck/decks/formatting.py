"""The canonical text deck: the same deck and comments, in one order and spelling."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deckcheck.cards import CardDatabase
from deckcheck.decks.cardlines import MAX_COUNT
from deckcheck.decks.counting import counted
from deckcheck.decks.headers import HEADERS
from deckcheck.decks.lines import read_comments, read_lines
from deckcheck.decks.model import Deck, DeckEntry, RawDeck
from deckcheck.decks.resolve import resolve
from deckcheck.decks.sections import card_order, section_title
from deckcheck.decks.text import SEPARATOR
from deckcheck.decks.writers.sheet import canonical
from deckcheck.decks.writers.text import (
    RESERVES,
    card_line,
    header_line,
)


@dataclass(slots=True)
class _Notes:
    """Comments by the line they are beside or above, and at both ends of a deck."""

    beside: dict[int, str] = field(default_factory=dict)
    above: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    top: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    end: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class _CardLine:
    count: int
    above: list[str]
    beside: str


def format_text(text: str, raws: Sequence[RawDeck], db: CardDatabase) -> str:
    """`text` in canonical form; `raws` are its decks, read without any error.

    A comment stays beside its line, or above the line that follows it; those above
    the first line stay at the top of their deck, those below the last at its end.
    Raises UsageError for a header that its canonical form would not hold.
    """
    decks = [resolve(counted(raw, db), db)[0] for raw in raws]
    notes = _place_comments(text, decks)
    written = (_deck(deck, number, notes, db) for number, deck in enumerate(decks))
    return "\n\n---\n\n".join("\n".join(lines) for lines in written) + "\n"


def _place_comments(text: str, decks: Sequence[Deck]) -> _Notes:
    owners = {line: n for n, deck in enumerate(decks) for line in _lines(deck)}
    parts = [line.number for line in read_lines(text) if SEPARATOR.fullmatch(line.text)]
    lines = re.split(r"\r\n|\n|\r", text)
    notes = _Notes()
    for comment in read_comments(text):
        at = comment.number
        # As it is written: the reader folds full-width letters.
        said = lines[at - 1][comment.column - 1 :].strip()
        before = max((line for line in owners if line < at), default=None)
        after = min((line for line in owners if line > at), default=None)
        if at in owners:
            notes.beside[at] = said
        elif before is None:
            notes.top[0].append(said)
        elif after is None or any(at < part < after for part in parts):
            notes.end[owners[before]].append(said)
        elif owners[before] != owners[after]:
            notes.top[owners[after]].append(said)
        else:
            notes.above[after].append(said)
    return notes


def _lines(deck: Deck) -> Iterable[int]:
    """The lines of a deck that its canonical form has too."""
    for headers in deck.headers.values():
        yield from (header.span.start.line for header in headers)
    entries = (*deck.entries, *deck.reserves)
    yield from (entry.span.start.line for entry in entries)


def _deck(deck: Deck, number: int, notes: _Notes, db: CardDatabase) -> list[str]:
    heads = _headers(deck, notes, db)
    cards = _merged(deck.entries, notes)
    order = sorted(cards, key=lambda id: card_order(id, db))
    top = notes.top[number]
    if order and not heads:
        # There the first card is the first line, below whatever is at the top.
        top = top + cards[order[0]][0].above
        cards[order[0]][0].above = []
    lines = [*top, *heads]
    kind = None
    for card in order:
        record = db.cards[card]
        if record.kind != kind:
            kind = record.kind
            lines += [""] if lines else []
            lines.append(f"{section_title(kind)}:")
        for line in cards[card]:
            shown = card_line(record.name, line.count, db)
            lines += [*line.above, _with(shown, line.beside)]
    lines += _reserves(deck, notes, db, is_first=not lines)
    end = notes.end[number]
    return [*lines, "", *end] if end else lines


def _reserves(
    deck: Deck, notes: _Notes, db: CardDatabase, *, is_first: bool
) -> list[str]:
    cards = _merged(deck.reserves, notes)
    if not cards:
        return []
    lines = [RESERVES] if is_first else ["", RESERVES]
    for card in sorted(cards, key=lambda id: card_order(id, db)):
        for line in cards[card]:
            shown = card_line(db.cards[card].name, line.count, db)
            lines += [*line.above, _with(shown, line.beside)]
    return lines


def _headers(deck: Deck, notes: _Notes, db: CardDatabase) -> list[str]:
    lines = []
    for key in HEADERS:
        for header in deck.headers.get(key, ()):
            at = header.span.start.line
            value = canonical(key, header.value, deck.faction, db)
            shown = _with(header_line(key, value), notes.beside.get(at, ""))
            lines += [*notes.above[at], shown]
    return lines


def _merged(entries: Iterable[DeckEntry], notes: _Notes) -> dict[str, list[_CardLine]]:
    """One line for each card, or several where each has a comment beside it."""
    lines: dict[str, list[_CardLine]] = defaultdict(list)
    for entry in entries:
        at = entry.span.start.line
        above, beside = notes.above[at], notes.beside.get(at, "")
        merged_line = lines[entry.card]
        first = merged_line[0] if merged_line else None
        total = entry.count + (first.count if first else 0)
        if first is None or (first.beside and beside) or total > MAX_COUNT:
            merged_line.append(_CardLine(entry.count, above, beside))
        else:
            first.count = total
            first.above += above
            first.beside = first.beside or beside
    return lines


def _with(line: str, comment: str) -> str:
    return f"{line}  {comment}" if comment else line
