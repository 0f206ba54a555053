"""Find the list in a letter, by the cards of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise
from deckcheck.decks.files import CODE_WITHIN
from deckcheck.decks.lines import list_lines
from deckcheck.decks.words import header_key, usual_heading
from deckcheck.findings import split_lines

_X = r"[xX\u00d7]"
_COUNT_PATTERN = re.compile(rf"(?<![^\W\d_])(?:{_X}\s*)?\d+(?:\s*{_X})?(?![^\W\d_])")
_DESCRIBED_COUNTS = re.compile(rf"^\d+\s*{_X}\s*|\s+{_X}\s*\d+$")
_COUNT_IN_FRONT = re.compile(rf"[(\[]?(?:{_X}\s?)?(\d{{1,2}})(?:\s?{_X})?[)\]]?\s")
_COUNT_BEHIND = re.compile(rf"\s[(\[]?(?:{_X}\s?\d{{1,2}}|\d{{1,2}}\s?{_X})[)\]]?$")
_SENTENCE_END = re.compile(r"[.!?,;\u2026\u3002\uff01]$")
_QUOTE_SIGN = re.compile(r"\s*>")
_FORWARD_RULE = re.compile(r"\s*(?:-{2,}\s*[^\W\d_].*[^\W\d_]\s*-{2,}|_{20,})\s*")
_FORWARD_HEAD = 6
"""Lines below a forwarding rule in which to look for the address of an older mail."""
_PART_SEPARATORS = re.compile(r"[,;|/\n]+")
_HEADERS_BELOW = ("leader", "faction", "format")
"""Headers of a list that may follow its cards. Others are signatures there."""

ALIKE_IN_LIST, ALIKE_APART = 80, 88
"""Least similarity of a misspelt card, 0 to 100: next to the list, and elsewhere."""
MAX_CARD_WORDS = 6
"""Most words of a line that may be a card with an unknown name."""
MAX_COUNT_APART = 3
"""The greatest count of an unknown name apart from the list.

`5 Market Street` is an address.
"""
MAX_NAME = 80
"""Most characters of the name of a card."""
MAX_LINES_AROUND = 100
"""Lines before and after the cards that are looked at closely."""
MAX_WORDS = 200
"""Words of a sentence that are looked at, from its beginning."""
MIN_NAME = 5
"""Fewest letters of a card's name in a sentence."""
MIN_CARDS = 3
"""Fewest card lines without a count that make a list."""


@dataclass(frozen=True, slots=True)
class FoundList:
    """A list within a letter."""

    text: str
    """The lines of the letter without those around the list."""
    left_out: tuple[str, ...] = ()
    """The lines with words before and after the list."""


class ListRecogniser:
    """Recognises lists by the names of cards, in letters of any language."""

    def __init__(self, database: CardDatabase) -> None:
        self.database = database
        self._names: dict[str, str | None] = {}

    def find_card(self, text: str) -> str | None:
        """Return the id of the card that a text names, apart from its count."""
        if len(text) > 2 * MAX_NAME:
            return None
        if text not in self._names:
            numbers = _COUNT_PATTERN
            if self.database.has_numbers:
                numbers = _DESCRIBED_COUNTS
            bare = numbers.sub(" ", text).strip(" \t-*.:,;()[]")
            self._names[text] = None
            if bare and len(bare) <= MAX_NAME:
                ids = self.database.find_card(bare, suggest=False).ids
                self._names[text] = next(iter(ids), None)
        return self._names[text]

    def holds_list(self, text: str) -> bool:
        """Report whether a text, a cell or a file has lines or parts with cards.

        A card with a count is enough, or three without.
        """
        if CODE_WITHIN.search(text):
            return True
        cards = [part for part in self._split_parts(text) if self.find_card(part)]
        counted = [card for card in cards if re.search(r"\d", card)]
        return bool(counted) or len(cards) >= MIN_CARDS

    def _split_parts(self, text: str) -> list[str]:
        """Return the lines of a text, or the parts of its only line."""
        parts: list[str] = []
        for line in list_lines(text):
            is_card = self.find_card(line.text) is not None
            parts += [line.text] if is_card else _PART_SEPARATORS.split(line.text)
        return [part.strip() for part in parts if part.strip()]

    def find_list(self, text: str, sender: str = "") -> FoundList | None:
        """Return the list in a letter, None without a list.

        A line apart with a name of the `sender` is a signature, though a card may have
        the same name. Blank lines and comments stay. A letter with a share code stays
        as it is, since a mail program may have broken the code.
        """
        if CODE_WITHIN.search(text):
            return FoundList(text)
        if not self.holds_list(text):
            return None
        return _LetterReader(self, text, sender).find_list()

    def names_card(self, text: str) -> bool:
        """Report whether a sentence has the whole name of a card in it."""
        words = re.findall(r"\w+(?:['\u2019]\w+)*", text)[:MAX_WORDS]
        for start in range(len(words)):
            for end in range(start + 1, min(start + MAX_CARD_WORDS, len(words)) + 1):
                name = " ".join(words[start:end])
                is_long = len(normalise(name)) >= MIN_NAME and not name.isdigit()
                if is_long and name[0].isupper() and self.find_card(name):
                    return True
        return False

    def likeness(self, text: str) -> float:
        """Return how like the nearest name of a card a line is, from 0 to 100."""
        bare = _COUNT_PATTERN.sub(" ", text).strip()
        if not bare or len(bare) > MAX_NAME:
            return 0.0
        from rapidfuzz import fuzz

        near = map(normalise, self.database.find_card(bare).suggestions)
        ratios = [fuzz.ratio(normalise(bare), name) for name in near]
        return max(ratios, default=0.0)


