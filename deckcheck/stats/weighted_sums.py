"""The score interval of a weighted sum of mean scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, inf, log

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import (
    DEFAULT_LEVEL,
    Interval,
    mean_score,
    mean_score_interval,
    normal_quantile,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_MAX_STEPS = 60
"""Most steps of a search for a root."""
_RELATIVE_PRECISION = 1e-9


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

    A reach is the distance from the sum to an end of the interval. Both keep the
    skewness of the scores, and scores without variation contribute to the upper reach:
    the likeliest path to a larger sum changes the scores with most weight. As the means
    are fitted, a variance has `N - K` degrees of freedom for `N` observations of `K`
    scores.

    Source: O. S. Miettinen and M. Nurminen (1985), Comparative analysis of two rates,
    Statistics in Medicine 4, for strata. A. Agresti and E. Ryu (2010), Pseudo-score
    confidence intervals for parameters in discrete statistical models, Biometrika 97.
    """
    constant, positive, upward = _make_positive(weights, counts)
    if not positive:
        return Interval(0.0, 0.0)
    if any(sum(score_counts) == 0 for score_counts in upward):
        return Interval(constant, constant + sum(positive))
    # A single score needs no `PositiveScores`, which take a while to make.
    scores = PositiveScores(positive, upward) if len(upward) > 1 else None
    if scores is None or scores.are_single:
        pooled = upward[0] if scores is None else scores.pool()
        low, high = mean_score_interval(pooled, level)
        total = sum(positive)
        return Interval(constant + total * low, constant + total * high)
    z = normal_quantile(level)
    below = scores.find_reach(z)
    downward = [score_counts[::-1] for score_counts in upward]
    above = PositiveScores(positive, downward).find_reach(z)
    pairs = zip(positive, upward, strict=True)
    value = constant + sum(w * mean_score(score_counts) for w, score_counts in pairs)
    return Interval(value - below, value + above)


def is_sum_above(
    least: float,
    weights: Sequence[float],
    counts: Sequence[Sequence[float]],
    level: float = DEFAULT_LEVEL,
) -> bool:
    """Report whether all of `linear_interval` is above `least`, ten times as fast."""
    constant, positive, upward = _make_positive(weights, counts)
    scores = PositiveScores(positive, upward) if len(upward) > 1 else None
    if scores is None or not scores.observations.all():
        return linear_interval(weights, counts, level).low > least
    if scores.are_single:
        pooled = mean_score_interval(scores.pool(), level)
        return constant + float(scores.weights.sum()) * pooled.low > least
    distance = constant + float(scores.weights @ scores.means) - least
    if distance <= 0 or not scores.means.any():
        return distance > 0
    # The product of a multiplier and its distance rises with the multiplier. If it is
    # too small at this multiplier, the reach is less than the distance.
    z = normal_quantile(level)
    return scores.lower_sum(z * z * scores.freedom / distance) < distance


def _make_positive(
    weights: Sequence[float], counts: Sequence[Sequence[float]]
) -> tuple[float, list[float], list[Sequence[float]]]:
    """Rewrite the sum as a constant, positive weights, and counts.

    `w * x` with a negative weight is `w + abs(w) * (1 - x)`, so the constant is the sum
    of the negative weights, and their counts are reversed. Scores of weight 0 are left
    out.
    """
    positive = []
    upward = []
    for weight, score_counts in zip(weights, counts, strict=True):
        if weight > 0:
            positive.append(weight)
            upward.append(score_counts)
        elif weight < 0:
            positive.append(-weight)
            upward.append(score_counts[::-1])
    return sum(weight for weight in weights if weight < 0), positive, upward


class PositiveScores:
    """Scores with positive weights, and the lower reach of their sum.

    Score `k` had the value `scores[k, i]` in `counts[k, i]` of its `observations[k]`.
    """

    def __init__(
        self, weights: Sequence[float], counts: Sequence[Sequence[float]]
    ) -> None:
        self.weights = np.array(weights)
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
        self.observations = self.counts.sum(axis=1)
        self.means = (self.counts * self.scores).sum(axis=1) / self.observations
        squares = (self.counts * self.scores**2).sum(axis=1) / self.observations
        self.spreads = np.maximum(squares - self.means**2, 0.0)
        total = float(self.observations.sum())
        self.are_single = total <= len(counts)
        if not self.are_single:
            # How much larger a variance is with `N - K` degrees of freedom.
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
        total, cells = self.weights.sum(), self.counts.shape[1] - 1
        worth = total**2 / (self.weights**2 / self.observations).sum()
        parts = (worth * self.weights / total / self.observations)[
            :, None
        ] * self.counts
        # The index of a score in the longest list, or the next lower index.
        indices = np.floor(self.scores * cells + _RELATIVE_PRECISION).astype(np.intp)
        pooled = np.bincount(indices.ravel(), parts.ravel(), cells + 1)
        counts: list[float] = pooled.tolist()
        return counts

    def find_reach(self, z: float) -> float:
        """Return the distance from the sum to the lower end of its interval."""
        if not self.means.any():
            return 0.0
        bound = z * z * self.freedom
        variance = float(self.weights**2 @ (self.spreads / self.observations))
        start = log(bound / variance) / 2 if variance > 0 else 0.0
        return _find_distance(self.lower_sum, start, bound)

    def lower_sum(self, multiplier: float) -> float:
        """Return the fall of the sum if a smaller sum is rewarded by `multiplier`."""
        return float(self.weights @ self.lower_scores(multiplier))

    def lower_scores(self, multiplier: float | Floats) -> Floats:
        """Return the fall of each score if a smaller sum is rewarded by `multiplier`.

        The most likely distributions with that sum have `p_i` in proportion to
        `counts[i] / (eta + multiplier * weight * x_i)`, with `eta` such that they add
        up to 1, or 0 where an unseen score of 0 takes up the rest. The multiplier is
        the distance divided by the variance of the sum.
        """
        rewards = multiplier * self.weights
        is_unseen = rewards >= self.largest
        slopes = rewards[:, None] * self.scores
        least = 1e-12 * self.observations
        # From the left Newton's method goes to the root of 1 / total - 1, which is
        # concave, without a jump.
        eta = np.maximum(
            np.maximum(self.counts[:, 0], self.observations - rewards), least
        )
        for _ in range(_MAX_STEPS):
            divisors = eta[:, None] + slopes
            terms = self.counts / divisors
            total = terms.sum(axis=1)
            step = total * (total - 1) / (terms / divisors).sum(axis=1)
            eta = np.where(is_unseen, eta, np.maximum(eta + step, least))
            if (np.abs(step) <= _RELATIVE_PRECISION * eta)[~is_unseen].all():
                break
        fitted = (terms * self.scores).sum(axis=1) / total
        fitted = np.where(is_unseen, self.observations / rewards, fitted)
        falls: Floats = np.maximum(self.means - fitted, 0.0)
        return falls


def _find_distance(
    find_fall: Callable[[float], float], start: float, bound: float
) -> float:
    """Return the fall whose product with its multiplier is `bound`.

    The product rises with the multiplier, about as a power of it, so the secant through
    the logarithms of both finds it in a few steps.
    """
    low, high = -inf, inf
    position, slope = start, 2.0
    last: tuple[float, float] | None = None
    for _ in range(_MAX_STEPS):
        distance = find_fall(exp(position))
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
