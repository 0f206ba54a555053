"""Estimates, and weighted sums of mean scores whose dependence is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot, sqrt

from deckcheck.stats.intervals import Interval, mean_score, mean_score_interval
from deckcheck.stats.linear import is_above, linear_interval
from deckcheck.stats.sequences import anytime_score_interval


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


@dataclass(frozen=True, eq=False)
class Sample:
    """Observations of one score from 0 to 1; two samples are independent.

    `counts[i]` is how often it was `i / (len(counts) - 1)`, in `games` games; each
    counts as `worth` independent ones. `anytime` says that it was looked at before its
    end. A sample is equal to itself alone, whatever others have counted.
    """

    counts: tuple[float, ...]
    games: int
    worth: float = 1.0
    anytime: bool = False

    @cached_property
    def mean(self) -> float:
        """The mean score."""
        return mean_score(self.counts)

    @cached_property
    def worths(self) -> tuple[float, ...]:
        """The counts of independent observations."""
        return tuple(self.worth * count for count in self.counts)


@dataclass(frozen=True)
class Combination:
    """A constant and a weighted sum of the means of samples.

    What two combinations share is known by their samples, so that it cancels in their
    difference.
    """

    weights: Mapping[Sample, float] = field(default_factory=dict)
    constant: float = 0.0

    @classmethod
    def of(cls, sample: Sample) -> Combination:
        """The mean of one sample."""
        return cls({sample: 1.0})

    def __add__(self, other: Combination) -> Combination:
        weights = dict(self.weights)
        for sample, weight in other.weights.items():
            weights[sample] = weights.get(sample, 0.0) + weight
        kept = {s: weight for s, weight in weights.items() if weight}
        return Combination(kept, self.constant + other.constant)

    def __mul__(self, factor: float) -> Combination:
        weights = {sample: factor * weight for sample, weight in self.weights.items()}
        return Combination(weights, factor * self.constant)

    def __sub__(self, other: Combination) -> Combination:
        return self + other * -1

    def opposite(self) -> Combination:
        """The same rate seen from the other side: one less the sum."""
        return Combination(constant=1.0) - self

    @property
    def value(self) -> float:
        """The sum."""
        parts = (weight * sample.mean for sample, weight in self.weights.items())
        return self.constant + sum(parts)

    @property
    def games(self) -> int:
        """The games of all samples."""
        return sum(sample.games for sample in self.weights)

    def interval(self, level: float = 0.95) -> Interval:
        """The interval of the sum, see `linear_interval`.

        After looks it is that of `_anytime_interval`.
        """
        if not self.weights:
            return Interval(self.constant, self.constant)
        if any(sample.anytime for sample in self.weights):
            low, high = _anytime_interval(self.weights, level)
        else:
            counts = [sample.worths for sample in self.weights]
            low, high = linear_interval(list(self.weights.values()), counts, level)
        return Interval(self.constant + low, self.constant + high)

    def is_above(self, least: float, level: float = 0.95) -> bool:
        """Whether all of the interval lies above `least`; faster than its ends."""
        if not self.weights or any(sample.anytime for sample in self.weights):
            return self.interval(level).low > least
        counts = [sample.worths for sample in self.weights]
        weights = list(self.weights.values())
        return is_above(least - self.constant, weights, counts, level)

    def estimate(self, level: float = 0.95) -> Estimate:
        """The sum with its interval."""
        return Estimate(self.value, self.interval(level), self.games)


def mean_of(
    combinations: Sequence[Combination], weights: Sequence[float] | None = None
) -> Combination:
    """Return the mean of several, by `weights` or all the same.

    Weights are 0 or more and need not add up to 1; raises ValueError when none is
    positive.
    """
    given = [1.0] * len(combinations) if weights is None else weights
    if not combinations or min(given) < 0 or sum(given) <= 0:
        raise ValueError("the mean of no estimates")
    whole, constant = sum(given), 0.0
    summed: dict[Sample, float] = {}
    for combination, weight in zip(combinations, given, strict=True):
        if weight:
            part = weight / whole
            constant += part * combination.constant
            for sample, own in combination.weights.items():
                summed[sample] = summed.get(sample, 0.0) + part * own
    return Combination({s: own for s, own in summed.items() if own}, constant)


def difference(a: Combination, b: Combination) -> Combination:
    """Return by how much `a` exceeds `b`; what they share is cancelled."""
    return a - b


def correlated_difference(a: Estimate, b: Estimate, correlation: float) -> Estimate:
    """Return by how much `a` exceeds `b`, two estimates from the same games.

    The interval is put together from theirs: its reach to one side is that of the
    difference of two figures with this correlation, -1 to 1, whose deviations are their
    reaches to that side.

    Source: G. Y. Zou (2007), Toward using confidence intervals to compare correlations,
    Psychological Methods 12.
    """
    (a_low, a_high), (b_low, b_high) = a.interval, b.interval
    value = a.value - b.value
    below = _reach(a.value - a_low, b_high - b.value, correlation)
    above = _reach(a_high - a.value, b.value - b_low, correlation)
    return Estimate(value, Interval(value - below, value + above), a.games)


def _reach(own: float, other: float, correlation: float) -> float:
    return sqrt(max(0.0, own * own + other * other - 2 * correlation * own * other))


def _anytime_interval(weights: Mapping[Sample, float], level: float) -> Interval:
    """The interval of a sum of samples that were looked at.

    Samples of the same weight with as many observations count as rounds with one of
    each, whose interval is that of a single score. The reaches of others are squared
    and summed, which is no theorem where one looks often; the measured coverage
    is in docs/explanation/numbers.md.
    """
    value, below, above = 0.0, [], []
    for (size, _), alike in _alike(weights).items():
        rows = [s.worths if weights[s] > 0 else s.worths[::-1] for s in alike]
        counts = [sum(column) for column in zip(*rows, strict=True)]
        is_looked_at = any(sample.anytime for sample in alike)
        interval_of = anytime_score_interval if is_looked_at else mean_score_interval
        low, high = interval_of(counts, level)
        mean = mean_score(counts)
        below.append(size * len(alike) * (mean - low))
        above.append(size * len(alike) * (high - mean))
        value += sum(weights[sample] * sample.mean for sample in alike)
    return Interval(value - hypot(*below), value + hypot(*above))


def _alike(
    weights: Mapping[Sample, float],
) -> dict[tuple[float, float], list[Sample]]:
    """The samples by the sizes of their weights and their numbers of observations."""
    groups: dict[tuple[float, float], list[Sample]] = {}
    for sample, weight in weights.items():
        key = (round(abs(weight), 12), round(sum(sample.worths), 6))
        groups.setdefault(key, []).append(sample)
    return groups
