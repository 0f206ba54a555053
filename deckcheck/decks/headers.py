"""Headers and section lines of a deck: which words they use."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from deckcheck.cards.names import normalise
from deckcheck.decks.words import HEADER_WORDS, RESERVE_WORDS, SECTION_WORDS

# Headers by their lower-case key, as they are spelt in messages.
HEADERS = {
    key.lower(): key
    for key in (
        "Name",
        "Format",
        "Faction",
        "Leader",
        "Player",
        "Author",
        "Team",
        "Event",
        "Date",
        "Source",
        "Version",
        "Note",
    )
}

# Two leaders are for a format to judge, two notes are fine.
ONCE = ("name", "format", "faction")

_TRANSLATED = {
    normalise(word): key for key, words in HEADER_WORDS for word in words.split(", ")
}
_RESERVES = frozenset(map(normalise, re.split(r",\s+", RESERVE_WORDS)))
_SECTIONS = frozenset(re.split(r",\s+", f"{SECTION_WORDS}, {RESERVE_WORDS}"))

_HEADER = re.compile(r"(?P<key>[^\W\d][^:]{0,40}?)\s*:\s*(?P<value>.*)")
_SECTION = re.compile(
    r"(?P<title>[^\W\d][^:(\[]{0,40}?)\s*[:\-\u2013\u2014]?\s*"
    r"(?:[(\[]?\d+(?:\s+[^\W\d]+)?[)\]]?)?\s*:?"
)
_DIGIT = re.compile(r"\d")


class HeaderLine(NamedTuple):
    """A header: its key in lower case, its value, and where in the line that starts."""

    key: str
    value: str
    start: int


def header_key(word: str) -> str | None:
    """The lower-case key of the header that `word` names in any language."""
    key = word.strip().lower()
    return key if key in HEADERS else _TRANSLATED.get(normalise(word))


def header_words() -> list[str]:
    """Every word that names a header, English ones first."""
    others = (word for _, words in HEADER_WORDS for word in words.split(", "))
    return [*HEADERS.values(), *others]


@lru_cache(maxsize=4096)
def header_of(text: str) -> HeaderLine | None:
    """The header that a line states, if its key is one of decks."""
    match = _HEADER.fullmatch(text)
    key = header_key(match["key"]) if match is not None else None
    if match is None or key is None:
        return None
    return HeaderLine(key, match["value"], match.start("value"))


def is_section(title: str) -> bool:
    """Whether a lower-case title is one that decklists have above their cards."""
    return title in _SECTIONS


def is_reserves(title: str) -> bool:
    """Whether a title is that of the reserves."""
    return normalise(title) in _RESERVES


@lru_cache(maxsize=4096)
def section_of(text: str) -> str | None:
    """The lower-case title of a section line that decklists use, None for other lines.

    `Specials:`, `Specials (5):`, `Specials: 5 cards` and `Specials` are such lines.
    """
    if text[-1] == ":":
        text = text[:-1].rstrip() or ":"
    if text[0].isdigit():
        return None
    title = text.lower()
    if title in _SECTIONS:
        return title
    if _DIGIT.search(text) is None:
        return None
    match = _SECTION.fullmatch(text)
    word = match["title"].lower() if match is not None else ""
    return word if word in _SECTIONS else None
