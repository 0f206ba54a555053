"""One card line of a text deck: a count, before or after, and a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from deckcheck.findings.words import plural, quote

MAX_COUNT = 999

# `3`, and what was meant to be a number: `-3`, `1.5`, `1/2`.
_NUMBER = r"(?P<number>[+\-\u2212\u2013]?\d[\d.,/]*)"
_TIMES = r"[xX\u00d7]"

_BEFORE = re.compile(rf"(?:{_TIMES}\s*)?{_NUMBER}(?:\s*{_TIMES})?(?:\s+(?P<name>.+)|$)")
_DIGIT = re.compile(r"\d")

# Rarely met, so compiled when they are.
_AFTER = rf"(?P<name>.*?\S)\s+(?:{_TIMES}\s*)?{_NUMBER}(?:\s*{_TIMES})?$"
_GLUED = rf"(?P<number>\d+){_TIMES}?(?P<name>[^\W\d].*)"
_IN_FRONT = (
    rf"[(\[]\s*(?:{_TIMES}\s*)?(?P<number>\d+)\s*{_TIMES}?\s*[)\]]\s*(?P<name>.+)"
)
_BEHIND = rf"\s*[(\[]\s*(?P<x>{_TIMES})?\s*(?P<n>\d+)\s*(?P<y>{_TIMES})?\s*[)\]]$"
# Where a number may be part of the card, a count has its `x`.
_CROSSED = rf"(?:{_TIMES}\s*{_NUMBER}|{_NUMBER.replace('number', 'times')}\s*{_TIMES})"
_CROSSED_BEFORE = rf"{_CROSSED}(?:(?=[\s\d])\s*(?P<name>.+)|$)"
_CROSSED_AFTER = rf"(?P<name>.*?\S)\s+{_CROSSED}$"

NUMBERED = re.compile(r"\(?(?P<n>\d{1,3})[.)]+(?:\s+|(?=[^\W\d]))")
"""The number of a line, or a count written like one: `2. `, `2) ` or `(2) `."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """What a card line says; `start` and `end` delimit the name in the line."""

    count: int
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A name and a number in brackets after it: copies, or a strength."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Defect:
    """Why a line is not a card line; `start` and `end` delimit what is wrong with it.

    `about_count` marks an impossible count, as opposed to a line that cannot be read.
    """

    about_count: bool
    message: str
    help: str
    start: int
    end: int


@lru_cache(maxsize=4096)  # Decks of one game have their lines in common.
def parse_card_line(text: str) -> CardLine | Defect:
    """Read `3 X`, `3x X`, `X x3`, `X 3` or a bare `X`, which stands for one.

    `text` is the line without comment and outer space. A number at the end is always
    a count, so no card of a game may end in one. In brackets after the name it is a
    count with an `x`, and says something else beside another count; alone it may be
    either, which `bracketed` says.
    """
    behind = re.search(_BEHIND, text) if text[-1] in ")]" else None
    if behind is not None and behind.start():
        return _with_brackets(text, behind)
    in_front = re.fullmatch(_IN_FRONT, text) if text[0] in "([" else None
    return _counted(in_front) if in_front is not None else _before_or_after(text)


def parse_described_line(text: str) -> CardLine | Defect:
    """Read `2x 5 ice`, `5 ice x2` or `5 ice`, where a card may start with a number."""
    before = re.match(_CROSSED_BEFORE, text)
    after = re.fullmatch(_CROSSED_AFTER, text)
    if before is not None and before["name"] is None:
        return _unreadable(
            text, f"{quote(text)} is a count without a card", "Write the card after it"
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


def _before_or_after(text: str) -> CardLine | Defect:
    before = _BEFORE.match(text)
    if before is None:
        return _after_or_bare(text)
    if before["number"][-1] == "." and before["name"] is not None:
        return _numbered(text, before["number"], before["name"])
    if before["name"] is None:
        return _unreadable(
            text, f"{quote(text)} is a count without a card", "Write the card after it"
        )
    name = before["name"]
    if _DIGIT.search(name) is not None and re.match(_AFTER, name) is not None:
        help = "Keep the count before the name and remove the other"
        if "," in name or ";" in name:
            help = "Write a line for each card"
        return _unreadable(text, f"{quote(text)} has two counts", help)
    return _counted(before)


def _after_or_bare(text: str) -> CardLine | Defect:
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
    numbered = NUMBERED.match(text)
    if numbered is not None:
        return _numbered(text, numbered[0].strip(), text[numbered.end() :])
    return CardLine(1, text, 0, len(text))


def bracketed(text: str) -> Bracketed | None:
    """The name and the number of a line such as `Ballista (6)`, None for another."""
    behind = re.search(_BEHIND, text)
    if behind is None or behind["x"] or behind["y"]:
        return None
    name = text[: behind.start()]
    is_bare = name and parse_card_line(name) == CardLine(1, name, 0, len(name))
    count = check_count(behind["n"])
    return Bracketed(name, count) if is_bare and isinstance(count, int) else None


def _with_brackets(text: str, behind: re.Match[str]) -> CardLine | Defect:
    line = parse_card_line(text[: behind.start()])
    if isinstance(line, Defect):
        return line
    is_bare = line == CardLine(1, text[: behind.start()], 0, behind.start())
    if not is_bare and (behind["x"] or behind["y"]):
        return _unreadable(text, f"{quote(text)} has two counts", "Remove one of them")
    if not is_bare:
        return line
    count = check_count(behind["n"])
    if isinstance(count, str):
        help = "Write how many copies the deck has, or remove the line"
        return Defect(True, count, help, *behind.span("n"))
    if behind["x"] or behind["y"]:
        return CardLine(count, line.name, line.start, line.end)
    message = (
        f"{quote(text)} may be {plural(count, 'copy')} or a card of strength {count}"
    )
    help = f"Write {quote(f'{count} {line.name}')}, or {quote(line.name)}"
    return _unreadable(text, message, help)


def _numbered(text: str, number: str, name: str) -> Defect:
    count = "".join(filter(str.isdigit, number))
    message = f"{quote(number)} may be a count or the number of the line"
    help = f"Write {quote(f'{count} {name}')}, or number the lines from 1"
    return Defect(False, message, help, 0, len(number))


def _counted(match: re.Match[str]) -> CardLine | Defect:
    said = "times" if match.groupdict().get("times") else "number"
    count = check_count(match[said])
    if isinstance(count, str):
        help = "Write how many copies the deck has, or remove the line"
        return Defect(True, count, help, *match.span(said))
    name, start = match["name"], match.start("name")
    # `Ballista: 3` and `Ballista, 3` are lists from elsewhere.
    bare = name.rstrip(":,; ") or name
    behind = re.search(_BEHIND, bare) if bare[-1] in ")]" else None
    if behind is not None and not (behind["x"] or behind["y"]):
        bare = bare[: behind.start()] or bare
    return CardLine(count, bare, start, start + len(bare))


def _spelt(match: re.Match[str]) -> str:
    return f"Write {quote(match['number'] + ' ' + match['name'])}"


def _unreadable(text: str, message: str, help: str) -> Defect:
    return Defect(False, message, help, 0, len(text))
