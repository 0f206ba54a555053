"""The interval of a weighted sum of mean scores, each from observations of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, inf, log
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import Interval, mean_score_interval

Floats = npt.NDArray[np.float64]

_STEPS = 60
_PRECISION = 1e-9


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
    value = constant + _value(sizes, turned)
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


def _value(sizes: Sequence[float], counts: Sequence[Sequence[float]]) -> float:
    means = (
        sum(i * n for i, n in enumerate(count)) / (sum(count) * (len(count) - 1))
        for count in counts
    )
    return sum(size * mean for size, mean in zip(sizes, means, strict=True))


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
        """How far the sum falls where a smaller one is rewarded by `multiplier`.

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
        return float(self.sizes @ np.maximum(self.means - fitted, 0.0))


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
