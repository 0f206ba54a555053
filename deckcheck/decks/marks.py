"""Parts of a list that are not meant: set aside, crossed out, quoted, a comment.

Every reader of decks asks here: `is_set_aside` of headings, `marked` of the marks of a
line, `without_strikes` of what is crossed out or hidden in a text, `said_beside` of the
other columns of a table.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from deckcheck.findings import LINE_END


class Aside(StrEnum):
    """Why a line is not meant, as findings say it."""

    HEADING = "set aside by a heading or a tag"
    STRUCK = "crossed out or hidden"
    SPOILER = "in a spoiler"
    UNTICKED = "not ticked"
    QUOTED = "quoted"
    COMMENT = "in a comment"
    REMOVED = "behind a `-`"


# Marks in front of a line, and behind it.

_UNTICKED = "\u2610\u25a1\u25a2\u25fb\u25fd\u2b1c\u274f-\u2752\U0001f532\U0001f533"
_TICKED = "\u2611\u2612\u2713\u2714\u2705\U0001f5f8\U0001f5f9"
_CROSSED = (
    "\u2715-\u2718\u274c\u274e\u2a2f\u26d4\U0001f44e\U0001f5d1\U0001f5d9\U0001f6ab"
)
# Any sign with a space behind it: `-3` and `+3` are counts, if odd ones. Of the signs
# of typography and of Word's symbol font no space is needed. `o` is Word's too.
_BULLETS = (
    "\u00b7\u2022\u2023\u2043\u2192\u2219\u25a0-\u25ff\u2605\u2606\u27a4\uf0a7\uf0b7"
)
_MARK = re.compile(
    rf"(?P<open>[\[(][\s_]?[\])]\s*|\[[-~]\]\s+|[{_UNTICKED}]+\s*)"
    rf"|(?P<done>[\[(]\s?[xX\u2713\u2714\u2611]\s?[\])]\s+|[{_TICKED}]+\s*)"
    rf"|(?P<crossed>(?:[{_CROSSED}]\s*)+|[\[(]\s?[{_CROSSED}]\s?[\])]\s*)"
    r"|(?P<quote>(?:>\s*)+)"
    rf"|(?P<bullet>[{_BULLETS}]+\s*|(?!>)[^\w\s(\[{_UNTICKED}{_TICKED}{_CROSSED}]+\s+"
    r"|o\t\s*)"
)
_BEHIND = re.compile(
    rf"\s+(?:(?P<open>\[\s?\]|[{_UNTICKED}])|(?P<done>\[[xX]\]|[{_TICKED}])"
    rf"|(?P<crossed>[{_CROSSED}]))\s*$"
)
BOXES = _UNTICKED + _TICKED + _CROSSED
"""What stands in front of a line or behind it, as a set of a regular expression."""
_KINDS = {"open": Aside.UNTICKED, "crossed": Aside.STRUCK, "quote": Aside.QUOTED}


class Marks(NamedTuple):
    """The marks of a line: where its text starts and ends, and what they say.

    `sign` is the first bullet, `is_ticked` whether it has a mark that says it is meant.
    """

    start: int
    end: int
    aside: Aside | None
    sign: str
    is_ticked: bool


def marked(text: str) -> Marks:
    """Read the bullets, boxes and quotes in front of a line, and the box behind it."""
    at, sign, kinds = 0, "", []
    while match := _MARK.match(text, at):
        sign = sign or match[0].strip()
        kinds.append(match.lastgroup)
        at = match.end()
    behind = _BEHIND.search(text, at)
    if behind is not None and text[: behind.start()].rstrip()[-1:] in (":", ""):
        behind = None  # A header of this value.
    if behind is not None:
        kinds.append(behind.lastgroup)
    asides = [_KINDS[kind] for kind in kinds if kind in _KINDS]
    end = behind.start() if behind is not None else len(text)
    return Marks(at, end, asides[0] if asides else None, sign, "done" in kinds)


# Comments as other tools write them.

COMMENT = re.compile(
    r"^\s*(?:#|//|;|%|--(?![->])|::|\{#|(?:'|\.\.|REM)\s)|\s(?:#(?!\d)|//)"
)
"""What opens a comment: some signs at the start of a line only.