class _LetterReader:
    """Finds the first and the last line of the list in a letter."""

    def __init__(self, recogniser: ListRecogniser, text: str, sender: str) -> None:
        self.recogniser = recogniser
        self.sender = set(map(normalise, sender.split()))
        self.raw = split_lines(text)
        self.lines = {line.span.start.line - 1: line for line in list_lines(text)}
        self.quoted = {
            index for index in self.lines if _QUOTE_SIGN.match(self.raw[index])
        }

    def find_list(self) -> FoundList:
        """Return the list without the lines around it, which may quote older emails."""
        cards = [
            index
            for index in self.lines
            if self.is_card(index) and index not in self.quoted
        ]
        if not cards:
            return FoundList("\n".join(self.raw) + "\n")
        end = self.find_end(cards[0])
        cards = [index for index in cards if index < end]
        first, last = self.extend(cards[0], cards[-1], end)
        left_out = {index for index in self.lines if not first <= index <= last}
        kept_lines = [
            line for index, line in enumerate(self.raw) if index not in left_out
        ]
        words = tuple(
            self.raw[index].strip()
            for index in sorted(left_out)
            if any(map(str.isalnum, self.raw[index]))
        )
        return FoundList("\n".join(kept_lines).strip("\n") + "\n", words)

    def is_card(self, at: int) -> bool:
        """Report whether a line is a card, or several with commas between them."""
        text = self.lines[at].text
        if self.recogniser.find_card(text):
            return not self.is_signature(at)
        parts = [part for part in _PART_SEPARATORS.split(text) if part.strip()]
        return len(parts) > 1 and all(map(self.recogniser.find_card, parts))

    def is_signature(self, at: int) -> bool:
        """Report whether a line is a name of the sender, and not beside a card."""
        words = set(map(normalise, self.lines[at].text.split()))
        above = self.lines.get(at - 1)
        return words <= self.sender and (
            above is None or not self.recogniser.find_card(above.text)
        )

    def find_end(self, first: int) -> int:
        """Return the line at which an older mail begins below the list."""
        for index in range(first + 1, len(self.raw)):
            head = "\n".join(self.raw[index : index + _FORWARD_HEAD])
            is_rule = _FORWARD_RULE.fullmatch(self.raw[index]) and not usual_heading(
                self.raw[index].strip()
            )
            if is_rule and "@" in head:
                return index
        return len(self.raw)

    def extend(self, first: int, last: int, end: int) -> tuple[int, int]:
        """Return the first and the last line of the list with these cards."""
        above = [
            index for index in self.lines if index < first and index not in self.quoted
        ]
        below = [
            index
            for index in self.lines
            if last < index < end and index not in self.quoted
        ]
        beside = first
        for index in reversed(above[-MAX_LINES_AROUND:]):
            is_beside = not any(not self.raw[n].strip() for n in range(index, beside))
            if self.belongs_to_list(index, is_beside=is_beside, is_above=True):
                first = beside = index
        beside = last
        for index in below[:MAX_LINES_AROUND]:
            is_beside = not any(not self.raw[n].strip() for n in range(beside, index))
            if self.belongs_to_list(index, is_beside=is_beside, is_above=False):
                last = beside = index
        return first, last

    def belongs_to_list(self, at: int, *, is_beside: bool, is_above: bool) -> bool:
        """Report whether a line before or after all cards belongs to the list.

        These are headers, headings, misspelt or unknown cards, and sentences that name
        a card: nobody knows then which cards are meant.
        """
        text = self.lines[at].text
        key, colon, value = text.partition(":")
        header = header_key(key) if colon else None
        if header is not None and value.strip():
            return is_above or header in _HEADERS_BELOW
        if usual_heading(text) is not None or _is_total(text):
            return True
        return not self.is_signature(at) and self.may_be_card(text, is_beside)

    def may_be_card(self, text: str, is_beside: bool) -> bool:
        """Report whether a line may be meant as a card, but is not."""
        is_long = len(text.split()) > MAX_CARD_WORDS
        is_sentence = is_long or _SENTENCE_END.search(text) is not None
        alike = ALIKE_IN_LIST if is_beside and not is_sentence else ALIKE_APART
        if self.recogniser.likeness(text) >= alike or self.recogniser.names_card(text):
            return True
        if is_sentence or not any(map(str.isalpha, text)):
            return False
        count = _COUNT_IN_FRONT.match(text)
        if count is not None:
            return is_beside or int(count[1]) <= MAX_COUNT_APART
        return _COUNT_BEHIND.search(text) is not None


def _is_total(text: str) -> bool:
    """Report whether a line has numbers and words of headings alone: `28 cards`."""
    words = re.findall(r"[^\W\d_]+", text)
    has_number = any(map(str.isdigit, text))
    return has_number and bool(words) and all(map(usual_heading, words))
