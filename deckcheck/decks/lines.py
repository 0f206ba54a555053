"""Lines of a text deck: cleaned, with marks of lists, counts and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from deckcheck.decks.model import Line
from deckcheck.decks.words import Below, read_header, usual_heading
from deckcheck.findings import on_line, split_lines
from deckcheck.messages import plural, quote

# Lines of a text deck, cleaned without moving a single column

MAX_LINE = 500
"""The most characters of a line."""

COMMENT_START = re.compile(r"^\s*(?:#+|//+)|\s(?:#+(?!\d)|//+)")
"""The start of a comment.

`Deck #2` keeps its number. `https://` and `Fire//Ice` have no space before the slashes.
"""

# Spaces that were copied from the source of a web page.
_COPIED_SPACES = re.compile(r"&(?:nbsp|#160|#x[aA]0|ensp|emsp|thinsp);|\*\*")

# Full-width forms to ASCII, exotic spaces and invisible characters to a space: always
# a single character for another, so that columns stay true.
_FOLDED_CHARACTERS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE_CHARACTERS = (
    0xA0,
    0xAD,
    0x034F,
    0x061C,
    0x1680,
    0x180E,
    0x3000,
    0xFEFF,
    *range(0x2000, 0x2010),
    *range(0x202A, 0x2030),
    *range(0x205F, 0x2070),
    *range(0xFE00, 0xFE10),
)
_FOLDED_CHARACTERS |= dict.fromkeys(_INVISIBLE_CHARACTERS, 0x20)

# Marks in front of a line, and marks that leave open whether the line is meant

_BULLET_MARK = re.compile(
    r"(?:[-*\u00b7\u2022\u2023\u2043\u25a0\u25aa\u25ab\u25cf\u2013\u2014\uf0a7\uf0b7]\s+"
    r"|[\[(][xX\u2713\u2714\u2611][\])]\s*|[\u2611\u2713\u2714\u2705]\s*)+"
)
_DOUBT_MARK = re.compile(
    r"~|\?|\|\||</?[A-Za-z]|<!--|-->|/\*|\*/|[\u0335-\u0338]|\[/?(?:s|strike|del)\]"
    r"|[\[(][\s_-]?[\])]|[\u2610\u2612\u2715-\u2718\u274c\u274e\u2a2f\u25a1\u2b1c]"
    r"|[\U0001f532\U0001f533\U0001f5d1\U0001f5d9\U0001f6ab]",
    re.I,
)
"""Marks of text that is crossed out, hidden or not ticked."""
_STRANGE_SIGN = re.compile(
    r"(?![-+\u2212\u2013]?\d|[(\[]\s*[xX\d]"
    r"|['\"\u00ab\u00bb\u2018-\u201f\u2039\u203a]\w)[^\w\s]+"
)
"""Unknown signs in front of a line: of quotes, of comments, of a diff."""


# Links as web pages, forums and chats write them: their text alone is meant

_LINK_ADDRESS = r"[^()\s]{0,300}(?:\([^()\s]{0,100}\)[^()\s]{0,300})?"
_LINK_FORMS = re.compile(
    rf"(?P<before>!?\[)(?P<text>[^\[\]]{{1,200}})\](?:\(<?{_LINK_ADDRESS}>?"
    r"(?:\s{1,4}[\"'(][^\"'()]{0,100}[\"')])?\)|\[[\w-]{0,40}\])"
    r"|\[\[(?:[^\[\]|]{1,200}\|)?(?P<wiki>[^\[\]|]{1,200})\]\]"
    r"|</?a(?:\s[^<>]{0,300})?>|\[/?(?:url|card|c|deck)(?:=[^\[\]]{0,300})?\]"
    r"|(?<=\S)\s[<(\[]?https?://[^\s<>]{1,300}>?$|^[<(\[]?https?://[^\s<>]{1,300}>?$",
    re.I,
)
_MAY_LINK = re.compile(r"\]\(|\]\[|\[\[|://|<a\b|</a>|\[/", re.I)
_LINKED_HEADERS = ("format", "faction", "leader")
"""Headers whose value is a name, and so never an address."""

_CODE_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*[a-z0-9_+-]{0,12}\s*")
"""A fence between a list and the text around it, with the name of its notation."""

MAX_COMMENT = 80
"""The most characters of a comment that may be a card."""


def list_lines(text: str, *, with_comments: bool = False) -> Iterator[Line]:
    """Yield every line of `text` with more than a comment, in order.

    A usual heading or a total is not a comment: `## Sideboard`, `# 28 cards`.
    `with_comments` yields short comments too, and after a line those with a digit.
    """
    for number, raw in enumerate(split_lines(text), start=1):
        line = _fold_line(raw)
        if _CODE_FENCE.fullmatch(line):
            continue
        comment = COMMENT_START.search(line)
        end, remark = len(line), ""
        if comment is not None:
            end, remark = comment.start(), line[comment.end() :].strip()
        is_alone = not line[:end].strip()
        if not is_alone:
            yield clean_line(
                Line(line[:end], on_line(number, 1, end + 1), remark=remark)
            )
        elif remark and usual_heading(remark) is not None:
            yield Line(line, on_line(number, 1, len(line) + 1)).spelt(line)
            continue
        if comment is None or not 0 < len(remark) <= MAX_COMMENT:
            continue
        if with_comments and (is_alone or has_digit(remark)):
            span = on_line(number, 1, len(line) + 1)
            spaced = f"{'':{comment.end()}}{line[comment.end() :]}"
            yield Line(line, span, is_comment=True).spelt(spaced)


def clean_line(line: Line) -> Line:
    """Return a line without its bullet, with the mark that leaves it in doubt."""
    line = line.spelt(line.text)
    if line.text[:1] == "|" and line.text.count("|") > 1 and "||" not in line.text:
        # The border of a table.
        line = line.spelt(f" {line.text[1:].removesuffix('|')}".ljust(len(line.text)))
    is_heading = usual_heading(line.text) is not None
    bullet = _BULLET_MARK.match(line.text)
    if bullet is not None and not is_heading:
        line = line.spelt(" " * bullet.end() + line.text[bullet.end() :])
    doubt = _DOUBT_MARK.search(line.text)
    if doubt is None and not is_heading and not says_nothing(line.text):
        doubt = _STRANGE_SIGN.match(line.text)
    if doubt is not None:
        return replace(line, doubt=doubt[0])
    heading = usual_heading(line.remark) if line.remark else None
    if heading is not None and heading[1] is Below.ASIDE:
        return replace(line, doubt=line.remark)
    return line


def has_digit(text: str) -> bool:
    """Report whether a text has a digit."""
    return any(map(str.isdigit, text))


def says_nothing(text: str) -> bool:
    """Report whether a line has neither letters nor digits, as a rule across."""
    return not any(map(str.isalnum, text))


def read_comments(text: str) -> Iterator[Line]:
    """Yield every comment of a text deck with its sign, in order.

    The line beside it, or nothing, is its `remark`.
    """
    for number, raw in enumerate(split_lines(text), start=1):
        line = _fold_line(raw)
        comment = COMMENT_START.search(line)
        if comment is not None:
            offset = comment.start()
            bare = line[: comment.start()].strip()
            span = on_line(number, offset + 1, len(line) + 1)
            yield Line(line[offset:], span, remark=bare)


def _fold_line(raw: str) -> str:
    """Return a line without exotic characters and links, with the same columns."""
    line = raw if raw.isascii() else raw.translate(_FOLDED_CHARACTERS)
    line = _COPIED_SPACES.sub(_replace_by_spaces, line)
    return _LINK_FORMS.sub(_link_text, line) if _may_link(line) else line


def _may_link(line: str) -> bool:
    """Report whether a line may have a link that does not belong to its header."""
    if not _MAY_LINK.search(line) or len(line) > MAX_LINE:
        return False
    header = read_header(line.strip())
    return header is None or header.key in _LINKED_HEADERS


def _replace_by_spaces(found: re.Match[str]) -> str:
    """Return as many spaces as there are characters."""
    return " " * len(found[0])


def _link_text(found: re.Match[str]) -> str:
    """Return the text of a link with spaces in place of the rest."""
    for group in ("text", "wiki"):
        if found[group]:
            start = found.start(group) - found.start()
            return f"{'':{start}}{found[group]}".ljust(len(found[0]))
    return " " * len(found[0])


# A card line of a text deck: a count, before or after, and a name

MAX_COUNT = 999

_X = r"[xX\u00d7]"
# `3`, and attempts at a number: `-3`, `1.5`, `1/2`.
_N = r"([+\-\u2212\u2013]?\d[\d.,/]*)"

_COUNT_IN_FRONT = re.compile(
    rf"[(\[]\s*(?:{_X}\s*)?(\d+)\s*{_X}?\s*[)\]]\s*"
    rf"|(?:{_X}\s*)?{_N}(?:\s*{_X})?(?:\s+|$)"
)
_COUNT_BEHIND = re.compile(
    rf"(?<=\S)\s+(?:{_X}\s*)?{_N}(?:\s*{_X})?$"
    rf"|(?:(?<=\S)\s+)?[(\[]\s*(?:{_X}\s*(\d+)|(\d+)\s*{_X})\s*[)\]]$"
)
# Where a number may be part of the card, a count has its `x`.
_X_FRONT = re.compile(rf"(?:{_X}\s*{_N}|{_N}\s*{_X})(?:(?=[\s\d])\s*|$)")
_X_BEHIND = re.compile(rf"(?<=\S)\s+(?:{_X}\s*{_N}|{_N}\s*{_X})$")

_STRENGTH_BEHIND = re.compile(r"(?<=\S)\s*[(\[]\s*(\d+)\s*[)\]]$")
_GLUED_COUNT = re.compile(rf"(\d+){_X}?([^\W\d].*)")
_LINE_NUMBER = re.compile(r"\(?(\d{1,3})[.)]+(?:\s+|(?=[^\W\d]))(.*)")


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card line. `start` and `end` delimit the name in the line."""

    count: int
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LineDefect:
    """The reason why a line is not a card line. `start` and `end` delimit the fault."""

    about_count: bool
    """An impossible count, as opposed to a line that cannot be read."""
    message: str
    help: str
    start: int
    end: int


