"""Intervals of weighted sums of scores, of paired runs, and of explained variance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp, hypot, inf, log, nan, sqrt
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import (
    DEFAULT_LEVEL,
    Interval,
    bounded_interval,
    mean_score,
    mean_score_interval,
)
from deckcheck.stats.sequential import anytime_score_interval

# The interval of a weighted sum of mean scores, each from observations of its own

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_MAX_STEPS = 60
_RELATIVE_PRECISION = 1e-9
_SEVERAL_OBSERVATIONS = 2
_BOUND_MULTIPLIERS = 24
_ROUNDING_ERROR = 1e-7


def linear_interval(
    weights: Sequence[float],
    counts: Sequence[Sequence[float]],
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Return the score interval for a weighted sum of mean scores.

    `counts[k][i]` is how often score `k` was `i / (len(counts[k]) - 1)`. Scores are
    independent of each other, weights may be negative. The interval holds every sum
    that the score test does not reject: `(s - mu)^2 <= z^2 v(mu)`, where `v(mu)` is the
    variance under the most likely distributions with the sum `mu`, all of them fitted
    together. For a single score it is `mean_score_interval`.

    So the reaches keep their skewness, and scores without variation contribute to the
    upper reach: the likeliest path to a larger sum changes the scores with most weight.
    As the means are fitted, a variance has `N - K` degrees of freedom for `N`
    observations of `K` scores.

    Source: O. S. Miettinen and M. Nurminen (1985), Comparative analysis of two rates,
    Statistics in Medicine 4, for strata. A. Agresti and E. Ryu (2010), Pseudo-score
    confidence intervals for parameters in discrete statistical models, Biometrika 97.
    """
    constant, sizes, turned = _make_positive(weights, counts)
    if not sizes:
        return Interval(0.0, 0.0)
    if any(sum(scores) == 0 for scores in turned):
        return Interval(constant, constant + sum(sizes))
    # A single score needs no `_Scores`, which take a while to make.
    scores = _Scores(sizes, turned) if len(turned) > 1 else None
    if scores is None or scores.are_single:
        pooled = turned[0] if scores is None else scores.pool()
        low, high = mean_score_interval(pooled, level)
        size = sum(sizes)
        return Interval(constant + size * low, constant + size * high)
    z = NormalDist().inv_cdf((1 + level) / 2)
    below = scores.reach(z)
    above = _Scores(sizes, [each[::-1] for each in turned]).reach(z)
    pairs = zip(sizes, turned, strict=True)
    value = constant + sum(size * mean_score(each) for size, each in pairs)
    return Interval(value - below, value + above)


def is_above(
    least: float,
    weights: Sequence[float],
    counts: Sequence[Sequence[float]],
    level: float = DEFAULT_LEVEL,
) -> bool:
    """Report whether all of `linear_interval` is above `least`, ten times as fast."""
    constant, sizes, turned = _make_positive(weights, counts)
    scores = _Scores(sizes, turned) if len(turned) > 1 else None
    if scores is None or not scores.each.all():
        return linear_interval(weights, counts, level).low > least
    if scores.are_single:
        pooled = mean_score_interval(scores.pool(), level)
        return constant + float(scores.sizes.sum()) * pooled.low > least
    distance = constant + float(scores.sizes @ scores.means) - least
    if distance <= 0 or not scores.means.any():
        return distance > 0
    # The product of a multiplier and its distance rises with the multiplier. If it is
    # too small at this multiplier, the reach is less than the distance.
    z = NormalDist().inv_cdf((1 + level) / 2)
    return scores.below(z * z * scores.freedom / distance) < distance


def _make_positive(
    weights: Sequence[float], counts: Sequence[Sequence[float]]
) -> tuple[float, list[float], list[Sequence[float]]]:
    """Rewrite the sum as a constant and positive weights.

    A score with a negative weight becomes 1 less its opposite with a positive weight.
    """
    positive = [pair for pair in zip(weights, counts, strict=True) if pair[0]]
    constant = sum(weight for weight, _ in positive if weight < 0)
    sizes = [abs(weight) for weight, _ in positive]
    turned = [scores if weight > 0 else scores[::-1] for weight, scores in positive]
    return constant, sizes, turned


