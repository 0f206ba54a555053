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