@lru_cache(maxsize=4096)  # Decks of one game have their lines in common.
def parse_card_line(text: str) -> CardLine | LineDefect:
    """Read `3 X`, `3x X`, `X x3`, `X 3` or a bare `X`, a single copy.

    `text` is the line without comment and outer space. A number at the end is always a
    count, so no card of a game may end in a number. In brackets it is a count only
    without another count, and then it may be the strength of the card too.
    """
    if not any(map(str.isdigit, text)):
        return CardLine(1, text, 0, len(text))
    strength = _STRENGTH_BEHIND.search(text)
    rest = text[: strength.start()] if strength is not None else text
    card = _read_counted(rest, _COUNT_IN_FRONT, _COUNT_BEHIND)
    if card is not None:
        return card
    if strength is not None:
        copies = plural(int(strength[1][:9]), "copy")
        meanings = f"{copies} or a card of strength {strength[1]}"
        help = f"Write {quote(f'{strength[1]} {rest}')}, or {quote(rest)}"
        return _unreadable_line(text, f"{quote(text)} may be {meanings}", help)
    if (glued := _GLUED_COUNT.fullmatch(text)) is not None:
        message = f"{quote(text)} runs count and name together"
        return _unreadable_line(
            text, message, f"Write {quote(' '.join(glued.groups()))}"
        )
    if (numbered := _LINE_NUMBER.fullmatch(text)) is not None:
        number = text[: numbered.start(2)].strip()
        message = f"{quote(number)} may be a count or the number of the line"
        help = f"Write {quote(' '.join(numbered.groups()))}, or leave the number out"
        return LineDefect(False, message, help, 0, len(number))
    return CardLine(1, text, 0, len(text))


