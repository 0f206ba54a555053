"""Lines of decklists in words: headers, headings, totals, and heads of columns."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from deckcheck.cards.names import normalise
from deckcheck.decks.vocabulary import (
    ASIDE_WORDS,
    CARD_COLUMN_WORDS,
    CARD_UNITS,
    COUNT_COLUMN_WORDS,
    DECK_TITLES,
    HEADER_WORDS,
    IGNORED_COLUMN_WORDS,
    NUMBER_COLUMN_WORDS,
    RESERVE_WORDS,
    SECTION_WORDS,
    SINGULAR_SECTION_WORDS,
    SUM_WORDS,
    split_words,
)

# Headers

HEADERS = {key: key.capitalize() for key, _ in HEADER_WORDS}
"""Headers by their lower-case key, as they are spelt in messages."""

SINGLE_HEADERS = ("name", "format", "faction")
"""Headers that a deck has once. A format judges two leaders, and two notes are fine."""

_TRANSLATED_KEYS = {
    normalise(word): key for key, words in HEADER_WORDS for word in words.split(", ")
}

_HEADER_LINE = re.compile(r"(?P<key>[^\W\d][^:]{0,40}?)\s*:\s*(?P<value>.*)")
_SPACED_HEADER = re.compile(r"(?P<key>[^\W\d][^:\t|]{0,40}?)\s*[\t|]\s*(?P<value>.*)")


class HeaderLine(NamedTuple):
    """A header of a line."""

    key: str
    """The key in lower case."""
    value: str
    start: int
    """The index in the line at which the value starts."""


def header_key(word: str) -> str | None:
    """Return the lower-case key of the header that `word` names in any language."""
    key = word.strip().lower()
    return key if key in HEADERS else _TRANSLATED_KEYS.get(normalise(word))


def header_words() -> list[str]:
    """Return every word that names a header, English words first."""
    others = (word for _, words in HEADER_WORDS for word in words.split(", "))
    return [*HEADERS.values(), *others]


@lru_cache(maxsize=4096)
def read_header(text: str) -> HeaderLine | None:
    """Return the header that a line states, if decks have such a header.

    A tab or `|` may replace the colon, unless the value is the head of a column.
    """
    match = _HEADER_LINE.fullmatch(text)
    key = header_key(match["key"]) if match is not None else None
    if key is None and ("\t" in text or "|" in text):
        match = _SPACED_HEADER.fullmatch(text)
        if match is not None and column_role(match["value"].strip()) is None:
            key = header_key(match["key"])
    if match is None or key is None:
        return None
    return HeaderLine(key, match["value"], match.start("value"))


# Headings and totals: `Units (20)`, `Sideboard`, `22 units, 6 specials`, `28/40`


class Below(Enum):
    """The kind of lines below a heading."""

    CARDS = "cards"
    CUSTOM = "cards, below a heading in the player's own words"
    RESERVES = "reserves"
    ASIDE = "cards beside the deck, as in a sideboard"
    VALUE = "the value of a header"
    TOTAL = "the same lines as above: the heading states a total only"


class Title(NamedTuple):
    """A usual heading: words in lower case, kind of lines below, and stated number."""

    words: str
    below: Below
    number: int | None


MAX_TITLE = 80
"""The most characters of a heading."""

_BELOW_BY_WORDS = {}
for _words, _below in (
    (SECTION_WORDS, Below.CARDS),
    (SINGULAR_SECTION_WORDS, Below.CARDS),
    (RESERVE_WORDS, Below.RESERVES),
    (ASIDE_WORDS, Below.ASIDE),
):
    _BELOW_BY_WORDS.update(dict.fromkeys(split_words(_words), _below))

_FRAME_SIGNS = re.compile(r"^[\W_]+|[\W_]+$")
_NONE_WORD = re.compile(r"[\W_]none[\W_]*$", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_STATED_NUMBER = re.compile(
    r"(?<![\d.,+\-\u2212])(\d{1,4})(?:\s*(?:/|\bof\b|\bvon\b|\bde\b|\bsur\b|\bsu\b"
    r"|\bz\b|\bиз\b)\s*\d{1,4})?(?![\d.,]*\d)",
    re.I,
)
_TITLE_SEPARATOR = re.compile(
    r"[,;+&|\u00b7\u2022]|\s(?:and|und|et|y|e|i|oraz|и|a)\s", re.I
)


@lru_cache(maxsize=4096)
def read_titles(text: str) -> tuple[Title, ...]:
    """Return the usual heading that a line is, or each total that it states.

    Signs around the words do not matter: `** Units (22) **`, `Units: 22 cards`, `Units
    - none:`, `28 cards in total`, `22 units, 6 specials`.
    """
    if len(text) > MAX_TITLE:
        return ()
    title = _read_title(text)
    if title is not None:
        return (title,)
    pieces = _TITLE_SEPARATOR.split(text)
    if len(pieces) < 2:
        return ()
    titles = [_read_title(piece) for piece in pieces]
    stated = [title for title in titles if title is not None]
    if len(stated) < len(pieces) or any(title.number is None for title in stated):
        return ()
    return tuple(title._replace(below=Below.TOTAL) for title in stated)


def usual_heading(text: str) -> tuple[str, Below] | None:
    """Return the words of a single heading, and the kind of lines below it."""
    titles = read_titles(text)
    if len(titles) != 1:
        return None
    return titles[0].words, titles[0].below


def _read_title(text: str) -> Title | None:
    """Return the heading or the total that a text is as a whole."""
    stated = _STATED_NUMBER.search(text)
    if stated is None:
        # `Units - none:` is a heading as well.
        return _find_title(_NONE_WORD.sub("", text), None)
    before = text[: stated.start()]
    after = text[stated.end() :]
    if any(map(str.isdigit, before + after)):
        return None
    if before.endswith("#") and _WORD.search(before):
        # `Deck #2`
        return _find_title(f"{before[:-1]} {after}", None)
    number = int(stated[1])
    words = set(map(normalise, _WORD.findall(f"{before} {after}")))
    if _is_total(text, before, words):
        return Title("", Below.TOTAL, number)
    # `Units (22)`
    title = _find_title(f"{before} {after}", number)
    if title is None and normalise(after) in CARD_UNITS:
        # `Units: 22 cards`
        title = _find_title(before, number)
    return title


def _is_total(text: str, before: str, words: set[str]) -> bool:
    """Report whether a text with a number is a total of the deck.

    `words` are the normalised words before and after the number.
    """
    if not words:
        # `(28)` and `28/40` are totals, `28` alone is not.
        return any(sign in text for sign in "/([=")
    if not words <= SUM_WORDS | DECK_TITLES:
        return False
    # `28 cards` and `Total cards: 28` are totals, `Deck: 28` is a heading.
    return bool(words & SUM_WORDS) or not _WORD.search(before)


def _find_title(words: str, number: int | None) -> Title | None:
    """Return the heading with these words, None for unusual words."""
    below = _BELOW_BY_WORDS.get(normalise(words))
    if below is None:
        return None
    return Title(_FRAME_SIGNS.sub("", words).lower(), below, number)


def is_reserves(title: str) -> bool:
    """Report whether a title is the heading of the reserves."""
    return _BELOW_BY_WORDS.get(normalise(title)) is Below.RESERVES


# Columns of tables, and keys of a card in a document

_COLUMN_ROLES = {"deck": "deck", "deckname": "deck"}
for _role, _words in (
    ("idle", IGNORED_COLUMN_WORDS),
    ("number", NUMBER_COLUMN_WORDS),
    ("card", CARD_COLUMN_WORDS),
    ("count", COUNT_COLUMN_WORDS),
):
    _COLUMN_ROLES.update(dict.fromkeys(split_words(_words) - {""}, _role))


@lru_cache(maxsize=4096)
def column_role(head: str) -> str | None:
    """Return the role of a column: `card`, `count`, `number`, `deck`, `idle`, a header.

    `number` is a count unless another column has the counts. None for unknown words.
    """
    word = normalise(head)
    if head.strip() in ("#", "№"):
        return "number"
    return _COLUMN_ROLES.get(word) or header_key(head)
