"""Least squares, combined estimates, grouped and explained variance."""

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
    Interval,
    bounded_interval,
    mean_score,
    mean_score_interval,
)
from deckcheck.stats.sequential import anytime_score_interval

# The interval of a weighted sum of mean scores, each from observations of its own.

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_STEPS = 60
_PRECISION = 1e-9
_SEVERAL = 2
_MULTIPLIERS = 24
_ROUNDING = 1e-7


def linear_interval(
    weights: Sequence[float], counts: Sequence[Sequence[float]], level: float = 0.95
) -> Interval:
    """Return the score interval for a weighted sum of mean scores.

    `counts[k][i]` is how often score `k` was `i / (len(counts[k]) - 1)`; scores are
    independent of each other, weights may be negative. The interval holds every sum
    that the score test does not reject: `(s - mu)^2 <= z^2 v(mu)`, where `v(mu)` is the
    variance under the most likely distributions that have the sum `mu`, all of them
    fitted together. For a single score that is `mean_score_interval`. So the reaches
    keep their skewness, and scores without variation have their part in the upper
    reach: the likeliest way to a larger sum goes by those that weigh most. As the
    means are fitted, a variance has `N - K` degrees of freedom for `N` observations of
    `K` scores.

    Source: O. S. Miettinen and M. Nurminen (1985), Comparative analysis of two rates,
    Statistics in Medicine 4, for strata; A. Agresti and E. Ryu (2010), Pseudo-score
    confidence intervals for parameters in discrete statistical models, Biometrika 97.
    """
    constant, sizes, turned = _turned(weights, counts)
    if not sizes:
        return Interval(0.0, 0.0)
    if any(sum(scores) == 0 for scores in turned):
        return Interval(constant, constant + sum(sizes))
    # Of a single score nothing is put together, which takes a while.
    scores = _Scores(sizes, turned) if len(turned) > 1 else None
    if scores is None or scores.are_single:
        pooled = turned[0] if scores is None else scores.pooled()
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
    level: float = 0.95,
) -> bool:
    """Whether all of `linear_interval` lies above `least`, for a tenth of its work."""
    constant, sizes, turned = _turned(weights, counts)
    scores = _Scores(sizes, turned) if len(turned) > 1 else None
    if scores is None or not scores.each.all():
        return linear_interval(weights, counts, level).low > least
    if scores.are_single:
        pooled = mean_score_interval(scores.pooled(), level)
        return constant + float(scores.sizes.sum()) * pooled.low > least
    distance = constant + float(scores.sizes @ scores.means) - least
    if distance <= 0 or not scores.means.any():
        return distance > 0
    # The product of a multiplier and its distance rises with it: where it is too small
    # at this one, the reach is less than the distance.
    z = NormalDist().inv_cdf((1 + level) / 2)
    return scores.below(z * z * scores.freedom / distance) < distance


def _turned(
    weights: Sequence[float], counts: Sequence[Sequence[float]]
) -> tuple[float, list[float], list[Sequence[float]]]:
    """The same sum as a constant and positive weights.

    A score with a negative weight is one less its opposite with a positive one.
    """
    kept = [pair for pair in zip(weights, counts, strict=True) if pair[0]]
    constant = sum(weight for weight, _ in kept if weight < 0)
    sizes = [abs(weight) for weight, _ in kept]
    turned = [scores if weight > 0 else scores[::-1] for weight, scores in kept]
    return constant, sizes, turned


