"""The grammar of an expectation: `0.45 < win_rate(siege, swarm) < 0.55`.

expectation  =  [number side] win_rate "(" deck ["," deck] ")" [side number]
side         =  "<" or ">"
number       =  0.45 or 45%
deck         =  a name, in quotes where it has a comma or a parenthesis; or *
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from deckcheck.findings.words import nearest, quote

WIN_RATE = "win_rate"
EXAMPLE = f"`{WIN_RATE}(siege, swarm) < 0.65`"
TWO = 2

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:\s*%)?")
_SIDE = re.compile(r"<=|>=|==|!=|=|<|>|≤|≥")
_WORD = re.compile(r"[^\W\d][\w-]*")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_BARE = re.compile(r"[^,()<>\"]*")


class Fault(Exception):
    """What is wrong with an expectation, and the stretch of its text that is meant."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


class Named(NamedTuple):
    """The name of a deck and where it stands: first, or as the opponent."""

    name: str
    start: int
    end: int
    is_first: bool = True


class _Bound(NamedTuple):
    """A number, and whether what is expected lies above it."""

    value: float
    is_low: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Written:
    """An expectation as it is written; rates are from 0 to 1."""

    decks: tuple[Named, ...]
    low: float | None
    high: float | None


def read_expectation(text: str) -> Written:
    """Return what a text expects; raises Fault for what it does not say clearly."""
    reader = _Reader(text)
    limits = [reader.bound_before()]
    decks = reader.rate()
    limits.append(reader.bound_behind())
    reader.end()
    bounds = [bound for bound in limits if bound is not None]
    if not bounds:
        raise Fault(f"Nothing is expected of it: write {EXAMPLE}", 0, len(text))
    lows = [bound for bound in bounds if bound.is_low]
    highs = [bound for bound in bounds if not bound.is_low]
    start, end = bounds[0].start, bounds[-1].end
    if max(len(lows), len(highs)) > 1:
        message = "Both bounds are on one side: write `0.45 < win_rate(...) < 0.55`"
        raise Fault(message, start, end)
    low = lows[0].value if lows else None
    high = highs[0].value if highs else None
    if low is not None and high is not None and low >= high:
        raise Fault(f"No rate lies between {low:g} and {high:g}", start, end)
    return Written(decks, low, high)


class _Reader:
    """Goes through the text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def bound_before(self) -> _Bound | None:
        """`0.45 <` or `0.55 >`, if it begins so."""
        start = self._skip()
        match = self._match(_NUMBER)
        if match is None:
            return None
        value = self._value(match, start)
        side = self._side()
        if side is None:
            raise self._unexpected("`<` or `>` behind the number")
        return _Bound(value, side == "<", start, self._at)

    def bound_behind(self) -> _Bound | None:
        """`< 0.55` or `> 0.45`, if it goes on so."""
        start = self._skip()
        side = self._side()
        if side is None:
            return None
        place = self._skip()
        match = self._match(_NUMBER)
        if match is None:
            raise self._unexpected(f"a number behind `{side}`, such as `0.65` or `65%`")
        return _Bound(self._value(match, place), side == ">", start, self._at)

    def rate(self) -> tuple[Named, ...]:
        """`win_rate(siege, swarm)`."""
        start = self._skip()
        word = self._match(_WORD)
        if word is None:
            raise self._unexpected(f"{quote(WIN_RATE)}, as in {EXAMPLE}")
        if word != WIN_RATE:
            near = nearest(word, [WIN_RATE])
            help = f"did you mean {quote(near[0])}?" if near else f"write {EXAMPLE}"
            raise Fault(f"Unknown figure {quote(word)}: {help}", start, self._at)
        self._need("(", f"`(` behind `{WIN_RATE}`")
        decks = [self._deck()]
        while self._has(","):
            decks.append(self._deck()._replace(is_first=False))
        if len(decks) > TWO:
            message = f"{quote(WIN_RATE)} has a deck and its opponent, not {len(decks)}"
            raise Fault(message, decks[TWO].start, decks[-1].end)
        self._need(")", "`)` or `,`")
        return tuple(decks)

    def end(self) -> None:
        """Nothing may follow."""
        self._skip()
        if self._at < len(self._text):
            raise self._unexpected("the end")

    def _deck(self) -> Named:
        start = self._skip()
        quoted = _QUOTED.match(self._text, start)
        if quoted is not None:
            self._at = quoted.end()
            return Named(quoted[1] or quoted[2] or "", start, self._at)
        name = (self._match(_BARE) or "").rstrip()
        self._at = start + len(name)
        if not name:
            raise self._unexpected("the name of a deck")
        return Named(name, start, self._at)

    def _value(self, text: str, start: int) -> float:
        number = float(text.rstrip("% \t\n"))
        value = number / 100 if text.endswith("%") else number
        if 0 < value < 1:
            return value
        help = (
            f": write `{number / 100:g}` or `{number:g}%`" if 1 < number < 100 else ""
        )
        message = f"A bound lies between 0 and 1, not at {text}{help}"
        raise Fault(message, start, start + len(text))

    def _side(self) -> str | None:
        start = self._skip()
        side = self._match(_SIDE)
        if side is None or side in "<>":
            return side
        instead = "<` or `>" if "<" not in side and ">" not in side else side[0]
        instead = {"≤": "<", "≥": ">"}.get(side, instead)
        message = f"Unknown comparison {quote(side)}: write `{instead}`"
        raise Fault(message, start, self._at)

    def _skip(self) -> int:
        self._match(_SPACE)
        return self._at

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return match[0]

    def _has(self, mark: str) -> bool:
        self._skip()
        is_there = self._text.startswith(mark, self._at)
        self._at += is_there
        return is_there

    def _need(self, mark: str, expected: str) -> None:
        if not self._has(mark):
            raise self._unexpected(expected)

    def _unexpected(self, expected: str) -> Fault:
        rest = self._text[self._at :]
        next_word = quote(rest.split()[0]) if rest.strip() else "the end"
        end = self._at + max(1, len(rest.split()[0]) if rest.strip() else 1)
        return Fault(f"Expected {expected}, got {next_word}", self._at, end)
