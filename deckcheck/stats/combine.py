"""Estimates: a value with its interval, and the mean of several of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from deckcheck.stats.intervals import Interval

__all__ = ["Estimate", "difference", "mean_estimate"]


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


def mean_estimate(
    estimates: Sequence[Estimate], weights: Sequence[float] | None = None
) -> Estimate:
    """Return the mean of independent estimates, by `weights` or all the same.

    The interval is put together from theirs: its reach to one side is the root of the
    summed squares of their weighted reaches to that side. Weights are 0 or more and
    need not add up to 1; raises ValueError when none is positive.

    Source: G. Y. Zou and A. Donner (2008), Construction of confidence limits about
    effect measures: a general approach, Statistics in Medicine 27.
    """
    given = [1.0] * len(estimates) if weights is None else weights
    if not estimates or min(given) < 0 or sum(given) <= 0:
        raise ValueError("the mean of no estimates")
    parts = [weight / sum(given) for weight in given]
    pairs = list(zip(parts, estimates, strict=True))
    value = sum(part * e.value for part, e in pairs)
    below = hypot(*(part * (e.value - e.interval.low) for part, e in pairs))
    above = hypot(*(part * (e.interval.high - e.value) for part, e in pairs))
    return Estimate(
        value=value,
        interval=Interval(max(0.0, value - below), min(1.0, value + above)),
        games=sum(e.games for part, e in pairs if part),
    )


def difference(a: Estimate, b: Estimate) -> Estimate:
    """Return by how much `a` exceeds `b`, two independent estimates.

    The interval is put together from theirs, as in `mean_estimate`.
    """
    (a_low, a_high), (b_low, b_high) = a.interval, b.interval
    value = a.value - b.value
    below = hypot(a.value - a_low, b_high - b.value)
    above = hypot(a_high - a.value, b.value - b_low)
    return Estimate(value, Interval(value - below, value + above), a.games + b.games)
