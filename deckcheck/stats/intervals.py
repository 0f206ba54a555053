"""Confidence intervals of rates and means, many at once, and verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from math import ceil, exp, floor, lgamma, log, log1p, log10, pi, sqrt, tan
from operator import mul
from statistics import NormalDist
from typing import NamedTuple

DEFAULT_LEVEL = 0.95


# Quantiles of Student's t, exact for few degrees of freedom

_MANY_DEGREES = 100
"""The expansion is right to seven digits from this many degrees of freedom on."""

_RELATIVE_PRECISION = 1e-12
_MAX_STEPS = 10_000


@lru_cache(maxsize=4096)
def student_quantile(level: float, degrees: float) -> float:
    """Return the two-sided critical value of Student's t.

    It has a closed form for 1 and 2 degrees of freedom, and inverts the distribution
    for more. Raises ValueError for a level that is not between 0 and 1, and for degrees
    of freedom that are not positive.

    Source: W. S. Gosset (1908), The probable error of a mean, Biometrika 6.
    """
    z = normal_quantile(level)
    if degrees <= 0:
        raise ValueError(f"degrees of freedom must be positive, not {degrees}")
    if degrees == 1:
        return tan(pi * level / 2)
    if degrees == 2:
        return level * sqrt(2 / (1 - level * level))
    if degrees >= _MANY_DEGREES:
        return _expand_quantile(z, degrees)
    low, high = 0.0, 1.0
    while _tail_probability(high, degrees) > 1 - level:
        low, high = high, 2 * high
    while high - low > _RELATIVE_PRECISION * high:
        middle = (low + high) / 2
        if _tail_probability(middle, degrees) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def normal_quantile(level: float) -> float:
    """Return the reach of an interval in known standard errors."""
    if not 0 < level < 1:
        raise ValueError(f"the level must be between 0 and 1, not {level}")
    return NormalDist().inv_cdf((1 + level) / 2)


def _expand_quantile(z: float, degrees: float) -> float:
    """Return the quantile by its expansion around the normal quantile `z`.

    Source: R. A. Fisher and E. A. Cornish (1960), The percentile points of
    distributions having known cumulants, Technometrics 2.
    """
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees**i for i, term in enumerate(terms, start=1))


def _tail_probability(t: float, degrees: float) -> float:
    """Return the probability beyond `t` on either side: an incomplete beta function.

    Source: NIST Digital Library of Mathematical Functions, 8.17.22, the continued
    fraction, evaluated by the method of Lentz.
    """
    a, b = degrees / 2, 0.5
    x = degrees / (degrees + t * t)
    front = a * log(x) - b * log1p(degrees / (t * t)) - log(a)
    front += lgamma(a + b) - lgamma(a) - lgamma(b)
    c = 1.0
    d = 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, _MAX_STEPS):
        step = a + 2 * m
        even = m * (b - m) * x / ((step - 1) * step)
        odd = -(a + m) * (a + b + m) * x / (step * (step + 1))
        before = fraction
        for term in (even, odd):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            fraction *= c * d
        if abs(fraction - before) < _RELATIVE_PRECISION * fraction:
            break
    return exp(front) * fraction


# Confidence intervals for proportions and for mean scores

_MAX_TILT = 1e15
_ROOT_PRECISION = 1e-11
_UNSEEN_DISTANCE = 2.0


class Interval(NamedTuple):
    """A confidence interval, both ends included."""

    low: float
    high: float

    def scale(self, factor: float) -> Interval:
        """Return the interval in another unit. `factor` is positive."""
        return Interval(self.low * factor, self.high * factor)


def wilson(successes: int, trials: int, level: float = DEFAULT_LEVEL) -> Interval:
    """Return the score interval for a proportion, `(0, 1)` without trials.

    >>> interval = wilson(30, 40)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.598, 0.858)

    Source: E. B. Wilson (1927), Probable inference, the law of succession, and
    statistical inference, Journal of the American Statistical Association 22.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return Interval(0.0, 1.0)
    z = normal_quantile(level)
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
    weighted: float = sum(map(mul, counts, range(len(counts))))
    return weighted / (total * (len(counts) - 1))