class _Scores:
    """Scores with positive weights, and how far down their sum may be."""

    def __init__(
        self, sizes: Sequence[float], counts: Sequence[Sequence[float]]
    ) -> None:
        self.sizes = np.array(sizes)
        lengths = np.array([len(scores) for scores in counts])
        cells = int(lengths.max())
        self.counts = np.zeros((len(counts), cells))
        if lengths.min() == cells:
            self.counts[:] = counts
        else:
            for row, scores in zip(self.counts, counts, strict=True):
                row[: len(scores)] = scores
        steps = np.arange(cells) / (lengths - 1)[:, None]
        self.scores = np.where(steps <= 1, steps, 1.0)
        self.each = self.counts.sum(axis=1)
        self.means = (self.counts * self.scores).sum(axis=1) / self.each
        squares = (self.counts * self.scores**2).sum(axis=1) / self.each
        self.spreads = np.maximum(squares - self.means**2, 0.0)
        total = float(self.each.sum())
        self.are_single = total <= len(counts)
        if not self.are_single:
            self.freedom = (total - 1) / (total - len(counts))
        # The largest multiplier at which the score of 0 needs no weight of its own.
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(self.counts > 0, self.counts / self.scores, 0.0)
        self.largest = parts.sum(axis=1)

    def pool(self) -> list[float]:
        """Pool the observations of scores that have a single observation each.

        Observations are worth fewer where weights differ (L. Kish, 1965, Survey
        Sampling). The differences of scores count as chance, which errs on the side of
        caution.
        """
        total, cells = self.sizes.sum(), self.counts.shape[1] - 1
        worth = total**2 / (self.sizes**2 / self.each).sum()
        parts = (worth * self.sizes / total / self.each)[:, None] * self.counts
        # The index of a score in the longest list, or the next lower index.
        places = np.floor(self.scores * cells + _RELATIVE_PRECISION).astype(np.intp)
        shares = np.bincount(places.ravel(), parts.ravel(), cells + 1)
        pooled: list[float] = shares.tolist()
        return pooled

    def reach(self, z: float) -> float:
        """Return how far below its value the sum may be."""
        if not self.means.any():
            return 0.0
        bound = z * z * self.freedom
        variance = float(self.sizes**2 @ (self.spreads / self.each))
        start = log(bound / variance) / 2 if variance > 0 else 0.0
        return _find_distance(self.below, start, bound)

    def below(self, multiplier: float) -> float:
        """Return how far the sum falls if a smaller sum is rewarded by `multiplier`."""
        return float(self.sizes @ self.falls(multiplier))

    def falls(self, multiplier: float | Floats) -> Floats:
        """Return how far each score falls if a smaller sum is rewarded by `multiplier`.

        The most likely distributions with that sum have `p_i` in proportion to
        `counts[i] / (eta + multiplier * weight * x_i)`, with `eta` such that they add
        up to 1, or 0 where an unseen score of 0 takes up the rest. The multiplier is
        the distance divided by the variance of the sum.
        """
        rewards = multiplier * self.sizes
        is_unseen = rewards >= self.largest
        slopes = rewards[:, None] * self.scores
        least = 1e-12 * self.each
        # From the left Newton's method goes to the root of 1 / total - 1, which is
        # concave, without a jump.
        eta = np.maximum(np.maximum(self.counts[:, 0], self.each - rewards), least)
        for _ in range(_MAX_STEPS):
            places = eta[:, None] + slopes
            terms = self.counts / places
            total = terms.sum(axis=1)
            step = total * (total - 1) / (terms / places).sum(axis=1)
            eta = np.where(is_unseen, eta, np.maximum(eta + step, least))
            if (np.abs(step) <= _RELATIVE_PRECISION * eta)[~is_unseen].all():
                break
        fitted = (terms * self.scores).sum(axis=1) / total
        fitted = np.where(is_unseen, self.each / rewards, fitted)
        falls: Floats = np.maximum(self.means - fitted, 0.0)
        return falls


def _find_distance(
    below: Callable[[float], float], start: float, bound: float
) -> float:
    """Return the distance whose product with its multiplier is `bound`.

    The product rises with the multiplier, about as a power of it, so the secant through
    the logarithms of both finds it in a few steps.
    """
    low, high = -inf, inf
    position, slope = start, 2.0
    last: tuple[float, float] | None = None
    for _ in range(_MAX_STEPS):
        distance = below(exp(position))
        if distance > 0:
            missed = position + log(distance / bound)
            if abs(missed) < _RELATIVE_PRECISION:
                break
            if last is not None and position != last[0]:
                slope = max(0.5, (missed - last[1]) / (position - last[0]))
            last = (position, missed)
        else:
            missed = -slope
        low, high = (position, high) if missed < 0 else (low, position)
        position -= missed / slope
        if not low < position < high:
            position = (low + high) / 2
    return distance


# Estimates, and weighted sums of mean scores whose dependence is known


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
        return is_above(least - self.constant, weights, counts, level)

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
    given = [1.0] * len(combinations) if weights is None else weights
    if not combinations or min(given) < 0 or sum(given) <= 0:
        raise ValueError("the mean of no estimates")
    whole, constant = sum(given), 0.0
    summed: dict[Sample, float] = {}
    for combination, weight in zip(combinations, given, strict=True):
        if weight:
            part = weight / whole
            constant += part * combination.constant
            for sample, shares in combination.weights.items():
                summed[sample] = summed.get(sample, 0.0) + part * shares
    return Combination({s: shares for s, shares in summed.items() if shares}, constant)


