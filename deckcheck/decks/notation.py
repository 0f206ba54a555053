"""Read the notation of a whole list: numbered lines, columns, several cards a line.

A notation applies only where every line of a list fits it without a remainder.
Otherwise the lines stay as they are, and are judged by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise
from deckcheck.decks.lines import (
    MAX_LINE,
    CardLine,
    LineDefect,
    has_digit,
    parse_card_line,
    parse_described_line,
)
from deckcheck.decks.model import Heading, Line
from deckcheck.decks.spelling import names_card, near_cards
from deckcheck.decks.words import Below, header_key, read_titles

MIN_NUMBERED_LINES = 4
"""The number of lines from which rising numbers are line numbers, and not counts."""

_LINE_NUMBER = re.compile(
    r"(?:(?:no|nr)\.?\s*|#\s?)?[(\[]?(?P<number>\d{1,3})(?P<sign>[.):\]]{1,2}|\s?[-\u2013]\s)?"
    r"\s*(?=\S)",
    re.I,
)
_SIGNED_NUMBER = re.compile(r"\d{1,3}[.)]\s+(?=\d)")
_AND_WORDS = ("and", "und", "et", "y", "e", "i", "oraz", "и", "a")
"""How languages of players say `and`."""

_PIECE_SIGN = re.compile(
    rf"[,;/|+&\t\u00b7\u2022]|(?<=\s)(?:{'|'.join(_AND_WORDS)})(?=\s)", re.I
)
MAX_PROSE_LINES = 20
"""The most lines of a greeting or a signature."""

SENTENCE_ENDS = (".", ",", "!", "\u2026")
MIN_SENTENCE_WORDS = 6
"""The number of words from which a line is not a heading."""


class _NumberedLine(NamedTuple):
    """A line that begins with a number."""

    number: int
    has_sign: bool
    """Whether the number is followed by a sign, or is part of a comment."""
    rest: Line


class Notation:
    """Reads the lines of a deck by the notation that they share."""

    def __init__(self, database: CardDatabase) -> None:
        self.database = database
        self.parse: Callable[[str], CardLine | LineDefect] = parse_card_line
        if database.has_numbers:
            self.parse = parse_described_line
        self.prose: list[list[Line]] = []

    def read_lines(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines with a single card each, without line numbers."""
        single: list[Line] = []
        for line in self._without_notation(lines):
            single += self._split_cards(line)
        return self._without_prose(single)

    def find_card(self, text: str) -> CardLine | None:
        """Return the count and the card that a text names exactly, if it does."""
        card = self.parse(text)
        if isinstance(card, CardLine) and self.knows(card.name):
            return card
        return None

    def knows(self, name: str) -> bool:
        """Report whether a card or several cards have a name."""
        if self.database.description is not None:
            return isinstance(self.database.description.read(name), str)
        return bool(self.database.find_card(name, suggest=False).ids)

    def _without_notation(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines without numbers or columns, if all lines have them."""
        read = [_without_number(line) for line in lines]
        if self.database.has_numbers:
            return read
        indexes = [index for index, line in enumerate(lines) if _is_plain(line)]
        has_plain_lines = bool(indexes)
        if not has_plain_lines:
            for index, line in enumerate(lines):
                # Perhaps a list numbered by `#1`.
                if line.is_comment and line.text[:1].isdigit():
                    indexes.append(index)
        listed = [lines[index] for index in indexes]
        cards = self._without_numbers(listed)
        if cards is None and has_plain_lines:
            cards = self._without_columns(listed)
        if cards is not None:
            for index, card in zip(indexes, cards, strict=True):
                read[index] = card
        return read

    def _without_numbers(self, lines: Sequence[Line]) -> list[Line] | None:
        """Return the lines without their numbers, or None unless they rise from 1 on.

        Numbers may begin again below a heading. Where every number is 1, they may be
        counts or the numbering of Markdown, which is the same deck.
        """
        if len(lines) < 2:
            return None
        numbered: list[_NumberedLine] = []
        for line in lines:
            found = _LINE_NUMBER.match(line.text)
            if found is None:
                return None
            rest = _cut(line, found.end())
            has_sign = bool(found["sign"]) or line.is_comment
            # Without a sign or a count, the number may be the count itself.
            if not has_sign and not _has_count(rest.text):
                return None
            numbered.append(_NumberedLine(int(found["number"]), has_sign, rest))
        rests = [line.rest for line in numbered]
        has_counts = all(_has_count(rest.text) for rest in rests)
        has_signs = all(line.has_sign for line in numbered)
        known = sum(self.find_card(rest.text) is not None for rest in rests)
        if not (has_counts or has_signs) or 2 * known < len(rests):
            return None
        numbers = [line.number for line in numbered]
        longest = _measure_longest_run(numbers)
        is_long = has_counts or longest >= MIN_NUMBERED_LINES
        # All 1: counts, or Markdown. Else they have to rise from 1, and far enough.
        if set(numbers) != {1} and not (longest and is_long):
            return None
        return [replace(rest, is_comment=False) for rest in rests]

    def _without_columns(self, plain: Sequence[Line]) -> list[Line] | None:
        """Return the cards of lines that are all rows of the same columns, or None.

        The columns are the names, perhaps counts, and perhaps row numbers.
        """
        if len(plain) < 2:
            return None
        for delimiter in "\t|;,":
            if not all(delimiter in line.text for line in plain):
                continue
            rows = [_split(line, delimiter) for line in plain]
            if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
                cards = self._read_rows(rows)
                if cards is not None:
                    return cards
        return None

    def _read_rows(self, rows: Sequence[Sequence[Line]]) -> list[Line] | None:
        """Return the card of each row, or None if the columns have no clear meaning."""
        numbers: list[list[int]] = []
        names: list[tuple[Line, ...]] = []
        for column in zip(*rows, strict=True):
            texts = [cell.text for cell in column]
            is_number = [text.isdecimal() for text in texts]
            if all(is_number) and max(map(len, texts)) < 4:
                numbers.append(list(map(int, texts)))
            elif any(is_number):
                return None
            else:
                names.append(column)
        if len(names) != 1:
            return None
        [cards] = names
        unknown = [cell for cell in cards if self.find_card(cell.text) is None]
        if 2 * len(unknown) > len(cards):
            return None
        # Rising numbers are row numbers, not counts ...
        rising = list(range(1, len(rows) + 1))
        counts = [column for column in numbers if column != rising]
        has_counts = any(has_digit(cell.text) for cell in cards)
        # ... but few rising numbers may be counts.
        if len(numbers) == 1 and not counts and len(rows) < MIN_NUMBERED_LINES:
            counts = numbers
        if has_counts and not counts:
            return list(cards)
        # A count in the name and a count in a column contradict each other.
        if len(counts) != 1 or has_counts or len(numbers) > 2 or not all(counts[0]):
            return None
        pairs = zip(cards, counts[0], strict=True)
        return [replace(cell, count=count) for cell, count in pairs]

    def _without_prose(self, lines: list[Line]) -> list[Line]:
        """Return the lines without the prose before and after the list.

        Prose is a greeting, thanks, or a signature. A line within the list that is
        unlike every card becomes a heading, where a blank line is above it and a card
        below.
        """
        numbers = [index for index, line in enumerate(lines) if not line.is_comment]
        texts = [lines[index] for index in numbers]
        start, end = 0, len(texts)
        last_start = min(end, MAX_PROSE_LINES)
        while start < last_start and self._is_prose(texts[start]):
            start += 1
        first_end = max(start, end - MAX_PROSE_LINES)
        while end > first_end and self._is_prose(texts[end - 1]):
            end -= 1
        if start == end:
            return lines
        first, last = texts[start], texts[end - 1]
        above, below = texts[:start], texts[end:]
        if above and not (first.header is not None or _has_gap(above[-1], first)):
            above = []
        if below and not _has_gap(last, below[0]):
            below = []
        self.prose += [block for block in (above, below) if block]
        dropped = set(numbers[: len(above)] + numbers[len(numbers) - len(below) :])
        listed = [line for index, line in enumerate(lines) if index not in dropped]
        for index, (line, after) in enumerate(pairwise(listed[1:]), start=1):
            if not _has_gap(listed[index - 1], line) or _has_gap(line, after):
                continue
            is_above_card = _is_plain(after) and self.find_card(after.text) is not None
            is_short = len(line.text.split()) < MIN_SENTENCE_WORDS
            if is_above_card and is_short and self._is_prose(line):
                heading = Heading(line.text, line.span, Below.CUSTOM)
                listed[index] = replace(line, heading=heading)
        return listed

    def _is_prose(self, line: Line) -> bool:
        """Report whether a line names no card, leader or faction, nearly or exactly."""
        text = line.text
        database = self.database
        if not _is_plain(line) or has_digit(text) or self.knows(text):
            return False
        if database.description is not None:
            return not database.description.find(text).suggestions
        is_header = header_key(text.split()[0].strip(":")) is not None
        if is_header or ":" in text[:-1] or near_cards(text, database):
            return False
        # The name of a player may be a single word of a card: `Regards, Dennis`.
        if names_card(text, database, min_words=2):
            return False
        others = database.find_leader(text), database.find_faction(text)
        if any(lookup.ids or lookup.suggestions for lookup in others):
            return False
        ends_sentence = text.endswith(SENTENCE_ENDS)
        return ends_sentence or not database.find_card(text).suggestions

    def _split_cards(self, line: Line) -> list[Line]:
        """Return a line for each card of a line with several cards, all known."""
        has_pieces = _is_plain(line) and _PIECE_SIGN.search(line.text)
        if not has_pieces or self.knows(line.text) or self.find_card(line.text):
            return [line]
        start = 0
        heading = None
        title, colon, _ = line.text.partition(":")
        titles = read_titles(title) if colon else ()
        if len(titles) == 1 and titles[0].below is not Below.TOTAL:
            start = len(title) + 1
            named = titles[0]
            span = line.part(0, len(title))
            heading = Heading(named.words, span, named.below, named.number)
        spans = _find_pieces(line.text, start)
        if heading is None and len(spans) < 2:
            return [line]
        cards = []
        for begin, end in spans:
            piece = _cut(line, begin, end)
            if self.find_card(piece.text) is None:
                return [line]
            cards.append(piece)
        if "/" in line.text[start:]:
            cards = self._without_translations(cards)
        if self._are_doubtful(cards, line.text[start:]):
            return [line]
        if heading is not None:
            return [replace(_cut(line, 0, start), heading=heading), *cards]
        return cards

    def _without_translations(self, cards: list[Line]) -> list[Line]:
        """Return the first card alone if all others are its names, without a count."""
        ids = {self._list_ids(card) for card in cards}
        has_counts = any(_has_count(card.text) for card in cards[1:])
        return cards[:1] if len(ids) == 1 and not has_counts else cards

    def _are_doubtful(self, cards: Sequence[Line], text: str) -> bool:
        """Report whether cards of one line may be alternatives, or one card twice.

        `2 Catapult / Scorch` may mean either card, and `Decoy, Finte` is one card in
        two languages.
        """
        counted = {_has_count(card.text) for card in cards}
        if "/" in text and len(counted) > 1:
            return True
        names = {normalise(card.text) for card in cards}
        return len({self._list_ids(card) for card in cards}) < len(names)

    def _list_ids(self, line: Line) -> tuple[str, ...]:
        """Return the ids that the card of a line may mean."""
        card = self.find_card(line.text)
        assert card is not None
        return self.database.find_card(card.name, suggest=False).ids


def _is_plain(line: Line) -> bool:
    """Report whether a line is nothing but text, such as a card."""
    is_text = line.header is None and line.heading is None and line.count is None
    if not is_text or line.doubt or line.is_comment or len(line.text) > MAX_LINE:
        return False
    return not read_titles(line.text)


def _without_number(line: Line) -> Line:
    """Return a line without its own number, where it has a count as well."""
    number = _SIGNED_NUMBER.match(line.text)
    if number is None or not _is_plain(line):
        return line
    return _cut(line, number.end())


def _has_gap(line: Line, after: Line) -> bool:
    """Report whether something else, such as a blank line, is between two lines."""
    return after.span.start.line - line.span.end.line > 1


def _has_count(text: str) -> bool:
    """Report whether a card line has a count, before or after the name."""
    card = parse_card_line(text)
    return isinstance(card, CardLine) and (card.start, card.end) != (0, len(text))


def _measure_longest_run(numbers: Sequence[int]) -> int:
    """Return the length of the longest run from 1 on, 0 if there is anything else."""
    longest = 0
    last = 0
    for number in numbers:
        if number not in (1, last + 1):
            return 0
        last = number
        longest = max(longest, number)
    return longest


def _split(line: Line, delimiter: str) -> list[Line]:
    """Return the cells of a row with text, each at its place."""
    cells = []
    start = 0
    for text in line.text.split(delimiter):
        cell = _cut(line, start, start + len(text))
        if cell.text.strip('"'):
            quoted = len(cell.text) - len(cell.text.lstrip('"'))
            cells.append(_cut(cell, quoted, len(cell.text.rstrip('"'))))
        start += len(text) + 1
    return cells


def _find_pieces(text: str, start: int) -> list[tuple[int, int]]:
    """Return where each piece of a text begins and ends, from an offset on."""
    spans = []
    for found in _PIECE_SIGN.finditer(text, start):
        spans.append((start, found.start()))
        start = found.end()
    spans.append((start, len(text)))
    return [(begin, end) for begin, end in spans if text[begin:end].strip()]


def _cut(line: Line, start: int, end: int | None = None) -> Line:
    """Return a part of a line, without the space at its ends."""
    text = line.text[start:end]
    begin = start + len(text) - len(text.lstrip())
    bare = text.strip()
    return replace(line, text=bare, span=line.part(begin, begin + len(bare)))
