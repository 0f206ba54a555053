"""Confidence intervals for proportions and for mean scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from deckcheck.stats.student import student_quantile

_STEEPEST = 1e15
_PRECISION = 1e-11
_UNSEEN = 2.0


class Interval(NamedTuple):
    """A confidence interval, both ends included."""

    low: float
    high: float

    def scaled(self, factor: float) -> Interval:
        """The interval in another unit; `factor` is positive."""
        return Interval(self.low * factor, self.high * factor)


def wilson(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Return the score interval for a proportion; `(0, 1)` without trials.

    Source: E. B. Wilson (1927), Probable inference, the law of succession, and
    statistical inference, Journal of the American Statistical Association 22.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return Interval(0.0, 1.0)
    z = _quantile(level)
    rate, weight = successes / trials, z * z / trials
    middle = (rate + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * sqrt(rate * (1 - rate) / trials + weight / (4 * trials))
    return Interval(
        0.0 if successes == 0 else middle - reach,
        1.0 if successes == trials else middle + reach,
    )


def mean_score(counts: Sequence[float]) -> float:
    """Return the mean of a score that takes equally spaced values from 0 to 1.

    `counts[i]` is how often the score was `i / (len(counts) - 1)`. Without any
    observation the mean is not a number.
    """
    total = sum(counts)
    if total == 0:
        return float("nan")
    return sum(i * n for i, n in enumerate(counts)) / (total * (len(counts) - 1))


def mean_score_interval(counts: Sequence[float], level: float = 0.95) -> Interval:
    """Return the score interval for the mean of a bounded discrete score.

    `counts[i]` is how often the score was `i / (len(counts) - 1)`: three counts for
    single games (lost, drawn, won), five for mirrored pairs, whose score is 0 to 4
    half-points. The interval holds every mean that the score test does not reject:
    `n (m - mu)^2 <= z^2 v(mu)`, where `v(mu)` is the variance of the most likely
    distribution on the support with mean `mu`. With two counts this is Wilson's
    interval, with three it is Tango's. It stays within 0 and 1 and keeps its width
    when all observations are equal, because the most likely distribution then puts
    weight on an end of the support that has not been seen. `(0, 1)` without
    observations. Counts may be fractions: observations that are not independent are
    scaled down to as many as they are worth.

    Source: T. Tango (1998), Equivalence test and confidence interval for the difference
    in proportions for the paired-sample design, Statistics in Medicine 17; A. Agresti
    and E. Ryu (2010), Pseudo-score confidence intervals for parameters in discrete
    statistical models, Biometrika 97.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts must be two or more, none negative: {list(counts)}")
    if sum(counts) == 0:
        return Interval(0.0, 1.0)
    bound = _quantile(level) ** 2
    kept = tuple(counts)
    return Interval(_lower_end(kept, bound), 1.0 - _lower_end(kept[::-1], bound))


def mean_interval(
    total: float, squares: float, count: int, worth: float = 1.0, level: float = 0.95
) -> Interval:
    """Return the interval for the mean of any figure from its sum and sum of squares.

    `count` observations of which a part, `worth`, may count as independent; of a single
    one nothing is known but itself, and the interval is that point.

    Student's t holds for figures that are nearly normal. Others may have a tail that a
    few observations do not show, so the variance is as if two more lay there, one on
    each side, `_UNSEEN` standard deviations off: no theorem, but the measured coverage
    is in docs/explanation/numbers.md. It is in the spirit of A. Agresti and B. A. Coull
    (1998), Approximate is better than "exact", The American Statistician 52.

    Source: W. S. Gosset (1908), The probable error of a mean, Biometrika 6.
    """
    mean = total / count
    if count < 2:
        return Interval(mean, mean)
    size = worth * count
    variance = max(0.0, squares - total * mean) / (count - 1)
    variance *= (size - 1 + 2 * _UNSEEN**2) / (size + 1)
    freedom = max(1.0, size - 1)
    reach = student_quantile(level, freedom) * sqrt(variance / size)
    return Interval(mean - reach, mean + reach)


def _quantile(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    return NormalDist().inv_cdf((1 + level) / 2)


@lru_cache(maxsize=2**14)
def _lower_end(counts: tuple[float, ...], bound: float) -> float:
    """Return the smallest mean that the score test accepts.

    The most likely distribution with a smaller mean has `p_i` in proportion to
    `counts[i] / (1 + tilt x_i)` for some `tilt > 0`, as long as that reaches the mean;
    beyond, an unseen score of 0 takes up the rest. It is kept, since many of a large
    field have the same counts.
    """
    n, mean = sum(counts), mean_score(counts)
    if mean == 0.0:
        return 0.0
    seen = [(c, i / (len(counts) - 1)) for i, c in enumerate(counts) if c]
    if counts[0] == 0:
        reached = n / sum(c / x for c, x in seen)
        end = mean * n / (n + bound)
        if end <= reached:
            return end
    low, high = 0.0, 1.0
    while high < _STEEPEST and _tilted(seen, mean, high)[1] < bound:
        low, high = high, 4 * high
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        if _tilted(seen, mean, middle)[1] < bound:
            low = middle
        else:
            high = middle
    return _tilted(seen, mean, high)[0]


def _tilted(
    seen: Sequence[tuple[float, float]], mean: float, tilt: float
) -> tuple[float, float]:
    """Return the mean under a tilt and the score statistic of that mean.

    `seen` has counts with their scores, whose mean is `mean`.
    """
    weights = [(c / (1 + tilt * x), x) for c, x in seen]
    scale = sum([w for w, _ in weights])
    tilted = sum([w * x for w, x in weights]) / scale
    # The multiplier is tilt * scale / n, and (m - mu) / v(mu) equals it at the optimum.
    return tilted, tilt * scale * (mean - tilted)
