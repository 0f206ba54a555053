"""Lines of a text deck, cleaned without moving a single column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deckcheck.findings import Position, Span

_LINE_END = re.compile(r"\r\n|\n|\r")

# `#` and `//` open a comment at the start of a line and after a space. `Deck #2` keeps
# its number, and `https://` and `Fire//Ice` have no space before the slashes.
_COMMENT = re.compile(r"^\s*(?:#|//)|\s(?:#(?!\d)|//)")

# Spaces that were copied from the source of a web page.
_SPACES = re.compile(r"&(?:nbsp|#160|#x[aA]0|ensp|emsp|thinsp);")

# Full-width forms to ASCII, exotic spaces and invisible characters to a space: always
# one character for one, so that columns stay true.
_FOLDED = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE = (
    0xA0,
    0xAD,
    0x034F,
    0x061C,
    0x1680,
    0x180E,
    *range(0x2000, 0x2010),
    *range(0x202A, 0x2030),
    *range(0x205F, 0x2070),
    0x3000,
    *range(0xFE00, 0xFE10),
    0xFEFF,
)
_FOLDED |= dict.fromkeys(_INVISIBLE, 0x20)


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its comment: `text` starts at `column`, and both ends are bare."""

    number: int
    column: int
    text: str

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """The place of `text[start:end]` in the file."""
        stop = len(self.text) if end is None else end
        return Span(
            Position(self.number, self.column + start),
            Position(self.number, self.column + stop),
        )


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, from `column` on; `is_alone` when its line holds nothing else."""

    number: int
    column: int
    text: str
    is_alone: bool


def read_lines(text: str) -> Iterator[Line]:
    """Every line of `text` that is more than a comment, in order."""
    for number, raw in enumerate(_LINE_END.split(text), start=1):
        line = raw if raw.isascii() else raw.translate(_FOLDED)
        if "&" in line:
            line = _SPACES.sub(lambda match: " " * len(match[0]), line)
        if "#" in line or "//" in line:
            comment = _COMMENT.search(line)
            if comment is not None:
                line = line[: comment.start()]
        bare = line.strip()
        if bare:
            yield Line(number, len(line) - len(line.lstrip()) + 1, bare)


def read_comments(text: str) -> Iterator[Comment]:
    """Every comment of a text deck, in order."""
    for number, raw in enumerate(_LINE_END.split(text), start=1):
        line = raw if raw.isascii() else raw.translate(_FOLDED)
        comment = _COMMENT.search(line)
        bare = (line[: comment.start()] if comment else line).strip()
        if comment is not None:
            yield Comment(
                number, comment.start() + 1, line[comment.start() :], not bare
            )