def mean_score_interval(
    counts: Sequence[float], level: float = DEFAULT_LEVEL
) -> Interval:
    """Return the score interval for the mean of a bounded discrete score.

    `counts[i]` is how often the score was `i / (len(counts) - 1)`: three counts for
    single games (lost, drawn, won), five for game pairs, whose score is 0 to 4
    half-points. The interval holds every mean that the score test does not reject: `n
    (m - mu)^2 <= z^2 v(mu)`, where `v(mu)` is the variance of the most likely
    distribution on the support with mean `mu`. With two counts this is Wilson's
    interval, with three it is Tango's. It stays within 0 and 1 and keeps its width when
    all observations are equal, because the most likely distribution then puts weight on
    an unseen end of the support. `(0, 1)` without observations. Counts may be
    fractions: dependent observations are scaled down to their effective number.

    Source: T. Tango (1998), Equivalence test and confidence interval for the difference
    in proportions for the paired-sample design, Statistics in Medicine 17. A. Agresti
    and E. Ryu (2010), Pseudo-score confidence intervals for parameters in discrete
    statistical models, Biometrika 97.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts must be two or more, none negative: {list(counts)}")
    if sum(counts) == 0:
        return Interval(0.0, 1.0)
    bound = normal_quantile(level) ** 2
    key = tuple(counts)
    return Interval(_lower_end(key, bound), 1.0 - _lower_end(key[::-1], bound))


def mean_interval(
    total: float,
    squares: float,
    count: int,
    worth: float = 1.0,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Return the interval for the mean of any figure from its sum and sum of squares.

    `worth` is the share of the `count` observations that count as independent. A single
    observation gives the interval of that point alone.

    Student's t holds for figures that are nearly normal. Others may have a tail that a
    few observations do not show, so the variance is as if there were two more
    observations, on each side, `_UNSEEN_DISTANCE` standard deviations off. This is not
    a theorem, but docs/explanation/numbers.md has the measured coverage. It is in the
    spirit of A. Agresti and B. A. Coull (1998), Approximate is better than "exact", The
    American Statistician 52.

    Source: W. S. Gosset (1908), The probable error of a mean, Biometrika 6.
    """
    mean = total / count
    if count < 2:
        return Interval(mean, mean)
    size = worth * count
    variance = max(0.0, squares - total * mean) / (count - 1)
    variance *= (size - 1 + 2 * _UNSEEN_DISTANCE**2) / (size + 1)
    degrees = max(1.0, size - 1)
    reach = student_quantile(level, degrees) * sqrt(variance / size)
    return Interval(mean - reach, mean + reach)


