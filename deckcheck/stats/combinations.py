"""Estimates, and weighted sums of mean scores that may share their games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations as choose_pairs
from math import hypot, nan, sqrt
from typing import TypeAlias

import numpy as np

from deckcheck.stats.intervals import (
    DEFAULT_LEVEL,
    Interval,
    bounded_interval,
    mean_score,
    mean_score_interval,
    normal_quantile,
)
from deckcheck.stats.sequential import anytime_score_interval
from deckcheck.stats.weighted_sums import (
    Floats,
    Ints,
    PositiveScores,
    is_sum_above,
    linear_interval,
)

_SEVERAL_OBSERVATIONS = 2
"""Fewest observations of a sample that are not a single one."""
_BOUND_MULTIPLIERS = 24
"""How many multipliers the bounds of differences are computed for."""
_ROUNDING_ERROR = 1e-7


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value with its interval."""

    value: float
    interval: Interval
    games: int
    """The number of games behind it."""

    def opposite(self) -> Estimate:
        """Return the rate from the opponent's side: 1 less the value."""
        low, high = self.interval
        return Estimate(1 - self.value, Interval(1 - high, 1 - low), self.games)


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """Observations of a score from 0 to 1, independent of all other samples.

    A sample is equal to itself alone, even if another has the same counts.
    """

    counts: tuple[float, ...]
    """How often the score was `i / (len(counts) - 1)`."""
    games: int
    """The number of games."""
    worth: float = 1.0
    """The number of independent observations that each counts for."""
    anytime: bool = False
    """Whether it was looked at before its end."""

    @property
    def mean(self) -> float:
        """The mean score."""
        return mean_score(self.counts)

    @property
    def effective_counts(self) -> tuple[float, ...]:
        """The counts of independent observations."""
        if self.worth == 1.0:  # as of nearly all samples: no memory for a copy
            return self.counts
        return tuple(self.worth * count for count in self.counts)


@dataclass(frozen=True, slots=True)
class Combination:
    """A constant and a weighted sum of the means of samples.

    Samples that two combinations share cancel in their difference.
    """

    weights: Mapping[Sample, float] = field(default_factory=dict)
    constant: float = 0.0

    @classmethod
    def of(cls, sample: Sample) -> Combination:
        """Return the mean of a sample."""
        return cls({sample: 1.0})

    def __add__(self, other: Combination) -> Combination:
        weights = dict(self.weights)
        for sample, weight in other.weights.items():
            weights[sample] = weights.get(sample, 0.0) + weight
        weights = {s: weight for s, weight in weights.items() if weight}
        return Combination(weights, self.constant + other.constant)

    def __mul__(self, factor: float) -> Combination:
        weights = {sample: factor * weight for sample, weight in self.weights.items()}
        return Combination(weights, factor * self.constant)

    def __sub__(self, other: Combination) -> Combination:
        return self + other * -1

    def opposite(self) -> Combination:
        """Return the rate from the opponent's side: 1 less the sum."""
        weights = {sample: -weight for sample, weight in self.weights.items()}
        return Combination(weights, 1.0 - self.constant)

    @property
    def value(self) -> float:
        """The sum."""
        parts = (weight * sample.mean for sample, weight in self.weights.items())
        return self.constant + sum(parts)

    @property
    def games(self) -> int:
        """The games of all samples."""
        return sum(sample.games for sample in self.weights)

    def interval(self, level: float = DEFAULT_LEVEL) -> Interval:
        """Return the interval of the sum, see `linear_interval`.

        After looks it is the interval of `_anytime_interval`.
        """
        if not self.weights:
            return Interval(self.constant, self.constant)
        if any(sample.anytime for sample in self.weights):
            low, high = _anytime_interval(self.weights, level)
        else:
            counts = [sample.effective_counts for sample in self.weights]
            low, high = linear_interval(list(self.weights.values()), counts, level)
        return Interval(self.constant + low, self.constant + high)

    def is_above(self, least: float, level: float = DEFAULT_LEVEL) -> bool:
        """Report whether all of the interval is above `least`, without finding it."""
        if not self.weights or any(sample.anytime for sample in self.weights):
            return self.interval(level).low > least
        counts = [sample.effective_counts for sample in self.weights]
        weights = list(self.weights.values())
        return is_sum_above(least - self.constant, weights, counts, level)

    def estimate(self, level: float = DEFAULT_LEVEL) -> Estimate:
        """Return the sum with its interval."""
        return Estimate(self.value, self.interval(level), self.games)


