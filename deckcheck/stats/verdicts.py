"""What an interval says of a difference: one of four words, and what it would take."""

from __future__ import annotations

from enum import StrEnum
from math import ceil, floor, log10

from deckcheck.stats.intervals import Interval

MOST = 10**9
"""More games than these would be no help: nobody plays as many."""


class Verdict(StrEnum):
    """What is known of a difference, by its interval and the margin."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    """It is surely smaller than the margin."""
    NOT_CLEAR = "not clear"

    @property
    def is_sure(self) -> bool:
        """Whether it is known which of the two is better."""
        return self in (Verdict.BETTER, Verdict.WORSE)

    @property
    def opposite(self) -> Verdict:
        """The same, seen from the other side."""
        turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
        return turned.get(self, self)


def verdict_of(interval: Interval, margin: float = 0.0, even: float = 0.0) -> Verdict:
    """The word for a value with this interval, compared with `even`.

    Where the value is one of several, or was chosen among them, the interval has to
    hold together with those of the others. `margin` is the difference that does not
    matter; a smaller one is still called better or worse where that is sure.
    """
    low, high = interval.low - even, interval.high - even
    if low > 0:
        return Verdict.BETTER
    if high < 0:
        return Verdict.WORSE
    is_small = -margin < low and high < margin
    return Verdict.EQUAL if is_small else Verdict.NOT_CLEAR


def agreed(first: Verdict, *others: Verdict) -> Verdict:
    """What the first of several trials says, unless another is sure of the opposite."""
    is_disputed = first.is_sure and first.opposite in others
    return Verdict.NOT_CLEAR if is_disputed else first


def games_needed(
    value: float, interval: Interval, games: int, margin: float = 0.0, even: float = 0.0
) -> int | None:
    """About how many games would make a value clear, if it stays what it is.

    `games` led to the interval, whose width falls with their root. That is two digits
    of the fewer of those that show the difference and those that show that it is
    smaller than the margin; None if no number would, or more than a billion.
    """
    lead = abs(value - even)
    low, high = interval
    inner, outer = (value - low, high - value)[:: 1 if value >= even else -1]
    ways = ((inner, lead), (outer, margin - lead))
    needed = [games * (reach / room) ** 2 for reach, room in ways if room > 0]
    if not needed or not 0 < min(needed) < MOST:
        return None
    step = int(10 ** max(0, floor(log10(min(needed))) - 1))
    return max(games, ceil(min(needed) / step) * step)