class _Scores:
    """Scores with positive weights, and how far down their sum may lie."""

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
            for own, scores in zip(self.counts, counts, strict=True):
                own[: len(scores)] = scores
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

    def pooled(self) -> list[float]:
        """The observations of all as if of one, for where each score has a single one.

        Observations are worth fewer where weights differ (L. Kish, 1965, Survey
        Sampling). What scores differ by is counted as chance, which errs on the side of
        caution.
        """
        total, cells = self.sizes.sum(), self.counts.shape[1] - 1
        worth = total**2 / (self.sizes**2 / self.each).sum()
        parts = (worth * self.sizes / total / self.each)[:, None] * self.counts
        # The place of a score in the longest list, below it where there is none.
        places = np.floor(self.scores * cells + _PRECISION).astype(np.intp)
        shares = np.bincount(places.ravel(), parts.ravel(), cells + 1)
        pooled: list[float] = shares.tolist()
        return pooled

    def reach(self, z: float) -> float:
        """How far below its value the sum may lie."""
        if not self.means.any():
            return 0.0
        bound = z * z * self.freedom
        variance = float(self.sizes**2 @ (self.spreads / self.each))
        start = log(bound / variance) / 2 if variance > 0 else 0.0
        return _root(self.below, start, bound)

    def below(self, multiplier: float) -> float:
        """How far the sum falls where a smaller one is rewarded by `multiplier`."""
        return float(self.sizes @ self.falls(multiplier))

    def falls(self, multiplier: float | Floats) -> Floats:
        """How far each score falls where a smaller sum is rewarded by `multiplier`.

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
        for _ in range(_STEPS):
            places = eta[:, None] + slopes
            terms = self.counts / places
            total = terms.sum(axis=1)
            step = total * (total - 1) / (terms / places).sum(axis=1)
            eta = np.where(is_unseen, eta, np.maximum(eta + step, least))
            if (np.abs(step) <= _PRECISION * eta)[~is_unseen].all():
                break
        fitted = (terms * self.scores).sum(axis=1) / total
        fitted = np.where(is_unseen, self.each / rewards, fitted)
        falls: Floats = np.maximum(self.means - fitted, 0.0)
        return falls


def _root(below: Callable[[float], float], start: float, bound: float) -> float:
    """The distance whose product with the multiplier that leads to it is `bound`.

    The product rises with the multiplier, about in proportion to one of its powers, so
    the secant through the logarithms of both finds it in a few steps.
    """
    low, high = -inf, inf
    place, slope = start, 2.0
    last: tuple[float, float] | None = None
    for _ in range(_STEPS):
        distance = below(exp(place))
        if distance > 0:
            missed = place + log(distance / bound)
            if abs(missed) < _PRECISION:
                break
            if last is not None and place != last[0]:
                slope = max(0.5, (missed - last[1]) / (place - last[0]))
            last = (place, missed)
        else:
            missed = -slope
        low, high = (place, high) if missed < 0 else (low, place)
        place -= missed / slope
        if not low < place < high:
            place = (low + high) / 2
    return distance


# Estimates, and weighted sums of mean scores whose dependence is known.


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value, its 95 % interval, and how many games it rests on."""

    value: float
    interval: Interval
    games: int

    def opposite(self) -> Estimate:
        """The same rate from the opponent's side: one less the value."""
        low, high = self.interval
        return Estimate(1 - self.value, Interval(1 - high, 1 - low), self.games)


@dataclass(frozen=True, eq=False, slots=True)
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

    @property
    def mean(self) -> float:
        """The mean score."""
        return mean_score(self.counts)

    @property
    def worths(self) -> tuple[float, ...]:
        """The counts of independent observations."""
        if self.worth == 1.0:  # as of nearly all samples: no memory for a copy
            return self.counts
        return tuple(self.worth * count for count in self.counts)


@dataclass(frozen=True, slots=True)
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
        """The same rate from the opponent's side: one less the sum."""
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


def exceeded_later(
    sums: Sequence[Combination], level: float = 0.95
) -> Iterator[tuple[int, int]]:
    """Which sums clearly exceed which later ones, as pairs of their places.

    Of such a pair the `difference` `is_above` 0. Bounds settle most pairs of many, so
    that the work grows little faster than the number of pairs.
    """
    pairs = list(combinations(range(len(sums)), 2))
    shared = _shared(sums)
    settled = [None] * len(pairs) if shared is None else _settled(sums, shared, level)
    for (a, b), known in zip(pairs, settled, strict=True):
        is_above = known
        if is_above is None:
            is_above = difference(sums[a], sums[b]).is_above(0.0, level)
        if is_above:
            yield a, b


