"""Text on a screen: colours, and the widths of columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO
from unicodedata import category, east_asian_width

from deckcheck.findings import Severity

# Colours, and when to use them

_SEVERITY_CODES = {
    Severity.ERROR: "1;31",
    Severity.WARNING: "1;33",
    Severity.NOTE: "1;36",
}


@dataclass(frozen=True, slots=True)
class Style:
    """Paints words, or leaves them as they are when `color` is off."""

    color: bool

    def severity(self, severity: Severity, text: str) -> str:
        """Paint `text` in the colour of a severity."""
        return self._wrap_in_code(_SEVERITY_CODES[severity], text)

    def strong(self, text: str) -> str:
        """Paint the message: bold."""
        return self._wrap_in_code("1", text)

    def frame(self, text: str) -> str:
        """Paint the lines, arrows and numbers around source text."""
        return self._wrap_in_code("34", text)

    def good(self, text: str) -> str:
        """Paint good news."""
        return self._wrap_in_code("32", text)

    def bad(self, text: str) -> str:
        """Paint bad news, and removed lines."""
        return self._wrap_in_code("31", text)

    def _wrap_in_code(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


PLAIN = Style(color=False)


def wants_color(choice: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Decide on paint by `--color`, NO_COLOR, FORCE_COLOR, TERM and the stream."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()


# Widths of text on a screen, and ways to shorten it

CUT_MARK = "…"


def width(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    return sum(map(_measure_character, text))


def cut(text: str, room: int) -> str:
    """Return `text`, or as much of its beginning as fits into `room` columns."""
    if width(text) <= room:
        return text
    return _take_columns(text, room - 1).rstrip() + CUT_MARK if room > 0 else ""


def cut_apart(texts: Iterable[str], room: int) -> dict[str, str]:
    """Return how to show each of the texts in `room` columns.

    They are cut at the end, and before it where their beginnings are the same:
    `The sw…anna.deck)`.
    """
    ends = {text: cut(text, room) for text in texts}
    alike = defaultdict(list)
    for text, end in ends.items():
        alike[end].append(text)
    for text, end in ends.items():
        if len(alike[end]) > 1:
            ends[text] = _cut_before(text, _count_common(alike[end]), room)
    return ends


def wrap(text: str, room: int, lead: str = "") -> list[str]:
    """Return `text` in lines of `room` columns; the first begins with `lead`."""
    return wrap_words(text.split(), room, lead)


def wrap_words(words: Iterable[str], room: int, lead: str = "") -> list[str]:
    """Return `words`, which may hold spaces, in lines of `room` columns; see `wrap`."""
    indent = " " * width(lead)
    lines = [lead]
    begun = False
    for word in words:
        for piece in _split_word(word, room - len(indent)):
            joined = f"{lines[-1]} {piece}" if begun else lead + piece
            if begun and width(joined) > room:
                lines.append(indent + piece)
            else:
                lines[-1] = joined
            begun = True
    return lines


def _measure_character(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _count_common(texts: Sequence[str]) -> int:
    """Count the characters with which all texts begin."""
    # Texts between the first and the last in order share what these share.
    first, last = min(texts), max(texts)
    common = 0
    while common < len(first) and first[common] == last[common]:
        common += 1
    return common


def _cut_before(text: str, start: int, room: int) -> str:
    """Return the beginning of a text, and its characters from `start` on.

    More characters stay where there is room.
    """
    if width(text) <= room:
        return text
    head = _take_columns(text, room // 3).rstrip()
    room_left = room - width(head) - 1
    while start > len(head) and width(text[start - 1 :]) <= room_left:
        start -= 1
    return head + CUT_MARK + cut(text[start:].lstrip(), room_left)


def _split_word(word: str, room: int) -> Iterator[str]:
    """Split a word into pieces that are not wider than `room`."""
    while word:
        piece = _take_columns(word, room) or word[0]
        yield piece
        word = word[len(piece) :]


def _take_columns(text: str, room: int) -> str:
    """Return as much of the beginning of a text as fits."""
    taken = 0
    for character in text:
        room -= _measure_character(character)
        if room < 0:
            break
        taken += 1
    return text[:taken]
