"""Lines of a text deck: cleaned, with marks of lists, counts and names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from deckcheck.decks.marks import BOXES, COMMENT, Aside, marked, without_strikes
from deckcheck.decks.model import Line
from deckcheck.decks.words import header_key, is_section
from deckcheck.findings import on_line, split_lines
from deckcheck.messages import plural, quote

# Lines of a text deck, cleaned without moving a single column.

_INNER = re.compile(r"\s(?:#(?!\d)|//)")
_MAY_HAVE_COMMENT = re.compile(r"#|//|;|%|--|::|'\s|\.\.\s|REM\s")

# Spaces that were copied from the source of a web page.
_SPACES = re.compile(r"&(?:nbsp|#160|#x[aA]0|ensp|emsp|thinsp);")

# Full-width forms to ASCII, exotic spaces and invisible characters to a space: always
# one character for one, so that columns stay true.
_FOLDED = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE = (
    *(0xA0, 0xAD, 0x034F, 0x061C, 0x1680, 0x180E, 0x3000, 0xFEFF),
    *range(0x2000, 0x2010),
    *range(0x202A, 0x2030),
    *range(0x205F, 0x2070),
    *range(0xFE00, 0xFE10),
)
_FOLDED |= dict.fromkeys(_INVISIBLE, 0x20)


def list_lines(text: str) -> Iterator[Line]:
    """Every line of `text`, comments too, with what is crossed out in it."""
    strikes = without_strikes(text)
    whole = split_lines(text)
    for number, raw in enumerate(split_lines(strikes.text), start=1):
        for column, said in strikes.comments.get(number, ()):
            yield _placed(number, column, said, aside=Aside.COMMENT, sign="<!--")
        line, remark = _folded(raw), ""
        comment = COMMENT.search(line) if _MAY_HAVE_COMMENT.search(line) else None
        if comment is not None:
            said = _INNER.split(line[comment.end() :], maxsplit=1)[0]
            line, remark = line[: comment.start()], said.strip()
            if not line.strip():
                at, sign = comment.end(), comment[0].strip()
                yield _placed(number, at, said, aside=Aside.COMMENT, sign=sign)
                continue
        if line.strip():
            written = _folded(whole[number - 1])
            indent = len(written) - len(written.lstrip())
            read = _placed(number, 0, line, remark=remark, indent=indent)
            yield _struck(read, line, strikes.struck.get(number, ()))


def read_lines(text: str) -> Iterator[Line]:
    """Every line of `text` that is more than a comment, in order."""
    return (line for line in list_lines(text) if line.aside is not Aside.COMMENT)


def read_comments(text: str) -> Iterator[Line]:
    """Every comment of a text deck that a sign opens, with it, in order.

    The line beside it, or nothing, is its `remark`.
    """
    for number, raw in enumerate(split_lines(text), start=1):
        line = _folded(raw)
        comment = COMMENT.search(line)
        if comment is not None:
            at, bare = comment.start(), line[: comment.start()].strip()
            span = on_line(number, at + 1, len(line) + 1)
            yield Line(line[at:], span, Aside.COMMENT, remark=bare)


def _placed(number: int, at: int, text: str, **about: Any) -> Line:
    """A text that begins behind `at` characters of a line, bare at both ends."""
    bare = text.strip()
    column = at + 1 + (len(text) - len(text.lstrip()) if bare else 0)
    return Line(bare, on_line(number, column, column + len(bare)), **about)


def _folded(raw: str) -> str:
    line = raw if raw.isascii() else raw.translate(_FOLDED)
    return _SPACES.sub(_blank, line) if "&" in line else line


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _struck(line: Line, whole: str, parts: Sequence[tuple[int, int, Aside]]) -> Line:
    """A line of which parts are crossed out: all of it, or only some of its words."""
    if not parts:
        return line
    rest, inner = whole, ""
    for start, end, _ in parts:
        inner += whole[start:end]
        rest = rest[:start] + " " * (end - start) + rest[end:]
    bare = re.sub(r"\b[xX]\b|\d[xX]\b|\b[xX](?=\d)", "", rest)
    has_words = any(map(str.isalpha, bare))
    is_partial = has_words or not any(map(str.isalpha, inner))
    return replace(line, aside=parts[0][2], is_partial=is_partial)


# One card line of a text deck: a count, before or after, and a name.

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
    """A card line as it was read; `start` and `end` delimit the name in the line."""

    count: int
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LineDefect:
    """Why a line is not a card line; `start` and `end` delimit what is wrong with it.

    `about_count` marks an impossible count, as opposed to a line that cannot be read.
    """

    about_count: bool
    message: str
    help: str
    start: int
    end: int


@lru_cache(maxsize=4096)  # Decks of one game have their lines in common.
def parse_card_line(text: str) -> CardLine | LineDefect:
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


def parse_described_line(text: str) -> CardLine | LineDefect:
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


def _before_or_after(text: str) -> CardLine | LineDefect:
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


def _after_or_bare(text: str) -> CardLine | LineDefect:
    if _DIGIT.search(text) is None:
        return CardLine(1, text, 0, len(text))
    glued = re.fullmatch(_GLUED, text)
    if glued is not None:
        help = f"Write {quote(glued['number'] + ' ' + glued['name'])}"
        message = f"{quote(text)} runs count and name together"
        return _unreadable(text, message, help)
    after = re.fullmatch(_AFTER, text)
    if after is not None:
        return _counted(after)
    numbered = NUMBERED.match(text)
    if numbered is not None:
        return _numbered(text, numbered[0].strip(), text[numbered.end() :])
    return CardLine(1, text, 0, len(text))


def bracketed(text: str) -> CardLine | None:
    """A line such as `Ballista (6)`, whose count may be a strength; None for others."""
    behind = re.search(_BEHIND, text)
    if behind is None or behind["x"] or behind["y"]:
        return None
    name = text[: behind.start()]
    is_bare = name and parse_card_line(name) == CardLine(1, name, 0, len(name))
    count = check_count(behind["n"])
    is_counted = is_bare and isinstance(count, int)
    return CardLine(int(count), name, 0, len(name)) if is_counted else None


def _with_brackets(text: str, behind: re.Match[str]) -> CardLine | LineDefect:
    line = parse_card_line(text[: behind.start()])
    if isinstance(line, LineDefect):
        return line
    is_bare = line == CardLine(1, text[: behind.start()], 0, behind.start())
    if not is_bare and (behind["x"] or behind["y"]):
        return _unreadable(text, f"{quote(text)} has two counts", "Remove one of them")
    if not is_bare:
        return line
    count = check_count(behind["n"])
    if isinstance(count, str):
        help = "Write how many copies the deck has, or remove the line"
        return LineDefect(True, count, help, *behind.span("n"))
    if behind["x"] or behind["y"]:
        return CardLine(count, line.name, line.start, line.end)
    meanings = f"{plural(count, 'copy')} or a card of strength {count}"
    help = f"Write {quote(f'{count} {line.name}')}, or {quote(line.name)}"
    return _unreadable(text, f"{quote(text)} may be {meanings}", help)


def _numbered(text: str, number: str, name: str) -> LineDefect:
    count = "".join(filter(str.isdigit, number))
    message = f"{quote(number)} may be a count or the number of the line"
    help = f"Write {quote(f'{count} {name}')}, or number the lines from 1"
    return LineDefect(False, message, help, 0, len(number))


def _counted(match: re.Match[str]) -> CardLine | LineDefect:
    said = "times" if match.groupdict().get("times") else "number"
    count = check_count(match[said])
    if isinstance(count, str):
        help = "Write how many copies the deck has, or remove the line"
        return LineDefect(True, count, help, *match.span(said))
    name, start = match["name"], match.start("name")
    # `Ballista: 3` and `Ballista, 3` are lists from elsewhere.
    bare = name.rstrip(":,; ") or name
    behind = re.search(_BEHIND, bare) if bare[-1] in ")]" else None
    if behind is not None and not (behind["x"] or behind["y"]):
        bare = bare[: behind.start()] or bare
    return CardLine(count, bare, start, start + len(bare))


def _unreadable(text: str, message: str, help: str) -> LineDefect:
    return LineDefect(False, message, help, 0, len(text))


# Marks of pasted lists: bullets, checkboxes, numbers of lines, columns of a table.

# What no plain deck has: a line that starts with a sign or a number of its own, a tab,
# a box at its end.
_ANYWHERE = re.compile(
    rf"^[^\S\n]*(?!#|//|-{{3,}}\s*$)(?:[^\w\s]|_|\(?\d{{1,3}}[.)\uff0e\uff09])"
    rf"|[\t]|\*\*|[\r\v\f\x85\u2028\u2029](?!\n)|[{BOXES}\]]",
    re.MULTILINE,
)

_BOX_WITHIN = re.compile(
    rf"\d+\s*[xX\u00d7]?\s+(?=[{BOXES}]|[\[(][\s_xX{BOXES}]?[\])])"
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
    signs = Counter(line.sign[:1] for line in bare)
    is_alone = not signs.keys() & set(_OPEN) and 2 * signs["\u2612"] < len(bare)
    if is_alone or signs.keys() & set(_DONE):
        # A box with a cross, where others are ticked or most have none.
        bare = [
            replace(x, aside=x.aside or Aside.STRUCK) if x.sign[:1] == "\u2612" else x
            for x in bare
        ]
    marks = [NUMBERED.match(line.text) for line in bare]
    if any(marks):
        bare = _unnumbered(bare, marks)
    return [
        line
        for line in bare
        if line.aside is Aside.COMMENT or any(map(str.isalnum, line.text))
    ]


_OPEN, _DONE = "\u2610\u25a1[(", "\u2611\u2713\u2714\u2705"
"""Boxes beside which one with a cross means that something is, or is not, ticked."""


def _unnumbered(
    lines: Sequence[Line], marks: Sequence[re.Match[str] | None]
) -> list[Line]:
    """The lines without their numbers; `(2)` is one where such numbers rise alone."""
    numbered = list(zip(lines, marks, strict=True))
    styles: dict[bool, list[tuple[Line, int]]] = {True: [], False: []}
    for line, mark in numbered:
        if mark is not None:
            styles[mark[0][0] == "("].append((line, int(mark["n"])))
    rises = {style: _rise(numbers) for style, numbers in styles.items()}

    def without(line: Line, mark: re.Match[str] | None) -> Line:
        if mark is None or line.aside is Aside.COMMENT:
            return line
        rest = line.text[mark.end() :]
        if rises[mark[0][0] == "("] or mark["n"] == "1" or rest[:1].isdigit():
            return _bare(line.spelt(" " * mark.end() + rest))
        return line

    return [without(*pair) for pair in numbered]


def _rise(numbers: Sequence[tuple[Line, int]]) -> bool:
    """Whether numbers rise from 1, and from 1 again below a heading or blank line."""
    before, last = 0, 0
    for line, number in numbers:
        is_new = number == 1 and line.span.start.line > last + 1
        if number <= before and not is_new:
            return False
        if not before and number != 1:
            return False
        before, last = number, line.span.start.line
    return True


def _bare(line: Line) -> Line:
    text = line.text
    if line.aside is Aside.COMMENT:
        return line
    is_plain = text[0].isalnum() and (text[-1].isalnum() or text[-1] in ")':")
    is_plain = is_plain and _BOX_WITHIN.search(text) is None
    if is_plain and "\t" not in text and "**" not in text:
        return line
    if "**" in text:
        # Bold in Markdown.
        line = line.spelt(text.replace("**", "  "))
    if line.text[:1] == "|":
        line = line.spelt(line.text.replace("|", "\t"))
    marks = marked(line.text)
    if marks.start or marks.end < len(line.text):
        bare = line.spelt(" " * marks.start + line.text[marks.start : marks.end])
        sign = line.sign or marks.sign
        line = replace(bare, aside=line.aside or marks.aside, sign=sign)
    within = _BOX_WITHIN.match(line.text)
    if within is not None:
        # `2 [ ] Ballista`: a box between the count and the name.
        rest = marked(line.text[within.end() :])
        name = " " * rest.start + line.text[within.end() + rest.start :]
        bare = replace(line, text=line.text[: within.end()] + name)
        line = replace(bare, aside=line.aside or rest.aside)
    return line.spelt(_row(line.text)) if "\t" in line.text else line


def _row(text: str) -> str:
    """A row of a table as a line of a deck, with blanks for what says no more.

    That is the names of columns, rows and kinds, and, after a count, other numbers.
    Whatever else a cell says stays: it may be another card.
    """
    cells = [cell for cell in _CELL.finditer(text) if cell[0].strip()]
    words = [cell[0].strip().lower() for cell in cells]
    if len(cells) == 2 and ":" not in text and header_key(words[0]):
        return f"{text[: cells[0].end()]}:{text[cells[0].end() + 1 :]}"
    if all(word in _COLUMNS for word in words):
        return " " * len(text)
    is_counted = _COUNT.fullmatch(words[0]) is not None
    for cell, word in list(zip(cells, words, strict=True))[1 + is_counted :]:
        if is_section(word) or (is_counted and _COUNT.fullmatch(word)):
            blank = " " * len(cell[0])
            text = text[: cell.start()] + blank + text[cell.end() :]
    return text