def parse_described_line(text: str) -> CardLine | LineDefect:
    """Read `2x 5 ice`, `5 ice x2` or `5 ice`, where a card may start with a number."""
    card = _read_counted(text, _X_FRONT, _X_BEHIND)
    return CardLine(1, text, 0, len(text)) if card is None else card


def check_count(number: str) -> int | str:
    """Return the count that `number` spells, or why it is not a count."""
    digits = number.lstrip("0")
    # Length first: a number of thousands of digits is slow to convert, or refused.
    if number.isdecimal() and 0 < len(digits) <= len(str(MAX_COUNT)):
        return int(digits)
    return f"Count {quote(number, 30)}, whole numbers from 1 to {MAX_COUNT} allowed"


def _read_counted(
    text: str, in_front: re.Pattern[str], at_end: re.Pattern[str]
) -> CardLine | LineDefect | None:
    """Return a card with a count in front or behind, None without a count."""
    front = in_front.match(text)
    start = front.end() if front is not None else 0
    behind = at_end.search(text, start)
    found = front or behind
    if found is None or (front and front[0].rstrip()[-1:] == "."):
        return None
    if start == len(text):
        message = f"{quote(text)} is a count without a card"
        return _unreadable_line(text, message, "Write the card after it")
    if front is not None and behind is not None:
        help = "Keep the count before the name and remove the other"
        if "," in text or ";" in text:
            help = "Write a line for each card"
        return _unreadable_line(text, f"{quote(text)} has two counts", help)
    group = found.lastindex or 0
    count = check_count(found[group])
    if isinstance(count, str):
        help = "Write how many copies the deck has, or remove the line"
        return LineDefect(True, count, help, *found.span(group))
    # `Ballista: 3` and `Ballista, 3` are lists from elsewhere.
    end = behind.start() if behind is not None else len(text)
    name = _STRENGTH_BEHIND.sub("", text[start:end].rstrip(":,; ")) or text[start:end]
    return CardLine(count, name, start, start + len(name))


def _unreadable_line(text: str, message: str, help: str) -> LineDefect:
    return LineDefect(False, message, help, 0, len(text))
