"""Text on a screen: colours, and the widths of columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO
from unicodedata import category, east_asian_width

from deckcheck.findings import Severity

# Colours, and when to use them.

_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}


@dataclass(frozen=True, slots=True)
class Style:
    """Paints words, or leaves them as they are when `color` is off."""

    color: bool

    def severity(self, severity: Severity, text: str) -> str:
        """`text` in the colour of how much a finding weighs."""
        return self._paint(_SEVERITY[severity], text)

    def strong(self, text: str) -> str:
        """Bold text: the message."""
        return self._paint("1", text)

    def frame(self, text: str) -> str:
        """The lines, arrows and numbers around source text."""
        return self._paint("34", text)

    def good(self, text: str) -> str:
        """What is as it should be."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """What is not as it should be, or goes."""
        return self._paint("31", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


PLAIN = Style(color=False)


def wants_color(choice: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to paint, by `--color`, then NO_COLOR, FORCE_COLOR, TERM, the stream."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()


# Widths of text on a screen, and ways to shorten it.

CUT = "…"


def width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def cut(text: str, room: int) -> str:
    """Return `text`, or as much of its beginning as fits into `room` columns."""
    if width(text) <= room:
        return text
    return _beginning(text, room - 1).rstrip() + CUT if room > 0 else ""


def cut_apart(texts: Iterable[str], room: int) -> dict[str, str]:
    """Return how to show each of the texts in `room` columns.

    They are cut at the end, and before it where their beginnings are the same:
    `The sw…anna.deck)`.
    """
    ends = {text: cut(text, room) for text in texts}
    alike = defaultdict(list)
    for text, end in ends.items():
        alike[end].append(text)
    return {
        text: _cut_before(text, _same_beginning(alike[end]), room)
        if len(alike[end]) > 1
        else end
        for text, end in ends.items()
    }


def wrap(text: str, room: int, lead: str = "") -> list[str]:
    """Return `text` in lines of `room` columns; the first begins with `lead`."""
    return wrap_words(text.split(), room, lead)


def wrap_words(words: Iterable[str], room: int, lead: str = "") -> list[str]:
    """Return `words`, which may hold spaces, in lines of `room` columns; see `wrap`."""
    indent = " " * width(lead)
    lines, begun = [lead], False
    for word in words:
        for piece in _pieces(word, room - len(indent)):
            joined = f"{lines[-1]} {piece}" if begun else lead + piece
            if begun and width(joined) > room:
                lines.append(indent + piece)
            else:
                lines[-1] = joined
            begun = True
    return lines


def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _same_beginning(texts: Sequence[str]) -> int:
    """How many characters all of the texts begin with alike."""
    first, last = min(texts), max(texts)  # whatever these share, those between do
    pairs = enumerate(zip(first, last, strict=False))
    return next((i for i, (a, b) in pairs if a != b), len(first))


def _cut_before(text: str, start: int, room: int) -> str:
    """The beginning of the text, and what follows `start`, or more if that is short."""
    if width(text) <= room:
        return text
    head = _beginning(text, room // 3).rstrip()
    left = room - width(head) - 1
    while start > len(head) and width(text[start - 1 :]) <= left:
        start -= 1
    return head + CUT + cut(text[start:].lstrip(), left)


def _pieces(word: str, room: int) -> Iterator[str]:
    """The word, in several pieces if it is wider than `room`."""
    while word:
        piece = _beginning(word, room) or word[0]
        yield piece
        word = word[len(piece) :]


def _beginning(text: str, room: int) -> str:
    taken = 0
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        taken += 1
    return text[:taken]