def average(
    combinations: Sequence[Combination], weights: Sequence[float] | None = None
) -> Combination:
    """Return the mean of combinations, by default with equal weights.

    Weights are 0 or more and need not add up to 1. Raises ValueError if none is
    positive.
    """
    if weights is None:
        weights = [1.0] * len(combinations)
    if not combinations or min(weights) < 0 or sum(weights) <= 0:
        raise ValueError("the mean of no estimates")
    total = sum(weights)
    constant = 0.0
    summed: dict[Sample, float] = {}
    for combination, weight in zip(combinations, weights, strict=True):
        if weight:
            share = weight / total
            constant += share * combination.constant
            for sample, sample_weight in combination.weights.items():
                summed[sample] = summed.get(sample, 0.0) + share * sample_weight
    return Combination({s: weight for s, weight in summed.items() if weight}, constant)


def difference(a: Combination, b: Combination) -> Combination:
    """Return by how much `a` exceeds `b`. Samples that they share cancel."""
    return a - b


def exceeded_later(
    sums: Sequence[Combination], level: float
) -> Iterator[tuple[int, int]]:
    """Yield the indices of pairs of sums of which the first clearly exceeds the second.

    The second comes later in `sums`. For such a pair `difference` `is_above` 0. Bounds
    settle most pairs of many, so that the work grows little faster than the number of
    pairs.
    """
    pairs = list(choose_pairs(range(len(sums)), 2))
    shared = _count_shared(sums)
    verdicts: list[bool | None] = [None] * len(pairs)
    if shared is not None:
        verdicts = _settle_pairs(sums, shared, level)
    for (a, b), verdict in zip(pairs, verdicts, strict=True):
        exceeds = verdict
        if exceeds is None:
            exceeds = difference(sums[a], sums[b]).is_above(0.0, level)
        if exceeds:
            yield a, b


def _count_shared(sums: Sequence[Combination]) -> Floats | None:
    """Return how many samples each pair of sums shares, and their observations.

    None where bounds would not hold. They need samples that all have the same absolute
    weight. A sample has to be in a single sum, or in two sums of opposite sides.
    """
    shared = np.zeros((2, len(sums), len(sums)))
    sizes = set()
    first: dict[Sample, tuple[int, float]] = {}
    for owner, combination in enumerate(sums):
        for sample, weight in combination.weights.items():
            sizes.add(abs(weight))
            if len(sizes) > 1 or sample.anytime:
                return None
            other, opposite = first.setdefault(sample, (owner, -weight))
            if other != owner:
                if weight != opposite:
                    return None
                shared[:, other, owner] += 1, sum(sample.effective_counts)
                # NaN is never the weight of a third sum.
                first[sample] = (other, nan)
    return shared


def _settle_pairs(
    sums: Sequence[Combination], shared: Floats, level: float
) -> list[bool | None]:
    """Return whether the first of each pair clearly exceeds the second, None if open.

    The first exceeds the second if the fall of their difference, at the multiplier that
    belongs to the level, is less than the difference itself.
    """
    rivals = _Rivals(sums)
    a, b = np.triu_indices(len(sums), 1)
    distance = rivals.values[a] - rivals.values[b]
    is_ahead = distance > 0
    squared = normal_quantile(level) ** 2
    multipliers = squared / np.where(is_ahead, distance, nan)
    find_bounds = rivals.pool_falls if rivals.are_single else rivals.bound_falls
    if not is_ahead.any() or not (rivals.are_single or rivals.are_several):
        return [None if ahead else False for ahead in is_ahead]
    least, most = find_bounds(a, b, shared[:, a, b], multipliers)
    exceeds = most < distance - _ROUNDING_ERROR
    is_open = is_ahead & ~exceeds & (least < distance + _ROUNDING_ERROR)
    pairs = zip(exceeds.tolist(), is_open.tolist(), strict=True)
    return [None if unknown else known for known, unknown in pairs]


_Bounds: TypeAlias = tuple[Floats, Floats]