def _shared(sums: Sequence[Combination]) -> Floats | None:
    """How many samples each sum shares with each later one, and their observations.

    None where bounds would not hold: they need samples that all weigh the same, have
    all one observation or all several, and are in one sum, or in two that count
    opposite sides.
    """
    shared = np.zeros((2, len(sums), len(sums)))
    sizes = {abs(weight) for each in sums for weight in each.weights.values()}
    first: dict[Sample, tuple[int, float]] = {}
    for owner, each in enumerate(sums):
        for sample, weight in each.weights.items():
            observed = sum(sample.worths)
            if len(sizes) > 1 or sample.anytime:
                return None
            other, opposite = first.setdefault(sample, (owner, -weight))
            if other != owner:
                if weight != opposite:
                    return None
                shared[:, other, owner] += 1, observed
                first[sample] = (other, nan)
    return shared


def _settled(
    sums: Sequence[Combination], shared: Floats, level: float
) -> list[bool | None]:
    """Whether the first of each pair clearly exceeds the second; None where it is open.

    A difference falls by as much as its first sum falls and the second one rises, less
    what they share, and by more at a larger multiplier. So the fall of each pair
    lies between those at two of a few multipliers, which are found once for each sum.
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
    is_above = most < distance - _ROUNDING
    is_open = is_ahead & ~is_above & (least < distance + _ROUNDING)
    pairs = zip(is_above.tolist(), is_open.tolist(), strict=True)
    return [None if unknown else known for known, unknown in pairs]


_Bounds: TypeAlias = tuple[Floats, Floats]


class _Rivals:
    """Sums of samples that all have the weight `size`, for bounds of differences."""

    def __init__(self, sums: Sequence[Combination]) -> None:
        items = [(i, *item) for i, s in enumerate(sums) for item in s.weights.items()]
        self._owners = [owner for owner, _, _ in items]
        down = [s.worths if weight > 0 else s.worths[::-1] for _, s, weight in items]
        up = [counts[::-1] for counts in down]
        # Samples with the same counts fall alike.
        place = {counts: at for at, counts in enumerate(dict.fromkeys(down + up))}
        self._down = [place[counts] for counts in down]
        self._up = [place[counts] for counts in up]
        self.size = abs(items[0][2])
        self._scores = _Scores([self.size] * len(place), list(place))
        self.values = np.array([each.value for each in sums])
        self._samples = np.bincount(self._owners)
        each = self._scores.each
        self._observed = self._summed(each, self._down)
        self.are_several = each.min() >= _SEVERAL
        is_alike = len({len(counts) for counts in place}) == 1
        self.are_single = is_alike and each.min() == each.max() == 1

    def several(self, a: Ints, b: Ints, shared: Floats, bounds: Floats) -> _Bounds:
        """Bounds of the fall of each difference: at multipliers on either side."""
        both, observed = shared
        total = self._observed[a] + self._observed[b] - observed
        freedom = (total - 1) / (total - (self._samples[a] + self._samples[b] - both))
        multipliers = freedom * bounds
        few = np.nanquantile(multipliers, np.linspace(0, 1, _MULTIPLIERS))
        falls, rises = self._ways(few)
        # The largest of all lies in the last of the parts, too.
        part = np.searchsorted(few[1:-1], multipliers, "right")
        least = falls[part, a] + rises[part, b]
        # What both share weighs twice as much, and falls by 1 at most.
        most = falls[part + 1, a] + rises[part + 1, b] + 2 * self.size * both
        return least, most

    def single(self, a: Ints, b: Ints, shared: Floats, bounds: Floats) -> _Bounds:
        """The fall itself, of the observations of all as if of one: see `pooled`."""
        won = np.zeros((len(self.values), self._scores.counts.shape[1]))
        np.add.at(won, self._owners, self._scores.counts[self._down])
        samples = self._samples[a] + self._samples[b]
        worth = samples / (samples + 2 * shared[0])
        pooled = worth[:, None] * (won[a] + won[b, ::-1])
        # No pair that is not ahead has a multiplier.
        scores = _Scores((self.size * samples).tolist(), pooled.tolist())
        fall = scores.sizes * scores.falls(np.nan_to_num(bounds, nan=1.0))
        return fall, fall

    def _ways(self, multipliers: Floats) -> tuple[Floats, Floats]:
        """How far each sum falls, and rises, at each of the multipliers."""
        kinds = [self.size * self._scores.falls(each) for each in multipliers]
        falls, rises = (
            np.array([self._summed(each, places) for each in kinds])
            for places in (self._down, self._up)
        )
        return falls, rises

    def _summed(self, kinds: Floats, places: Sequence[int]) -> Floats:
        return np.bincount(self._owners, kinds[places]).astype(np.float64)


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


# Differences between runs that had the same shuffles, by sums over groups.


@dataclass(frozen=True, slots=True)
class GroupedDifference:
    """By how much a mean score differs between two runs that are paired by groups.

    `value` is the difference of the means over `count` observations, -1 to 1,
    `variance` that of the value, known with `freedom` degrees of freedom.
    """

    value: float
    variance: float
    count: int
    freedom: int

    def opposite(self) -> GroupedDifference:
        """The same, seen from the other side of the table."""
        return GroupedDifference(-self.value, self.variance, self.count, self.freedom)

    def estimate(self, level: float, games: int) -> Estimate:
        """The difference with its interval."""
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
    to group `i % len(before)`. Groups are independent and nearly alike in size, so what
    they vary by tells the variance of the sum, however strongly the two runs go
    together: the method of random groups.

    Source: K. M. Wolter (2007), Introduction to variance estimation, chapter 2.
    """
    groups = min(count, len(before))
    total = sum(after) - sum(before)
    mean = total / count
    squares = 0.0
    for place in range(groups):
        size = (count - place - 1) // len(before) + 1
        squares += (after[place] - before[place] - size * mean) ** 2
    variance = squares * groups / max(1, groups - 1) / count**2
    return GroupedDifference(mean / most, variance / most**2, count, groups - 1)


