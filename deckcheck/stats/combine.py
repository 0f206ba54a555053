"""Estimates: a value with its interval, and the mean of several of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from deckcheck.stats.intervals import Interval

__all__ = ["Estimate", "mean_estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value, its 95 % interval, and how many games it rests on."""

    value: float
    interval: Interval
    games: int

    def opposite(self) -> Estimate:
        """The same rate seen from the other side: one less the value."""
        low, high = self.interval
        return Estimate(1 - self.value, Interval(1 - high, 1 - low), self.games)


def mean_estimate(estimates: Sequence[Estimate]) -> Estimate:
    """Return the plain mean of independent estimates, each with the same weight.

    The interval is put together from theirs: its reach to one side is the root of the
    summed squares of their reaches to that side, divided by their number.

    Source: G. Y. Zou and A. Donner (2008), Construction of confidence limits about
    effect measures: a general approach, Statistics in Medicine 27.
    """
    if not estimates:
        raise ValueError("the mean of no estimates")
    count = len(estimates)
    value = sum(e.value for e in estimates) / count
    below = hypot(*(e.value - e.interval.low for e in estimates)) / count
    above = hypot(*(e.interval.high - e.value for e in estimates)) / count
    return Estimate(
        value=value,
        interval=Interval(max(0.0, value - below), min(1.0, value + above)),
        games=sum(e.games for e in estimates),
    )
