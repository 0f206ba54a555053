"""Intervals from means and variances, which never shrink for want of variation."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from deckcheck.stats.intervals import Interval
from deckcheck.stats.student import student_quantile


def bounded_interval(
    mean: float,
    variance: float,
    count: int,
    freedom: int,
    *,
    within: tuple[float, float] = (-1.0, 1.0),
    level: float = 0.95,
) -> Interval:
    """Return the interval for the mean of `count` observations between two bounds.

    `variance` is that of one observation, with `freedom` degrees of freedom. A reach is
    that of Student's t, and at least that of the score interval of an outcome at the
    bound which has not come up: a change that made no difference in 6 pairs may make
    one in the seventh. Without freedom all within the bounds is possible.

    Source: W. S. Gosset (1908), The probable error of a mean, Biometrika 6; E. B.
    Wilson (1927), Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22.
    """
    low, high = within
    if freedom < 1:
        return Interval(low, high)
    z = NormalDist().inv_cdf((1 + level) / 2)
    reach = student_quantile(level, freedom) * sqrt(max(0.0, variance) / count)
    unseen = z * z / (count + z * z)
    below = max(reach, unseen * (mean - low))
    above = max(reach, unseen * (high - mean))
    return Interval(max(low, mean - below), min(high, mean + above))


def bounded_mean_interval(
    mean: float,
    variance: float,
    count: int,
    worth: float = 1.0,
    *,
    within: tuple[float, float],
    level: float = 0.95,
) -> Interval:
    """Return the interval for a mean that lies between two bounds, often near one.

    `variance` is that of one of `count` observations, of which a part, `worth`, may
    count as independent. The interval is that of a proportion in as many observations
    as would vary as much (with Student's t for the estimated variance), so it leans
    away from the nearer bound. A reach is at least that of `bounded_interval`.

    Source: E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions
    with small expected number of positive counts estimated from survey data, Survey
    Methodology 24, for the effective size; E. B. Wilson (1927).
    """
    low, high = within
    size = worth * count
    if count < 2:
        return Interval(low, high)
    place = (mean - low) / (high - low)
    widest = place * (1 - place)
    spread = min(widest, variance / (high - low) ** 2)
    least = bounded_interval(mean, 0.0, count, count - 1, within=within, level=level)
    if widest <= 0 or spread <= 0:
        return least
    t = student_quantile(level, max(1.0, size - 1))
    weight = t * t * spread / widest / size
    middle = (place + weight / 2) / (1 + weight)
    reach = sqrt(weight * widest + weight * weight / 4) / (1 + weight)
    first, last = (low + (high - low) * end for end in (middle - reach, middle + reach))
    return Interval(min(first, least.low), max(last, least.high))
