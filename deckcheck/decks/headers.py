"""Headers and section lines of a deck: which words they use."""

from __future__ import annotations

import re

__all__ = ["HEADERS", "ONCE", "header_of", "section_of"]

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

_HEADER = re.compile(r"(?P<key>[^\W\d][^:]{0,40}?)\s*:\s*(?P<value>.*)")
_SECTION = re.compile(r"(?P<title>[^\W\d][^:(]{0,40}?)\s*(?::|:?\s*\(?\d+\)?\s*:?)?")

_SECTIONS = frozenset(
    {
        *("agile", "cards", "close", "close combat", "deck", "faction cards"),
        *("hero", "hero cards", "heroes", "leader", "leader card", "leader cards"),
        *("leaders", "main deck", "medics", "melee", "neutral", "neutral cards"),
        *("neutrals", "ranged", "ranged combat", "siege", "special", "special cards"),
        *("specials", "spies", "unit", "unit cards", "units", "weather"),
        "weather cards",
    }
)


def header_of(text: str) -> re.Match[str] | None:
    """The `key` and `value` of a line whose key is a header of decks."""
    match = _HEADER.fullmatch(text)
    if match is None or match["key"].lower() not in HEADERS:
        return None
    return match


def section_of(text: str) -> str | None:
    """The lower-case title of a section line, None for any other line.

    Whatever ends in a colon is one; `Specials (5)`, `Specials: 5` and `Specials` are,
    when the word is one that decklists use, because `Ballista (5)` looks the same.
    """
    if text[-1] == ":":
        return text[:-1].strip().lower()
    if text[-1] != ")" and not text[-1].isdigit():
        title = text.lower()
        return title if title in _SECTIONS else None
    match = _SECTION.fullmatch(text)
    if match is None or match["title"].lower() not in _SECTIONS:
        return None
    return match["title"].lower()