@lru_cache(maxsize=2**14)
def _lower_end(counts: tuple[float, ...], bound: float) -> float:
    """Return the smallest mean that the score test accepts.

    The most likely distribution with a smaller mean has `p_i` in proportion to
    `counts[i] / (1 + tilt x_i)` for some `tilt > 0`, as long as that reaches the mean.
    Beyond, an unseen score of 0 takes up the rest. The end is cached, since many decks
    of a large field have the same counts.
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
    while high < _MAX_TILT and _tilt_mean(seen, mean, high)[1] < bound:
        low, high = high, 4 * high
    while high - low > _ROOT_PRECISION * high:
        middle = (low + high) / 2
        if _tilt_mean(seen, mean, middle)[1] < bound:
            low = middle
        else:
            high = middle
    return _tilt_mean(seen, mean, high)[0]


def _tilt_mean(
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


# Intervals from means and variances, which do not shrink where nothing varied


def bounded_interval(
    mean: float,
    variance: float,
    count: int,
    degrees: int,
    *,
    within: tuple[float, float] = (-1.0, 1.0),
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Return the interval for the mean of `count` observations between two bounds.

    `variance` is the variance of an observation, with `degrees` degrees of freedom. A
    reach follows Student's t, and is at least the reach of the score interval of an
    unseen outcome at the bound: a change that made no difference in 6 pairs may make
    a difference in the seventh. With no degree of freedom all values within the bounds
    are possible.

    Source: W. S. Gosset (1908), The probable error of a mean, Biometrika 6. E. B.
    Wilson (1927), Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22.
    """
    low, high = within
    if degrees < 1:
        return Interval(low, high)
    z = normal_quantile(level)
    reach = student_quantile(level, degrees) * sqrt(max(0.0, variance) / count)
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
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Return the interval for a mean between two bounds, often near a bound.

    `variance` is the variance of an observation, and `worth` the share of the `count`
    observations that count as independent. It is the interval of a proportion in as
    many observations as would vary as much (with Student's t for the estimated
    variance), so it leans away from the nearer bound. A reach is at least that from
    `bounded_interval`.

    Source: E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions
    with small expected number of positive counts estimated from survey data, Survey
    Methodology 24, for the effective size. E. B. Wilson (1927).
    """
    low, high = within
    width = high - low
    size = worth * count
    if count < 2:
        return Interval(low, high)
    position = (mean - low) / width
    widest = position * (1 - position)
    spread = min(widest, variance / width**2)
    least = bounded_interval(mean, 0.0, count, count - 1, within=within, level=level)
    if widest <= 0 or spread <= 0:
        return least
    t = student_quantile(level, max(1.0, size - 1))
    weight = t * t * spread / widest / size
    middle = (position + weight / 2) / (1 + weight)
    reach = sqrt(weight * widest + weight * weight / 4) / (1 + weight)
    first = low + width * (middle - reach)
    last = low + width * (middle + reach)
    return Interval(min(first, least.low), max(last, least.high))


# Many tests at once: the share of seemingly certain results that are chance


def joint_level(count: int) -> float:
    """Return the level at which `count` intervals hold together with 95% confidence.

    Source: C. E. Bonferroni (1936), Teoria statistica delle classi e calcolo delle
    probabilita.
    """
    return 1 - (1 - DEFAULT_LEVEL) / max(1, count)


def benjamini_hochberg(chances: Sequence[float]) -> list[float]:
    """Return the least false discovery rate at which each test is significant.

    `chances` are p-values. Of the tests with a rate of at most 5%, no more than 5%
    are expected to be chance.

    Source: Y. Benjamini and Y. Hochberg (1995), Controlling the false discovery rate: a
    practical and powerful approach to multiple testing, Journal of the Royal
    Statistical Society B 57.
    """
    order = sorted(range(len(chances)), key=lambda i: chances[i], reverse=True)
    rates = [0.0] * len(chances)
    lowest = 1.0
    for rank, i in zip(range(len(chances), 0, -1), order, strict=True):
        lowest = min(lowest, chances[i] * len(chances) / rank)
        rates[i] = lowest
    return rates


# Verdicts: a word for a difference with its interval, and the games it would take

GAMES_MARGIN = 2
"""The games to play for each game that would just suffice."""
MAX_GAMES_NEEDED = 10**6
"""A larger number of games would not help, since nobody plays as many."""


class Verdict(StrEnum):
    """A verdict on a difference, by its interval and the margin."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    """It is clearly smaller than the margin."""
    INCONCLUSIVE = "inconclusive"

    @property
    def is_sure(self) -> bool:
        """Whether it is known which of the two is better."""
        return self in (Verdict.BETTER, Verdict.WORSE)

    @property
    def opposite(self) -> Verdict:
        """The verdict from the opponent's side."""
        turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
        return turned.get(self, self)


def find_verdict(interval: Interval, margin: float = 0.0, even: float = 0.0) -> Verdict:
    """Return the verdict on a value with this interval, compared with `even`.

    The interval of a value among several, or chosen among them, has to be simultaneous
    with the other intervals. `margin` is the difference that does not matter. A smaller
    difference is still called better or worse if it is significant.
    """
    low, high = interval.low - even, interval.high - even
    if low > 0:
        return Verdict.BETTER
    if high < 0:
        return Verdict.WORSE
    is_small = -margin < low and high < margin
    return Verdict.EQUAL if is_small else Verdict.INCONCLUSIVE


def merge_verdicts(first: Verdict, *others: Verdict) -> Verdict:
    """Return the first verdict, unless another trial is sure of the opposite."""
    is_disputed = first.is_sure and first.opposite in others
    return Verdict.INCONCLUSIVE if is_disputed else first


def games_needed(
    value: float, interval: Interval, games: int, margin: float = 0.0, even: float = 0.0
) -> int | None:
    """Return about how many games settle whether a value differs from `even`.

    The interval comes from `games`, and its width falls with their root. With just
    enough games to bring its end to `even`, chance would decide. With `GAMES_MARGIN`
    times as many, the interval leaves `even` out in four of five runs, if the value is
    the true value. The number, in two digits, is the smaller of the games that show the
    difference and the games that show that it is below the margin. None if no number
    suffices, or only `MAX_GAMES_NEEDED` or more.
    """
    lead = abs(value - even)
    inner = value - interval.low  # the half of the interval towards `even`
    outer = interval.high - value
    if value < even:
        inner, outer = outer, inner
    needed = []
    for reach, room in ((inner, lead), (outer, margin - lead)):
        if room > 0:
            needed.append(GAMES_MARGIN * games * (reach / room) ** 2)
    if not needed or not 0 < min(needed) < MAX_GAMES_NEEDED:
        return None
    step = int(10 ** max(0, floor(log10(min(needed))) - 1))
    return max(games, ceil(min(needed) / step) * step)
