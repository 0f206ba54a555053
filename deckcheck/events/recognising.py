"""Find the list in a letter, by the cards of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
"""The line above a forwarded mail: `----- Original message -----`."""
_PART_SEPARATORS = re.compile(r"[,;|/\n]+")
_HEADERS_BELOW = ("leader", "faction", "format")
"""Headers of a list that may follow its cards. Others are signatures there."""

MAX_FORWARD_HEAD_LINES = 6
"""Lines below a forwarding rule in which to look for an address."""
MIN_SIMILARITY_BESIDE = 80
"""Least similarity of a misspelt card next to the list, 0 to 100."""
MIN_SIMILARITY_APART = 88
"""Least similarity of a misspelt card elsewhere, 0 to 100."""
MAX_CARD_WORDS = 6
"""Most words of a line that may be a card with an unknown name."""
MAX_COUNT_APART = 3
"""Greatest count of a card with an unknown name apart from the list.

`5 Market Street` is an address.
"""
MAX_NAME_LENGTH = 80
"""Most characters of the name of a card."""
MAX_LINES_AROUND = 100
"""Lines to look at before the first card, and as many after the last."""
MAX_SENTENCE_WORDS = 200
"""Words of a sentence in which to look for the name of a card."""
MIN_NAME_LETTERS = 5
"""Fewest letters of the name of a card in a sentence."""
MIN_UNCOUNTED_CARDS = 3
"""Fewest card lines that make a list if no line has a count."""


@dataclass(frozen=True, slots=True)
class FoundList:
    """A list within a letter."""

    text: str
    """The lines of the list."""
    left_out: tuple[str, ...] = ()
    """The lines with words before and after the list."""


class ListRecogniser:
    """Recognises lists by the names of cards, in letters of any language."""

    def __init__(self, database: CardDatabase) -> None:
        self.database = database
        self._id_by_text: dict[str, str | None] = {}

    @property
    def _counts(self) -> re.Pattern[str]:
        """The pattern of a count beside a card, whose name may have numbers in it."""
        return _DESCRIBED_COUNTS if self.database.has_numbers else _COUNT_PATTERN

    def find_card(self, text: str) -> str | None:
        """Return the id of the card that a text names, with or without a count.

        The first id if several cards have the name, None if no card has it.
        """
        if len(text) > 2 * MAX_NAME_LENGTH:
            return None
        if text not in self._id_by_text:
            name = self._counts.sub(" ", text).strip(" \t-*.:,;()[]")
            self._id_by_text[text] = None
            if name and len(name) <= MAX_NAME_LENGTH:
                ids = self.database.find_card(name, suggest=False).ids
                self._id_by_text[text] = next(iter(ids), None)
        return self._id_by_text[text]

    def holds_list(self, text: str) -> bool:
        """Report whether a text, a cell or a file has a list in it.

        A card with a count is enough, or MIN_UNCOUNTED_CARDS without.
        """
        if CODE_WITHIN.search(text):
            return True
        cards = [part for part in self._split_parts(text) if self.find_card(part)]
        counted = [card for card in cards if self._counts.search(card)]
        return bool(counted) or len(cards) >= MIN_UNCOUNTED_CARDS

    def _split_parts(self, text: str) -> list[str]:
        """Return the lines of a text, or the parts of its only line."""
        parts: list[str] = []
        for line in list_lines(text):
            is_card = self.find_card(line.text) is not None
            parts += [line.text] if is_card else _PART_SEPARATORS.split(line.text)
        return [part.strip() for part in parts if part.strip()]

    def find_list(self, text: str, sender: str = "") -> FoundList | None:
        """Return the list in a letter, None without a list.

        A line with nothing but names of the `sender` is a signature, even if a card has
        the same name, unless it follows a card. Blank lines and comments stay. A letter
        with a share code stays as it is, since a mail program may have broken the code.
        """
        if CODE_WITHIN.search(text):
            return FoundList(text)
        if not self.holds_list(text):
            return None
        return _LetterReader(self, text, sender).cut_list()

    def names_card(self, text: str) -> bool:
        """Report whether a sentence has the whole name of a card in it."""
        words = re.findall(r"\w+(?:['\u2019]\w+)*", text)[:MAX_SENTENCE_WORDS]
        for start in range(len(words)):
            for end in range(start + 1, min(start + MAX_CARD_WORDS, len(words)) + 1):
                name = " ".join(words[start:end])
                is_long = len(normalise(name)) >= MIN_NAME_LETTERS
                may_be_name = is_long and not name.isdigit() and name[0].isupper()
                if may_be_name and self.find_card(name):
                    return True
        return False

    def measure_similarity(self, text: str) -> float:
        """Return the similarity of a line and the nearest name of a card, 0 to 100."""
        name = _COUNT_PATTERN.sub(" ", text).strip()
        if not name or len(name) > MAX_NAME_LENGTH:
            return 0.0
        from rapidfuzz import fuzz

        suggestions = map(normalise, self.database.find_card(name).suggestions)
        ratios = [fuzz.ratio(normalise(name), near) for near in suggestions]
        return max(ratios, default=0.0)


class _LetterReader:
    """Finds the first and the last line of the list in a letter.

    Lines are numbered from 0. Lines without text, and lines that are comments alone,
    are in `raw` only.
    """

    def __init__(self, recogniser: ListRecogniser, text: str, sender: str) -> None:
        self.recogniser = recogniser
        self.sender = set(map(normalise, sender.split()))
        self.raw = split_lines(text)
        self.lines = {line.span.start.line - 1: line for line in list_lines(text)}
        self.unquoted = []
        for index in self.lines:
            if not _QUOTE_SIGN.match(self.raw[index]):
                self.unquoted.append(index)

    def cut_list(self) -> FoundList:
        """Return the list without the lines around it, which may quote older emails."""
        cards = [index for index in self.unquoted if self.is_card(index)]
        if not cards:
            return FoundList("\n".join(self.raw) + "\n")
        end = self.find_end(cards[0])
        cards = [index for index in cards if index < end]
        first, last = self.extend(cards[0], cards[-1], end)
        lines = []
        left_out = []
        for index, line in enumerate(self.raw):
            if first <= index <= last or index not in self.lines:
                lines.append(line)
            elif any(map(str.isalnum, line)):
                left_out.append(line.strip())
        return FoundList("\n".join(lines).strip("\n") + "\n", tuple(left_out))

    def is_card(self, index: int) -> bool:
        """Report whether a line is a card, or several with commas between them."""
        text = self.lines[index].text
        if self.recogniser.find_card(text):
            return not self.is_signature(index)
        parts = [part for part in _PART_SEPARATORS.split(text) if part.strip()]
        return len(parts) > 1 and all(map(self.recogniser.find_card, parts))

    def is_signature(self, index: int) -> bool:
        """Report whether a line is a name of the sender that does not follow a card."""
        words = set(map(normalise, self.lines[index].text.split()))
        above = self.lines.get(index - 1)
        follows_card = above is not None and self.recogniser.find_card(above.text)
        return words <= self.sender and not follows_card

    def find_end(self, first: int) -> int:
        """Return the line at which an older mail begins below the list."""
        for index in range(first + 1, len(self.raw)):
            line = self.raw[index]
            if _FORWARD_RULE.fullmatch(line) and not usual_heading(line.strip()):
                head = self.raw[index : index + MAX_FORWARD_HEAD_LINES]
                if any("@" in below for below in head):
                    return index
        return len(self.raw)

    def extend(self, first: int, last: int, end: int) -> tuple[int, int]:
        """Return the first and the last line of the list around its cards."""
        above = [index for index in self.unquoted if index < first]
        below = [index for index in self.unquoted if last < index < end]
        return (
            self.extend_edge(first, above[: -MAX_LINES_AROUND - 1 : -1], is_above=True),
            self.extend_edge(last, below[:MAX_LINES_AROUND], is_above=False),
        )

    def extend_edge(self, edge: int, indices: Iterable[int], *, is_above: bool) -> int:
        """Return the farthest line that belongs to the list above or below its cards.

        `indices` are the lines in their order away from `edge`. A line is beside the
        list if there is no blank line between them.
        """
        for index in indices:
            between = self.raw[min(index, edge) : max(index, edge)]
            is_beside = all(line.strip() for line in between)
            if self.belongs_to_list(index, is_beside=is_beside, is_above=is_above):
                edge = index
        return edge

    def belongs_to_list(self, index: int, *, is_beside: bool, is_above: bool) -> bool:
        """Report whether a line before or after all cards belongs to the list.

        Headers, headings, and misspelt or unknown cards do. So do sentences that name a
        card, since only the organiser can decide which cards they mean.
        """
        text = self.lines[index].text
        key, colon, value = text.partition(":")
        header = header_key(key) if colon else None
        if header is not None and value.strip():
            return is_above or header in _HEADERS_BELOW
        if usual_heading(text) is not None or _is_total(text):
            return True
        return not self.is_signature(index) and self.may_mean_card(text, is_beside)

    def may_mean_card(self, text: str, is_beside: bool) -> bool:
        """Report whether a line that is not a card may be meant as a card."""
        is_long = len(text.split()) > MAX_CARD_WORDS
        is_sentence = is_long or _SENTENCE_END.search(text) is not None
        least = MIN_SIMILARITY_APART
        if is_beside and not is_sentence:
            least = MIN_SIMILARITY_BESIDE
        if self.recogniser.measure_similarity(text) >= least:
            return True
        if self.recogniser.names_card(text):
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