class _Rivals:
    """Sums of samples that all have the weight `size`, for bounds of differences.

    A sum falls if its scores become less likely values below the observed values, see
    `PositiveScores`, and rises in the opposite direction. `a` and `b` are the indices
    of both sums of each pair.
    """

    def __init__(self, sums: Sequence[Combination]) -> None:
        self._owners: list[int] = []
        falling = []
        for owner, combination in enumerate(sums):
            for sample, weight in combination.weights.items():
                counts = sample.effective_counts
                self._owners.append(owner)
                falling.append(counts if weight > 0 else counts[::-1])
                self.size = abs(weight)
        rising = [counts[::-1] for counts in falling]
        # Samples with the same counts fall by the same amount.
        index = {c: i for i, c in enumerate(dict.fromkeys(falling + rising))}
        self._falling = [index[counts] for counts in falling]
        self._rising = [index[counts] for counts in rising]
        self._scores = PositiveScores([self.size] * len(index), list(index))
        self.values = np.array([combination.value for combination in sums])
        self._samples = np.bincount(self._owners)
        observations = self._scores.observations
        self._observed = self._sum_samples(observations, self._falling)
        self.are_several = observations.min() >= _SEVERAL_OBSERVATIONS
        has_one_length = len({len(counts) for counts in index}) == 1
        is_one = observations.min() == observations.max() == 1
        self.are_single = has_one_length and is_one

    def bound_falls(self, a: Ints, b: Ints, shared: Floats, bounds: Floats) -> _Bounds:
        """Return bounds of the fall of each difference, by the nearest multipliers.

        `F_a(m)` is the fall of the first sum at the multiplier `m`, `R_b(m)` the rise
        of the second. Both grow with `m`. Samples that both sums share have twice their
        weight in the difference, and their scores fall by 1 at most. So for
        `low <= m <= high`

            F_a(low) + R_b(low) <= fall(m)
            fall(m) <= F_a(high) + R_b(high) + 2 * size * shared_samples
        """
        shared_samples, shared_observations = shared
        total = self._observed[a] + self._observed[b] - shared_observations
        samples = self._samples[a] + self._samples[b] - shared_samples
        freedom = (total - 1) / (total - samples)
        multipliers = freedom * bounds
        grid = np.nanquantile(multipliers, np.linspace(0, 1, _BOUND_MULTIPLIERS))
        falls, rises = self._find_falls_and_rises(grid)
        # Without its ends the largest multiplier is in the last part as well.
        low = np.searchsorted(grid[1:-1], multipliers, "right")
        high = low + 1
        least = falls[low, a] + rises[low, b]
        most = falls[high, a] + rises[high, b] + 2 * self.size * shared_samples
        return least, most

    def pool_falls(self, a: Ints, b: Ints, shared: Floats, bounds: Floats) -> _Bounds:
        """Return the fall itself twice, with all observations pooled, see `pool`."""
        won = np.zeros((len(self.values), self._scores.counts.shape[1]))
        np.add.at(won, self._owners, self._scores.counts[self._falling])
        samples = self._samples[a] + self._samples[b]
        worth = samples / (samples + 2 * shared[0])
        pooled = worth[:, None] * (won[a] + won[b, ::-1])
        scores = PositiveScores((self.size * samples).tolist(), pooled.tolist())
        # Pairs whose first is not ahead have no multiplier.
        multipliers = np.nan_to_num(bounds, nan=1.0)
        fall = scores.weights * scores.lower_scores(multipliers)
        return fall, fall

    def _find_falls_and_rises(self, multipliers: Floats) -> tuple[Floats, Floats]:
        """Return the fall and the rise of each sum at each of the multipliers."""
        falls = []
        rises = []
        for multiplier in multipliers:
            by_counts = self.size * self._scores.lower_scores(multiplier)
            falls.append(self._sum_samples(by_counts, self._falling))
            rises.append(self._sum_samples(by_counts, self._rising))
        return np.array(falls), np.array(rises)

    def _sum_samples(self, values: Floats, indices: Sequence[int]) -> Floats:
        """Return for each sum the values of its samples, added up."""
        return np.bincount(self._owners, values[indices]).astype(np.float64)


