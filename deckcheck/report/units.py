"""Numbers as readers see them: rates in %, differences in points, counts."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.stats import Interval

UNKNOWN = "-"


@dataclass(frozen=True, slots=True)
class Unit:
    """How numbers read: `factor` times as large, with `digits` decimals and `suffix`.

    Of `signed` ones numbers above 0 have a plus; the ends of an interval never do.
    """

    factor: int = 1
    digits: int = 0
    signed: bool = False
    suffix: str = ""

    def number(self, value: float | None) -> str:
        """Return a number, or `-` where there is none."""
        if value is None:
            return UNKNOWN
        return (
            f"{self._rounded(value):{'+' * self.signed},.{self.digits}f}{self.suffix}"
        )

    def ends(self, interval: Interval | None, joint: str = " to ") -> str:
        """Return the ends of an interval, without the unit: `30.1 to 32.3`."""
        if interval is None:
            return UNKNOWN
        return joint.join(f"{self._rounded(end):,.{self.digits}f}" for end in interval)

    def _rounded(self, value: float) -> float:
        """As large as it is shown; never -0."""
        return round(self.factor * value, self.digits) + 0.0


COUNT = Unit()
CHANGE = Unit(signed=True)
MEAN = Unit(digits=2)
PERCENT = Unit(100, 1, suffix=" %")
IN_PERCENT = Unit(100, 1)
"""For columns and titles that say that their numbers are in %."""
POINTS = Unit(100, 1, signed=True)
"""Differences of rates, 100 times as large."""


def count(number: int) -> str:
    """Return a whole number with commas."""
    return COUNT.number(number)


def percent(rate: float | None) -> str:
    """Return a rate as `31.2 %`."""
    return PERCENT.number(rate)


def ranged(interval: Interval | None) -> str:
    """Return an interval of a rate, or of a difference, as `30.1 to 32.3`."""
    return PERCENT.ends(interval)


def points(difference: float) -> str:
    """Return a difference of rates in points, `+1.9`."""
    return POINTS.number(difference)
