"""The grammar of an expectation: `0.45 < win_rate(siege, swarm) < 0.55`.

expectation  =  [number side] figure "(" deck ["," deck] ")" [side number]
figure       =  win_rate or change
side         =  "<" or ">"
number       =  0.45 or 45%, of a change 2 points or -2 points
deck         =  a name, in quotes where it has a comma or a parenthesis; or *
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from deckcheck.findings.words import nearest, quote

WIN_RATE = "win_rate"
CHANGE = "change"
FIGURES = (WIN_RATE, CHANGE)
EXAMPLE = f"`{WIN_RATE}(siege, swarm) < 0.65`"
EXAMPLE_OF_CHANGE = f"`{CHANGE}(siege) < 2 points`"
TWO = 2

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:\s*(?:%|points?\b))?")
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
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Written:
    """An expectation as it is written; rates are from 0 to 1, changes from -1 to 1."""

    figure: str
    decks: tuple[Named, ...]
    low: float | None
    high: float | None


def read_expectation(text: str) -> Written:
    """Return what a text expects; raises Fault for what it does not say clearly."""
    reader = _Reader(text)
    limits = [reader.bound_before()]
    figure, decks = reader.rate()
    limits.append(reader.bound_behind())
    reader.end()
    bounds = [bound for bound in limits if bound is not None]
    if not bounds:
        raise Fault(f"Nothing is expected of it: write {EXAMPLE}", 0, len(text))
    for bound in bounds:
        _check_bound(bound, figure)
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
    return Written(figure, decks, low, high)


def _check_bound(bound: _Bound, figure: str) -> None:
    """Refuse a bound that the figure cannot have."""
    text, end = bound.text, bound.at + len(bound.text)
    if figure == CHANGE:
        if not -1 < bound.value < 1:
            message = f"A change lies between -100 and 100 points, not at {text}"
            raise Fault(f"{message}: write `2 points`", bound.at, end)
        return
    if "point" in text:
        message = f"{quote(WIN_RATE)} has no points: write {EXAMPLE}"
        raise Fault(f"{message}, or {EXAMPLE_OF_CHANGE}", bound.at, end)
    number = bound.value
    if not 0 < number < 1:
        help = (
            f": write `{number / 100:g}` or `{number:g}%`" if 1 < number < 100 else ""
        )
        message = f"A bound lies between 0 and 1, not at {text}{help}"
        raise Fault(message, bound.at, end)


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
        side = self._side()
        if side is None:
            raise self._unexpected("`<` or `>` behind the number")
        return _Bound(_value(match), side == "<", start, self._at, match, start)

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
        return _Bound(_value(match), side == ">", start, self._at, match, place)

    def rate(self) -> tuple[str, tuple[Named, ...]]:
        """`win_rate(siege, swarm)`: the figure, and the decks."""
        start = self._skip()
        word = self._match(_WORD)
        if word is None:
            raise self._unexpected(f"{quote(WIN_RATE)}, as in {EXAMPLE}")
        if word not in FIGURES:
            near = nearest(word, FIGURES)
            help = f"did you mean {quote(near[0])}?" if near else f"write {EXAMPLE}"
            raise Fault(f"Unknown figure {quote(word)}: {help}", start, self._at)
        self._need("(", f"`(` behind `{word}`")
        decks = [self._deck()]
        while self._has(","):
            decks.append(self._deck()._replace(is_first=False))
        if len(decks) > TWO:
            message = f"{quote(word)} has a deck and its opponent, not {len(decks)}"
            raise Fault(message, decks[TWO].start, decks[-1].end)
        self._need(")", "`)` or `,`")
        return word, tuple(decks)

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


def _value(text: str) -> float:
    """A number, as a part of 1: those in % and points are 100 times as large."""
    number, unit = re.fullmatch(r"([^%a-z]*)(%|points?)?", text).groups()  # type: ignore[union-attr]
    return float(number) / (100 if unit else 1)