def correlated_difference(a: Estimate, b: Estimate, correlation: float) -> Estimate:
    """Return by how much `a` exceeds `b`, two estimates from the same games.

    Each reach of the interval is the deviation of the difference of two figures with
    this correlation, -1 to 1. The deviations of these figures are the reaches of `a`
    and `b` to the same side of the difference.

    Source: G. Y. Zou (2007), Toward using confidence intervals to compare correlations,
    Psychological Methods 12.
    """
    (a_low, a_high), (b_low, b_high) = a.interval, b.interval
    value = a.value - b.value
    below = _combine_reaches(a.value - a_low, b_high - b.value, correlation)
    above = _combine_reaches(a_high - a.value, b.value - b_low, correlation)
    return Estimate(value, Interval(value - below, value + above), a.games)


def _combine_reaches(a: float, b: float, correlation: float) -> float:
    """Return the deviation of the difference of two figures, by their deviations."""
    return sqrt(max(0.0, a * a + b * b - 2 * correlation * a * b))


def _anytime_interval(weights: Mapping[Sample, float], level: float) -> Interval:
    """Return the interval of a sum of samples that were looked at.

    Samples of the same weight and number of observations count as rounds, with the
    interval of a single score. The reaches of other samples are squared and summed. No
    theorem covers many looks, but docs/explanation/numbers.md has the measured
    coverage.
    """
    value = 0.0
    below = []
    above = []
    for (size, _), alike in _group_samples(weights).items():
        rows = []
        for sample in alike:
            counts_up = sample.effective_counts
            rows.append(counts_up if weights[sample] > 0 else counts_up[::-1])
        counts = [sum(column) for column in zip(*rows, strict=True)]
        is_looked_at = any(sample.anytime for sample in alike)
        find_interval = anytime_score_interval if is_looked_at else mean_score_interval
        low, high = find_interval(counts, level)
        mean = mean_score(counts)
        below.append(size * len(alike) * (mean - low))
        above.append(size * len(alike) * (high - mean))
        value += sum(weights[sample] * sample.mean for sample in alike)
    return Interval(value - hypot(*below), value + hypot(*above))


def _group_samples(
    weights: Mapping[Sample, float],
) -> dict[tuple[float, float], list[Sample]]:
    """Group the samples by the sizes of their weights and numbers of observations."""
    groups: dict[tuple[float, float], list[Sample]] = {}
    for sample, weight in weights.items():
        key = (round(abs(weight), 12), round(sum(sample.effective_counts), 6))
        groups.setdefault(key, []).append(sample)
    return groups


# Differences between runs that had the same shuffles, by sums over groups


@dataclass(frozen=True, slots=True)
class GroupedDifference:
    """The difference of a mean score between two runs, paired by groups."""

    value: float
    """The difference of the means over `count` observations, -1 to 1."""
    variance: float
    """The variance of the value."""
    count: int
    """The number of observations of each run."""
    freedom: int
    """The degrees of freedom of the variance."""

    def opposite(self) -> GroupedDifference:
        """Return the difference from the other side of the table."""
        return GroupedDifference(-self.value, self.variance, self.count, self.freedom)

    def estimate(self, level: float, games: int) -> Estimate:
        """Return the difference with its interval."""
        ends = bounded_interval(
            self.value,
            self.variance * self.count,
            self.count,
            self.freedom,
            level=level,
        )
        return Estimate(self.value, ends, games)


def grouped_difference(
    before: Sequence[int], after: Sequence[int], count: int, most: int
) -> GroupedDifference:
    """Return the difference of the mean scores of two runs of `count` observations.

    Observation i of both had the same shuffles, and its score, 0 to `most`, was added
    to group `i % len(before)`. Groups are independent and of nearly the same size, so
    their variation gives the variance of the sum, however strongly the two runs are
    correlated. This is the method of random groups.

    Source: K. M. Wolter (2007), Introduction to variance estimation, chapter 2.
    """
    groups = min(count, len(before))
    total = sum(after) - sum(before)
    mean = total / count
    squares = 0.0
    for group in range(groups):
        size = (count - group - 1) // len(before) + 1
        squares += (after[group] - before[group] - size * mean) ** 2
    variance = squares * groups / max(1, groups - 1) / count**2
    return GroupedDifference(mean / most, variance / most**2, count, groups - 1)


def average_grouped(parts: Sequence[GroupedDifference]) -> GroupedDifference:
    """Return the mean of independent differences."""
    return GroupedDifference(
        value=sum(part.value for part in parts) / len(parts),
        variance=sum(part.variance for part in parts) / len(parts) ** 2,
        count=sum(part.count for part in parts),
        freedom=sum(part.freedom for part in parts),
    )
