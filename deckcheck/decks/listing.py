"""Marks of pasted lists: bullets, checkboxes, numbers of lines, columns of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckcheck.decks.cardlines import NUMBERED
from deckcheck.decks.headers import header_key, is_section
from deckcheck.decks.lines import Line

# Any sign with a space behind it: `-3` and `+3` are counts, if odd ones. Of the signs
# of typography and of Word's symbol font no space is needed. `o` is Word's too.
_SIGNS = r"[^\w\s(\[]+\s+"
_BULLETS = (
    "[\u00b7\u2022\u2023\u2043\u2192\u2219\u25a0-\u25ff\u2605\u2606\u2610-\u2612"
    "\u2713-\u2718\u27a4\uf0a7\uf0b7]+\\s*"
)
_CHECKBOX = r"[\[(]\s?[xX\u2713\u2714]?\s?[\])]\s+"
_MARK = re.compile(rf"(?:{_CHECKBOX}|{_BULLETS}|{_SIGNS}|o\t\s*)+")

# What no plain deck has: a line that starts with a sign or a number of its own, a tab.
_ANYWHERE = re.compile(
    r"^[^\S\n]*(?!#|//|-{3,}\s*$)(?:[^\w\s]|_|\(?\d{1,3}[.)\uff0e\uff09])"
    r"|[\t]|\*\*|\r(?!\n)",
    re.MULTILINE,
)

_CELL = re.compile(r"[^\t]+")
_COUNT = re.compile(r"\s*(?:[xX\u00d7]\s*)?\d+(?:\s*[xX\u00d7])?\s*")
_COLUMNS = frozenset(
    {
        *("amount", "card", "cards", "copies", "count", "faction", "kind", "name"),
        *("number", "power", "quantity", "qty", "row", "strength", "type"),
    }
)


def may_be_list(text: str) -> bool:
    """Whether `unlisted` could change anything of a text; quicker than to try it."""
    return _ANYWHERE.search(text) is not None


def unlisted(lines: Sequence[Line]) -> list[Line]:
    """The lines of one deck without the marks of a list, each where it stood.

    Lines without any letter or digit say nothing and are left out. `2. ` is the number
    of a line where such numbers rise from 1, or where a count follows; `1. ` means one
    card either way. What else may be a count is left to the reader of cards.
    """
    bare = [_bare(line) for line in lines]
    marks = [NUMBERED.match(line.text) for line in bare]
    if any(marks):
        bare = _unnumbered(bare, marks)
    return [line for line in bare if _says_something(line.text)]


def _says_something(text: str) -> bool:
    return text[:1].isalnum() or any(map(str.isalnum, text))


def _unnumbered(
    lines: Sequence[Line], marks: Sequence[re.Match[str] | None]
) -> list[Line]:
    """The lines without their numbers; `(2)` is one where such numbers rise alone."""
    numbered = list(zip(lines, marks, strict=True))
    rises = {
        style: _rise(
            [(x, int(m["n"])) for x, m in numbered if m and _style(m) == style]
        )
        for style in (True, False)
    }
    return [
        _bare(_behind(line, mark.end()))
        if mark is not None
        and (rises[_style(mark)] or mark["n"] == "1" or _has_count(line, mark))
        else line
        for line, mark in numbered
    ]


def _style(mark: re.Match[str]) -> bool:
    return mark[0][0] == "("


def _has_count(line: Line, mark: re.Match[str]) -> bool:
    """Whether a digit follows the number of a line."""
    return line.text[mark.end() : mark.end() + 1].isdigit()


def _rise(numbers: Sequence[tuple[Line, int]]) -> bool:
    """Whether numbers rise from 1, and from 1 again below a heading or blank line."""
    before, last = 0, 0
    for line, number in numbers:
        is_new = number == 1 and line.number > last + 1
        if number <= before and not is_new:
            return False
        if not before and number != 1:
            return False
        before, last = number, line.number
    return True


def _bare(line: Line) -> Line:
    text = line.text
    if text[:1].isalnum() and "\t" not in text and "**" not in text:
        return line
    if "**" in text:
        # Bold in Markdown.
        line = _spelt(line, text.replace("**", "  "))
    if line.text[:1] == "|":
        line = _spelt(line, line.text.replace("|", "\t"))
    mark = _MARK.match(line.text)
    if mark is not None:
        line = _behind(line, mark.end())
    return _spelt(line, _row(line.text)) if "\t" in line.text else line


def _behind(line: Line, start: int) -> Line:
    return _spelt(line, " " * start + line.text[start:])


def _spelt(line: Line, text: str) -> Line:
    """`line` with a text of the same length, without the space at its ends."""
    shift = len(text) - len(text.lstrip())
    return Line(line.number, line.column + shift, text.strip())


def _row(text: str) -> str:
    """A row of a table as a line of a deck, with blanks for what says no more.

    That is the names of columns, rows and kinds, and behind a count other numbers.
    Whatever else a cell says stays: it may be another card.
    """
    cells = [cell for cell in _CELL.finditer(text) if cell[0].strip()]
    words = [cell[0].strip().lower() for cell in cells]
    if len(cells) == 2 and ":" not in text and header_key(words[0]):
        return f"{text[: cells[0].end()]}:{text[cells[0].end() + 1 :]}"
    if all(word in _COLUMNS for word in words):
        return " " * len(text)
    is_counted = _COUNT.fullmatch(words[0]) is not None
    for cell, word in zip(
        cells[1 + is_counted :], words[1 + is_counted :], strict=True
    ):
        if is_section(word) or (is_counted and _COUNT.fullmatch(word)):
            blank = " " * len(cell[0])
            text = text[: cell.start()] + blank + text[cell.end() :]
    return text