`Deck #2` keeps its number; `https://` and `Fire//Ice` have no space before the slashes.
"""
OWN_SIGN = "#"
"""The sign of a comment that is no line of the deck for sure."""


# Replies: the line above what is quoted, in the languages of the cards.

_WROTE = (
    r"wrote|schrieb|escribi\u00f3|a \u00e9crit|ha scritto|scrive"
    r"|napisa\u0142a?|escreveu"
    r"|\u043d\u0430\u043f\u0438\u0441\u0430\u043b\u0430?|\u043f\u0438\u0448\u0435\u0442"
    r"|napsala?"
)
_ATTRIBUTION = re.compile(
    rf"(?=.*[\d@])(?:\w.{{0,200}})?\b(?:{_WROTE})\b(?:[^:]|:(?=\d)){{0,80}}:", re.I
)
_BEGINS = re.compile(r"(?:on|am|le|el|il|em|dnia|w dniu|dne|\u0432)\s", re.I)
_ORIGINAL = re.compile(
    r"-{2,}\s*(?:original|urspr\u00fcngliche|mensaje|message d|messaggio"
    r"|wiadomo\u015b\u0107"
    r"|mensagem|\u0438\u0441\u0445\u043e\u0434\u043d|p\u016fvodn\u00ed)[^-]*-{2,}",
    re.I,
)


_FROM = re.compile(r"(?:from|von|de|da|od|\u043e\u0442)\s*:\s*\S", re.I)
_SENT = re.compile(
    r"(?:sent|date|datum|data|fecha|\u0434\u0430\u0442\u0430|gesendet|envoy\u00e9|enviado|inviato|wys\u0142ano|odesl\u00e1no"
    r"|\u043e\u0442\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e)\s*:\s*\S",
    re.I,
)


def is_attribution(text: str, after: str = "") -> bool:
    """Whether a line is the one above a quote: `On Monday Anna wrote:`.

    Also where it goes on in the line `after` it.
    """
    if text[-1:] == ":":
        return _ATTRIBUTION.fullmatch(text) is not None
    if after[-1:] != ":" or not _BEGINS.match(text) or is_attribution(after):
        return False
    return _ATTRIBUTION.fullmatch(f"{text} {after}") is not None


def begins_original(text: str, after: str = "") -> bool:
    """Whether all from a line on is the mail that was answered; `after` is the next."""
    if text[:2] in ("--", "__"):
        return _ORIGINAL.fullmatch(text) is not None
    return _SENT.match(after) is not None and _FROM.match(text) is not None


# What is crossed out or hidden in a text, by marks that have a beginning and an end.

_TAG = r"<(?P<end>/)?(?P<tag>[A-Za-z][A-Za-z0-9]*)\b(?P<says>[^<>\n]{0,200})>"
_BB = r"\[(?P<bbend>/)?(?P<bb>s|strike|del)\]"
_MARKERS = re.compile(
    rf"<!--|-->|(?<!\S)/\*|\*/(?!\S)|(?<!~)~~?(?!~)|(?<!\|)\|\|(?!\|)|{_TAG}|{_BB}"
    r"|\n[^\S\n]*\n",
    re.I,
)
_MAY_STRIKE = re.compile("[~<[]|/\\*|\\|\\||[\u0335-\u0338]")
_HIDES = re.compile(
    r"line-through|stri(?:ke|cken)|display\s*:\s*none|\bd-none\b"
    r"|visibility\s*:\s*(?:hidden|collapse)|[\s\"']hidden\b",
    re.I,
)
_STRUCK_TAGS = frozenset({"s", "strike", "del"})
_OVERLAID = re.compile(
    "(?:[^\\s\u0335-\u0338][\u0335-\u0338]\\s*(?:\\s[\u0335-\u0338])?)+"
)
_CLOSES = {"<!--": "-->", "/*": "*/", "~": "~", "~~": "~~", "||": "||"}
_KINDS_OF = {"<!--": Aside.COMMENT, "/*": Aside.COMMENT, "||": Aside.SPOILER}


class _Stretch(NamedTuple):
    """A part of a text: `start` and `end` delimit it with its marks."""

    start: int
    end: int
    inner: int
    inner_end: int
    kind: Aside


class Strikes(NamedTuple):
    """A text with blanks for marks and comments, and what is in them by line.

    `comments` are texts with the columns where they stand, `struck` the columns and the
    kind of the rest.
    """

    text: str
    comments: Mapping[int, list[tuple[int, str]]]
    struck: Mapping[int, list[tuple[int, int, Aside]]]


def without_strikes(text: str) -> Strikes:
    """Read what is crossed out or hidden, in one pass over the text."""
    stretches = list(_stretches(text)) if _MAY_STRIKE.search(text) else []
    if not stretches:
        return Strikes(text, {}, {})
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    comments: dict[int, list[tuple[int, str]]] = {}
    struck: dict[int, list[tuple[int, int, Aside]]] = {}
    parts, done = [], 0
    for one in stretches:
        parts.append(text[done : one.start])
        parts.append(_blank(text[one.start : one.inner]))
        inner = text[one.inner : one.inner_end]
        is_comment = one.kind is Aside.COMMENT
        parts.append(_blank(inner) if is_comment else inner)
        parts.append(_blank(text[one.inner_end : one.end]))
        done = one.end
        number = bisect_right(starts, one.inner)
        column = one.inner - starts[number - 1]
        for at, line in enumerate(LINE_END.split(inner)):
            column = 0 if at else column
            if is_comment and line.strip():
                comments.setdefault(number + at, []).append((column, line))
            elif line.strip():
                end = column + len(line)
                struck.setdefault(number + at, []).append((column, end, one.kind))
    return Strikes("".join([*parts, text[done:]]), comments, struck)


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n\v\f\x85\u2028\u2029]", " ", text)


def _stretches(text: str) -> Iterator[_Stretch]:
    """What is crossed out or hidden, also by a stroke over each letter."""
    found = list(_between_marks(text))
    at = 0
    for match in _OVERLAID.finditer(text):
        while at < len(found) and found[at].start < match.end():
            yield found[at]
            at += 1
        if not at or found[at - 1].end <= match.start():
            start, end = match.span()
            yield _Stretch(start, end, start, end, Aside.STRUCK)
    yield from found[at:]


def _between_marks(text: str) -> Iterator[_Stretch]:
    opened: re.Match[str] | None = None
    closing, depth = "", 0
    for match in _MARKERS.finditer(text):
        name, is_end = _name(match)
        if opened is None:
            closing = _closing(match, name, is_end)
            opened, depth = (match, 1) if closing else (None, 0)
            continue
        between = text[opened.end() : match.start()]
        if closing in ("~", "~~") and ("\n" in match[0] or "\n" in between):
            is_tight = closing == "~~" and between[:1].strip() and match[0] == "~~"
            if not (is_tight and between[-1:].strip()):
                closing = _closing(match, name, is_end)
                opened = match if closing else None
                continue
        if name == closing and opened["tag"] and not is_end:
            depth += match[0][-2:] != "/>"
        elif name == closing and (is_end or not match["tag"]):
            depth -= 1
            if not depth and between.strip() and _is_pair(text, opened, match):
                yield _Stretch(
                    opened.start(), match.end(), opened.end(), match.start(),
                    _KINDS_OF.get(opened[0], Aside.STRUCK),
                )  # fmt: skip
            opened = opened if depth else None
    if opened is not None and opened[0] in ("<!--", "/*"):
        # Without its end it hides its own line, or all below if that is empty.
        end = LINE_END.search(text, opened.end())
        stop = end.start() if end else len(text)
        if not text[opened.end() : stop].strip():
            stop = len(text)
        yield _Stretch(opened.start(), stop, opened.end(), stop, Aside.COMMENT)


def _name(match: re.Match[str]) -> tuple[str, bool]:
    tag = match["tag"] or match["bb"]
    return (tag or match[0]).lower(), bool(match["end"] or match["bbend"])


def _closing(match: re.Match[str], name: str, is_end: bool) -> str:
    """What ends a stretch that begins here; empty where none begins."""
    if match["tag"]:
        hides = name in _STRUCK_TAGS or _HIDES.search(match["says"])
        return name if hides and not is_end and match[0][-2:] != "/>" else ""
    return name if match["bb"] and not is_end else _CLOSES.get(match[0], "")


def _is_pair(text: str, first: re.Match[str], last: re.Match[str]) -> bool:
    """Whether signs that may mean something else touch what they mark, and no more."""
    if first[0] not in ("~", "||"):
        return True
    outer = text[first.start() - 1 : first.start()] + text[last.end() : last.end() + 1]
    inner = text[first.end()] + text[last.start() - 1]
    is_table = first[0] == "||" and "|" in text[first.end() : last.start()]
    spaces = " \t" if first[0] == "||" else " \t\n"
    return not (is_table or any(map(str.isalnum, outer)) or set(inner) & set(spaces))
