"""One card line of a text deck: a count, before or after, and a name."""

from __future__ import annotations

import re

from deckcheck.findings.records import dataclass
from deckcheck.findings.words import quote

__all__ = [
    "MAX_COUNT",
    "CardLine",
    "Defect",
    "check_count",
    "parse_card_line",
    "parse_described_line",
]

MAX_COUNT = 999

# `3`, and what was meant to be a number: `-3`, `1.5`, `1/2`.
_NUMBER = r"(?P<number>[+\-\u2212\u2013]?\d[\d.,/]*)"
_TIMES = r"[xX\u00d7]"

_BEFORE = re.compile(rf"(?:{_TIMES}\s*)?{_NUMBER}(?:\s*{_TIMES})?(?:\s+(?P<name>.+)|$)")
_DIGIT = re.compile(r"\d")

# Rarely met, so compiled when they are.
_AFTER = rf"(?P<name>.*?\S)\s+(?:{_TIMES}\s*)?{_NUMBER}(?:\s*{_TIMES})?$"
_GLUED = rf"(?P<number>\d+){_TIMES}?(?P<name>[^\W\d].*)"
_BRACKETED = rf"(?P<name>.*\S)\s*[(\[]\s*{_TIMES}?\s*(?P<number>\d+)\s*\S*$"
# Where a number may be part of the card, a count has its `x`.
_CROSSED = rf"(?:{_TIMES}\s*{_NUMBER}|{_NUMBER.replace('number', 'times')}\s*{_TIMES})"
_CROSSED_BEFORE = rf"{_CROSSED}(?:(?=[\s\d])\s*(?P<name>.+)|$)"
_CROSSED_AFTER = rf"(?P<name>.*?\S)\s+{_CROSSED}$"
_BULLETS = "-*\u2022\u2013\u2014"


@dataclass(frozen=True, slots=True)
class CardLine:
    """What a card line says; `start` and `end` delimit the name in the line."""

    count: int
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Defect:
    """Why a line is no card line; `start` and `end` delimit what is wrong with it.

    `about_count` tells a count that cannot be from a line that cannot be read.
    """

    about_count: bool
    message: str
    help: str
    start: int
    end: int


def parse_card_line(text: str) -> CardLine | Defect:
    """Read `3 X`, `3x X`, `X x3`, `X 3` or a bare `X`, which stands for one.

    `text` is the line without comment and outer space. A number at the end is always
    a count, so no card of a game may end in one.
    """
    before = _BEFORE.match(text)
    if before is None:
        return _after_or_bare(text)
    if before["name"] is None:
        return _unreadable(
            text, f"{quote(text)} is a count without a card", "Write the card behind it"
        )
    name = before["name"]
    if _DIGIT.search(name) is not None and re.match(_AFTER, name) is not None:
        help = "Keep the count before the name and remove the other"
        return _unreadable(text, f"{quote(text)} has two counts", help)
    return _counted(before)


def parse_described_line(text: str) -> CardLine | Defect:
    """Read `2x 5 ice`, `5 ice x2` or `5 ice`, where a card may start with a number."""
    before = re.match(_CROSSED_BEFORE, text)
    after = re.fullmatch(_CROSSED_AFTER, text)
    if before is not None and before["name"] is None:
        return _unreadable(
            text, f"{quote(text)} is a count without a card", "Write the card behind it"
        )
    if before is not None and after is not None:
        help = "Keep the count before the card and remove the other"
        return _unreadable(text, f"{quote(text)} has two counts", help)
    counted = before or after
    return CardLine(1, text, 0, len(text)) if counted is None else _counted(counted)


def check_count(number: str) -> int | str:
    """The count that `number` spells, or what is wrong with it."""
    digits = number.lstrip("0")
    # Length first: a number of thousands of digits is slow to convert, or refused.
    if number.isdecimal() and 0 < len(digits) <= len(str(MAX_COUNT)):
        return int(digits)
    return f"Count {quote(number, 30)}, whole numbers from 1 to {MAX_COUNT} allowed"


def _after_or_bare(text: str) -> CardLine | Defect:
    if text[0] in _BULLETS and text[1:2].isspace():
        help = f"Write {quote(text[1:].lstrip())} without it"
        return _unreadable(text, f"{quote(text)} starts with a bullet", help)
    if _DIGIT.search(text) is None:
        return CardLine(1, text, 0, len(text))
    glued = re.fullmatch(_GLUED, text)
    if glued is not None:
        help = _spelt(glued)
        message = f"{quote(text)} runs count and name together"
        return _unreadable(text, message, help)
    after = re.fullmatch(_AFTER, text)
    if after is not None:
        return _counted(after)
    bracketed = re.fullmatch(_BRACKETED, text)
    if bracketed is not None:
        help = _spelt(bracketed)
        message = f"{quote(text)} has its count in brackets"
        return _unreadable(text, message, help)
    return CardLine(1, text, 0, len(text))


def _counted(match: re.Match[str]) -> CardLine | Defect:
    said = "times" if match.groupdict().get("times") else "number"
    count = check_count(match[said])
    if isinstance(count, str):
        help = "Write how many copies the deck has, or remove the line"
        return Defect(True, count, help, *match.span(said))
    name, start = match["name"], match.start("name")
    # `Ballista: 3` and `Ballista, 3` are lists from elsewhere.
    bare = name.rstrip(":,; ") or name
    return CardLine(count, bare, start, start + len(bare))


def _spelt(match: re.Match[str]) -> str:
    return f"Write {quote(match['number'] + ' ' + match['name'])}"


def _unreadable(text: str, message: str, help: str) -> Defect:
    return Defect(False, message, help, 0, len(text))