def difference(a: Combination, b: Combination) -> Combination:
    """Return by how much `a` exceeds `b`. Samples that they share cancel."""
    return a - b


def exceeded_later(
    sums: Sequence[Combination], level: float = DEFAULT_LEVEL
) -> Iterator[tuple[int, int]]:
    """Yield the indices of pairs of sums of which the first clearly exceeds the second.

    The second comes later in `sums`. For such a pair `difference` `is_above` 0. Bounds
    settle most pairs of many, so that the work grows little faster than the number of
    pairs.
    """
    pairs = list(combinations(range(len(sums)), 2))
    shared = _count_shared(sums)
    settled: list[bool | None] = [None] * len(pairs)
    if shared is not None:
        settled = _settle_pairs(sums, shared, level)
    for (a, b), known in zip(pairs, settled, strict=True):
        is_above = known
        if is_above is None:
            is_above = difference(sums[a], sums[b]).is_above(0.0, level)
        if is_above:
            yield a, b


def _count_shared(sums: Sequence[Combination]) -> Floats | None:
    """Return how many samples each pair of sums shares, and their observations.

    None where bounds would not hold. They need samples of the same weight that all have
    a single observation, or all have several. A sample has to be in a single sum, or in
    two sums of opposite sides.
    """
    shared = np.zeros((2, len(sums), len(sums)))
    sizes = {abs(weight) for each in sums for weight in each.weights.values()}
    first: dict[Sample, tuple[int, float]] = {}
    for owner, each in enumerate(sums):
        for sample, weight in each.weights.items():
            observed = sum(sample.effective_counts)
            if len(sizes) > 1 or sample.anytime:
                return None
            other, opposite = first.setdefault(sample, (owner, -weight))
            if other != owner:
                if weight != opposite:
                    return None
                shared[:, other, owner] += 1, observed
                first[sample] = (other, nan)
    return shared


def _settle_pairs(
    sums: Sequence[Combination], shared: Floats, level: float
) -> list[bool | None]:
    """Return whether the first of each pair clearly exceeds the second, None if open.

    A difference falls by as much as its first sum falls and the second rises, less the
    shared part, and by more at a larger multiplier. So the fall of each pair is between
    the falls at two of a few multipliers, which are found once for each sum.
    """
    rivals = _Rivals(sums)
    a, b = np.triu_indices(len(sums), 1)
    distance = rivals.values[a] - rivals.values[b]
    is_ahead = distance > 0
    squared = NormalDist().inv_cdf((1 + level) / 2) ** 2
    multipliers = squared / np.where(is_ahead, distance, nan)
    bounds = rivals.single if rivals.are_single else rivals.several
    if not is_ahead.any() or not (rivals.are_single or rivals.are_several):
        return [None if ahead else False for ahead in is_ahead]
    least, most = bounds(a, b, shared[:, a, b], multipliers)
    is_above = most < distance - _ROUNDING_ERROR
    is_open = is_ahead & ~is_above & (least < distance + _ROUNDING_ERROR)
    pairs = zip(is_above.tolist(), is_open.tolist(), strict=True)
    return [None if unknown else known for known, unknown in pairs]


_Bounds: TypeAlias = tuple[Floats, Floats]