def mean_of_grouped(parts: Sequence[GroupedDifference]) -> GroupedDifference:
    """Return the mean of differences that are independent of each other."""
    return GroupedDifference(
        sum(part.value for part in parts) / len(parts),
        sum(part.variance for part in parts) / len(parts) ** 2,
        sum(part.count for part in parts),
        sum(part.freedom for part in parts),
    )


# How much of what was measured is not explained, with the part of chance taken off.

Matrix = npt.NDArray[np.float64]

DRAWS = 1_000
_TAIL = 0.025
_BISECTIONS = 30
_CELLS = 2**18
"""Values that are drawn at once, which bounds the memory."""


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

    `values` are measured independently, with `variances` that are themselves estimated
    with these degrees of `freedom`. `project` returns the projections of vectors, a row
    each, and `by_chance` is the squared length of a projection that chance alone would
    make, which is taken off. The interval holds every length with which the measured
    one is not among the 2.5 % largest or smallest of a parametric bootstrap, in which
    the projection has the direction that was measured. What lies below the length that
    chance alone would make is reported as that length would be, so that an interval is
    never narrow by luck. `games` is 0.

    Source: B. Efron and R. Tibshirani (1993), An introduction to the bootstrap, chapter
    12; G. Cowan, K. Cranmer, E. Gross and O. Vitells (2011), Power-constrained limits.
    """
    along = project(values[None, :])[0]
    length = float(along @ along)
    squares, products = np.empty(DRAWS), np.empty(DRAWS)
    chance = np.random.default_rng(seed)
    deviations, step = np.sqrt(variances), max(1, _CELLS // len(values))
    for first in range(0, DRAWS, step):
        part = slice(first, min(first + step, DRAWS))
        size = (part.stop - first, len(values))
        noise = project(chance.standard_t(freedom, size) * deviations)
        squares[part] = (noise**2).sum(axis=1)
        products[part] = 2 * noise @ along

    def drawn(scale: float) -> Matrix:
        return np.asarray(scale * scale * length + scale * products + squares)

    def low_end(scale: float) -> bool:
        return _quantile(drawn(scale), 1 - _TAIL) >= length

    def high_end(scale: float) -> bool:
        return _quantile(drawn(scale), _TAIL) >= max(length, by_chance)

    low, high = (_first(end) ** 2 * length for end in (low_end, high_end))
    value = max(0.0, length - by_chance)
    return Estimate(value, Interval(min(low, value), max(high, value)), 0)


def _quantile(values: Matrix, part: float) -> float:
    place = round(part * (len(values) - 1))
    return float(np.partition(values, place)[place])


def _first(holds: Callable[[float], bool]) -> float:
    """The least scale at which something holds that holds at all larger ones."""
    if holds(0.0):
        return 0.0
    high = 1.0
    while not holds(high) and high < 2.0**_BISECTIONS:
        high *= 2
    low = 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