class _Rivals:
    """Sums of samples that all have the weight `size`, for bounds of differences."""

    def __init__(self, sums: Sequence[Combination]) -> None:
        self._owners: list[int] = []
        down = []
        for owner, each_sum in enumerate(sums):
            for sample, weight in each_sum.weights.items():
                counts = sample.effective_counts
                self._owners.append(owner)
                down.append(counts if weight > 0 else counts[::-1])
                self.size = abs(weight)
        up = [counts[::-1] for counts in down]
        # Samples with the same counts fall alike.
        index = {counts: i for i, counts in enumerate(dict.fromkeys(down + up))}
        self._down = [index[counts] for counts in down]
        self._up = [index[counts] for counts in up]
        self._scores = _Scores([self.size] * len(index), list(index))
        self.values = np.array([each.value for each in sums])
        self._samples = np.bincount(self._owners)
        each = self._scores.each
        self._observed = self._sum_samples(each, self._down)
        self.are_several = each.min() >= _SEVERAL_OBSERVATIONS
        is_alike = len({len(counts) for counts in index}) == 1
        self.are_single = is_alike and each.min() == each.max() == 1

    def several(self, a: Ints, b: Ints, shared: Floats, bounds: Floats) -> _Bounds:
        """Return bounds of the fall of each difference, by the nearest multipliers."""
        both, observed = shared
        total = self._observed[a] + self._observed[b] - observed
        freedom = (total - 1) / (total - (self._samples[a] + self._samples[b] - both))
        multipliers = freedom * bounds
        few = np.nanquantile(multipliers, np.linspace(0, 1, _BOUND_MULTIPLIERS))
        falls, rises = self._falls_and_rises(few)
        # Without its ends the largest multiplier is in the last part as well.
        part = np.searchsorted(few[1:-1], multipliers, "right")
        least = falls[part, a] + rises[part, b]
        # Shared samples weigh twice as much, and fall by 1 at most.
        most = falls[part + 1, a] + rises[part + 1, b] + 2 * self.size * both
        return least, most

    def single(self, a: Ints, b: Ints, shared: Floats, bounds: Floats) -> _Bounds:
        """Return the fall itself, with all observations pooled, see `pool`."""
        won = np.zeros((len(self.values), self._scores.counts.shape[1]))
        np.add.at(won, self._owners, self._scores.counts[self._down])
        samples = self._samples[a] + self._samples[b]
        worth = samples / (samples + 2 * shared[0])
        pooled = worth[:, None] * (won[a] + won[b, ::-1])
        # Pairs whose first is not ahead have no multiplier.
        scores = _Scores((self.size * samples).tolist(), pooled.tolist())
        fall = scores.sizes * scores.falls(np.nan_to_num(bounds, nan=1.0))
        return fall, fall

    def _falls_and_rises(self, multipliers: Floats) -> tuple[Floats, Floats]:
        """Return how far each sum falls, and rises, at each of the multipliers."""
        kinds = [self.size * self._scores.falls(each) for each in multipliers]
        falls = [self._sum_samples(each, self._down) for each in kinds]
        rises = [self._sum_samples(each, self._up) for each in kinds]
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


# The size of unexplained differences, less the part of chance

Matrix = npt.NDArray[np.float64]

BOOTSTRAP_DRAWS = 1_000
_TAIL_SHARE = 0.025
_BISECTION_STEPS = 30
_MAX_CELLS = 2**18
"""The most values that are drawn at once, which bounds the memory."""


def squared_size(
    values: Matrix,
    project: Callable[[Matrix], Matrix],
    by_chance: float,
    variances: Matrix,
    freedom: Matrix,
    *,
    seed: int = 1,
) -> Estimate:
    """Return the squared length of the projection of the true values.

    `values` are measured independently. Their `variances` are estimated with these
    degrees of `freedom`. `project` returns the projections of vectors, a row
    each, and `by_chance` is the squared length of a projection that chance alone would
    make, which is subtracted. The interval holds every length with which the measured
    length is not among the 2.5% largest or smallest of a parametric bootstrap, in
    which the projection has the measured direction. A length below the length from
    chance alone is reported as the latter, so that an interval is never narrow by luck.
    `games` is 0.

    Source: B. Efron and R. Tibshirani (1993), An introduction to the bootstrap, chapter
    12. G. Cowan, K. Cranmer, E. Gross and O. Vitells (2011), Power-constrained limits.
    """
    along = project(values[None, :])[0]
    length = float(along @ along)
    squares = np.empty(BOOTSTRAP_DRAWS)
    products = np.empty(BOOTSTRAP_DRAWS)
    chance = np.random.default_rng(seed)
    deviations = np.sqrt(variances)
    step = max(1, _MAX_CELLS // len(values))
    for first in range(0, BOOTSTRAP_DRAWS, step):
        part = slice(first, min(first + step, BOOTSTRAP_DRAWS))
        size = (part.stop - first, len(values))
        noise = project(chance.standard_t(freedom, size) * deviations)
        squares[part] = (noise**2).sum(axis=1)
        products[part] = 2 * noise @ along

    def draw_lengths(scale: float) -> Matrix:
        return np.asarray(scale * scale * length + scale * products + squares)

    def reaches_low_end(scale: float) -> bool:
        return _quantile(draw_lengths(scale), 1 - _TAIL_SHARE) >= length

    def reaches_high_end(scale: float) -> bool:
        return _quantile(draw_lengths(scale), _TAIL_SHARE) >= max(length, by_chance)

    low = _find_least_scale(reaches_low_end) ** 2 * length
    high = _find_least_scale(reaches_high_end) ** 2 * length
    value = max(0.0, length - by_chance)
    return Estimate(value, Interval(min(low, value), max(high, value)), 0)


def _quantile(values: Matrix, part: float) -> float:
    """Return the value below which this share of the values is."""
    position = round(part * (len(values) - 1))
    return float(np.partition(values, position)[position])


def _find_least_scale(holds: Callable[[float], bool]) -> float:
    """Return the least scale from which a condition holds at all scales."""
    if holds(0.0):
        return 0.0
    high = 1.0
    while not holds(high) and high < 2.0**_BISECTION_STEPS:
        high *= 2
    low = 0.0
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
