"""Results that are valid at every checkpoint, and differences of paired games.

Intervals, the sequential probability ratio test, and the elimination of settled names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp, log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import DEFAULT_LEVEL, Interval, mean_score_interval

# Intervals that hold however often and whenever one looks: confidence sequences
#
# An interval for a fixed number of games is wrong too often when a run is stopped
# because of its results so far. These are not: with the stated chance all of them, at
# every number of games, hold the true value.

Floats: TypeAlias = npt.NDArray[np.float64]

BET_STAKES = 0.98 * np.exp(-0.25 * np.arange(31))
"""Shares of the wealth that are bet. Large stakes decide early, small stakes late."""

BEST_AT = 2_000
"""The number of observations at which means are known best, unless told otherwise."""
MAX_STEPS = 60


def anytime_score_interval(
    counts: Sequence[float], level: float = DEFAULT_LEVEL
) -> Interval:
    """Return the interval for the mean of a bounded score, valid under looking.

    `counts[i]` is how often the score was `i / (len(counts) - 1)`. A gambler who bets
    that the mean is above `mu` (or below) at fair odds gets rich only if that is right:
    if `mu` is the mean, their wealth ever exceeds `1 / alpha` with a chance of at most
    `alpha`. The interval holds every `mu` at which they are not that rich. They spread
    the money over `BET_STAKES`, and so the wealth depends on the counts alone, not on
    their order. `(0, 1)` without observations.

    The scores may have different means as long as they come in rounds of all of them:
    the interval is then for the mean of these means, by the inequality of arithmetic
    and geometric means.

    Source: I. Waudby-Smith and A. Ramdas (2024), Estimating means of bounded random
    variables by betting, Journal of the Royal Statistical Society B 86. J. Ville
    (1939), Étude critique de la notion de collectif. F. Orabona and K.-S. Jun (2024),
    Tight concentrations and confidence sequences from the regret of universal
    portfolio, IEEE Transactions on Information Theory 70, for betting by mixtures.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts must be two or more, none negative: {list(counts)}")
    if not 0 < level < 1:
        raise ValueError(f"the level must be between 0 and 1, not {level}")
    seen = np.asarray(counts, np.float64)
    if not seen.any():
        return Interval(0.0, 1.0)
    bound = log(2 / (1 - level))
    return Interval(_lower_end(seen, bound), 1.0 - _lower_end(seen[::-1], bound))


def log_wealth(counts: Floats, mean: float) -> Floats:
    """Return the log of the wealth from betting 1 on more than `mean`, by row."""
    values = np.linspace(0.0, 1.0, counts.shape[-1]) / mean - 1.0
    growth = counts @ np.log1p(np.outer(values, BET_STAKES))
    most = growth.max(axis=-1)
    mixed = np.exp(growth - most[..., np.newaxis]).mean(axis=-1)
    wealth: Floats = most + np.log(mixed)
    return wealth


def anytime_mean_interval(
    total: float,
    squares: float,
    count: int,
    worth: float = 1.0,
    level: float = DEFAULT_LEVEL,
    *,
    best_at: int = BEST_AT,
) -> Interval:
    """Return the interval for the mean of any figure, valid under looking.

    Arguments are as for `mean_interval`. It relies on the central limit theorem, too:
    it holds at all times together once there are enough observations.

    Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas (2024),
    Time-uniform central limit theory and asymptotic confidence sequences, Annals of
    Statistics 52.
    """
    mean = total / count
    if count < 2:
        return Interval(mean, mean)
    alpha = 1 - level
    variance = max(0.0, squares - total * mean) / (count - 1)
    n = worth * count
    scale = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / best_at
    grown = n * scale + 1
    reach = sqrt(variance * 2 * grown / (n * n * scale) * log(sqrt(grown) / alpha))
    return Interval(mean - reach, mean + reach)


def _lower_end(counts: Floats, bound: float) -> float:
    """Return the smallest mean that betting on more does not rule out.

    Wealth falls as the mean rises, and is at most 1 at the observed mean.
    """
    scores = np.linspace(0.0, 1.0, len(counts))
    high = float(counts @ scores / counts.sum())
    if high == 0.0:
        return 0.0
    low = exp(-bound) * high / len(BET_STAKES)
    while float(log_wealth(counts, low)) < bound:
        low /= 2
    for _ in range(MAX_STEPS):
        middle = (low + high) / 2
        if float(log_wealth(counts, middle)) >= bound:
            low = middle
        else:
            high = middle
    return low


# The sequential probability ratio test of a difference in playing strength
#
# Scores take equally spaced values from 0 to 1: three for single games (lost, drawn,
# won), five for game pairs. Their distribution is not known, so the ratio compares the
# most likely distributions that have the two tested strengths (a generalised ratio).
# Error rates hold approximately, for large enough counts.
#
# Source: A. Wald (1945), Sequential tests of statistical hypotheses, Annals of
# Mathematical Statistics 16; M. Van den Bergh, The generalized SPRT, and its Normalized
# Elo (2021), notes to the Fishtest framework.

UNSEEN_COUNT = 1e-3  # of a score that never happened, so that no ratio is infinite
EVEN_SCORE = 0.5
END_PRECISION = 1e-12
MAX_FIT_STEPS = 200
ELO_PER_DEVIATION = 800 / log(10)  # Elo for a lead of one standard deviation of a game


class EloScale(StrEnum):
    """The scale of a lead in Elo."""

    LOGISTIC = "logistic"  # by the score that it leads to
    NORMALISED = "normalised"  # by the score in standard deviations of a single game


MAX_LEAD = {EloScale.LOGISTIC: 2_000.0, EloScale.NORMALISED: 200.0}
"""The largest lead that can be tested.

No counts have a score that is 231 normalised Elo off one half.
"""


class SprtDecision(StrEnum):
    """The decision of a sequential test."""

    GOING = "going on"
    LOWER = "lower accepted"
    HIGHER = "higher accepted"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test whether a lead is `elo0` or `elo1`."""

    elo0: float
    elo1: float
    """The larger lead of the two."""
    alpha: float = 0.05
    """The chance to find `elo1` where `elo0` holds."""
    beta: float = 0.05
    """The chance to find `elo0` where `elo1` holds."""
    scale: EloScale = EloScale.LOGISTIC

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"{self.elo0} is not less than {self.elo1} Elo")
        most = MAX_LEAD[self.scale]
        if max(-self.elo0, self.elo1) > most:
            raise ValueError(f"leads go to {most:,.0f} Elo ({self.scale})")
        if not (0 < self.alpha < EVEN_SCORE and 0 < self.beta < EVEN_SCORE):
            raise ValueError("alpha and beta must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0`, or `elo1`, is accepted."""
        return (
            log(self.beta / (1 - self.alpha)),
            log((1 - self.beta) / self.alpha),
        )

    def ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of `elo1` to `elo0`.

        It is positive in favour of `elo1`. `counts[i]` is how often the score was
        `i / (len(counts) - 1)`.
        """
        if len(counts) < 2 or min(counts) < 0:
            raise ValueError(f"counts must be two or more, none negative: {counts}")
        if sum(counts) == 0:
            return 0.0
        seen = [count or UNSEEN_COUNT for count in counts]
        lower = self._fit(seen, self.elo0)
        higher = self._fit(seen, self.elo1)
        return sum(
            count * log(q / p) for count, p, q in zip(seen, lower, higher, strict=True)
        )

    def verdict(self, counts: Sequence[float]) -> SprtDecision:
        """Return the decision of the test with these counts."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        if ratio <= low:
            return SprtDecision.LOWER
        return SprtDecision.HIGHER if ratio >= high else SprtDecision.GOING

    def _fit(self, counts: Sequence[float], elo: float) -> list[float]:
        """Return the most likely distribution of scores with this lead."""
        scores = [i / (len(counts) - 1) for i in range(len(counts))]
        if self.scale is EloScale.LOGISTIC:
            return _fit_mean_zero(counts, [x - elo_to_score(elo) for x in scores])
        games = (len(counts) - 1) / 2
        return _fit_lead(counts, scores, elo / ELO_PER_DEVIATION * sqrt(games))


def elo_to_score(elo: float) -> float:
    """Return the score, from 0 to 1, that a lead in logistic Elo leads to."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def score_to_elo(score: float) -> float:
    """Return the lead in logistic Elo that leads to `score`, between 0 and 1."""
    return 400 * log(score / (1 - score)) / log(10)


def _fit_mean_zero(counts: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the most likely distribution over `values` with the mean 0.

    Its weights are `counts[i] / (n (1 + tilt values[i]))` for the only `tilt` that
    leads to this mean. All counts are positive, and there are values on both sides of
    0.
    """
    n = sum(counts)
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(MAX_FIT_STEPS):
        tilt = (low + high) / 2
        if high - low <= END_PRECISION * (1 + abs(tilt)):
            break
        mean = sum(c * v / (1 + tilt * v) for c, v in zip(counts, values, strict=True))
        low, high = (tilt, high) if mean > 0 else (low, tilt)
    return [c / n / (1 + tilt * v) for c, v in zip(counts, values, strict=True)]


def _fit_lead(
    counts: Sequence[float], scores: Sequence[float], lead: float
) -> list[float]:
    """Return the most likely distribution whose mean is `lead` deviations above 0.5.

    The condition is made linear at the last distribution, until that does not change.
    """
    likeliest = [1 / len(counts)] * len(counts)
    for _ in range(MAX_FIT_STEPS):
        last = likeliest
        mean = sum(p * x for p, x in zip(last, scores, strict=True))
        variance = sum(p * (x - mean) ** 2 for p, x in zip(last, scores, strict=True))
        spread = sqrt(variance)
        values = []
        for x in scores:
            needed = lead * spread / 2 * (1 + ((x - mean) / spread) ** 2)
            values.append(x - EVEN_SCORE - needed)
        likeliest = _fit_mean_zero(counts, values)
        change = max(abs(p - q) for p, q in zip(last, likeliest, strict=True))
        if change < END_PRECISION:
            break
    return likeliest


# The order of several names by their mean scores, and how far it is settled


@dataclass(slots=True)
class Elimination:
    """Successive elimination of names whose place in the order is settled.

    At each checkpoint the counts of the unsettled names are given. A name is settled as
    soon as its interval does not meet any other interval. The intervals hold at all
    times and for all names together, so that with a chance of at least `level` every
    order that follows from settled places is the true order, whenever the looks are.

    Source: R. Heckel, N. B. Shah, K. Ramchandran and M. J. Wainwright (2019), Active
    ranking from pairwise comparisons and when parametric assumptions do not help,
    Annals of Statistics 47.
    """

    names: Sequence[str]
    level: float = DEFAULT_LEVEL
    intervals: dict[str, Interval] = field(default_factory=dict)
    """The last interval of each name."""
    settled: set[str] = field(default_factory=set)

    @property
    def open(self) -> list[str]:
        """The names whose place is not settled, in the order of `names`."""
        return [name for name in self.names if name not in self.settled]

    def look(self, counts: Mapping[str, Sequence[float]]) -> None:
        """Update the intervals by all counts so far of the names in `open`.

        `counts[name][i]` is how often the score was `i / (len(counts[name]) - 1)`.
        """
        level = 1 - (1 - self.level) / len(self.names)
        for name in self.open:
            self.intervals[name] = anytime_score_interval(counts[name], level)
        for name in self.open:
            low, high = self.intervals[name]
            others = [self.intervals[other] for other in self.names if other != name]
            if not any(low <= other.high and other.low <= high for other in others):
                self.settled.add(name)


# The difference of two decks that played the same games, and the gain of pairing
#
# `joint[i, j]` is how often the first scored `i / (k - 1)` where the second scored
# `j / (k - 1)`, an array of k by k counts.

Joint: TypeAlias = npt.NDArray[np.int64]


def difference_counts(joint: Joint) -> list[int]:
    """Return how often the second scored more by each difference, from -1 to 1."""
    offsets = range(1 - len(joint), len(joint))
    return [int(np.trace(joint, offset)) for offset in offsets]


def mean_difference(joint: Joint) -> float:
    """Return by how much the second scored more than the first, -1 to 1."""
    steps = len(joint) - 1
    gained = sum(i * n for i, n in enumerate(difference_counts(joint), -steps))
    return gained / (int(joint.sum()) * steps)


def difference_interval(
    joint: Joint, level: float = DEFAULT_LEVEL, *, anytime: bool = False
) -> Interval:
    """Return the interval of `mean_difference`, which holds under looking if `anytime`.

    A difference is a bounded score, see `mean_score_interval`.
    """
    find_interval = anytime_score_interval if anytime else mean_score_interval
    low, high = find_interval(difference_counts(joint), level)
    return Interval(2 * low - 1, 2 * high - 1)


def variance_ratio(joints: Sequence[Joint]) -> float | None:
    """Return how many times as many games the two would need in different games.

    It is the variance of the difference of independent scores, divided by the variance
    of the difference in the same games, both added up over tables. None if scores in
    the same games never differed.
    """
    apart = 0.0
    together = 0.0
    for joint in joints:
        apart += _variance(joint.sum(axis=0)) + _variance(joint.sum(axis=1))
        together += _variance(np.array(difference_counts(joint)))
    return apart / together if together > 0 else None


def _variance(counts: npt.NDArray[np.int64]) -> float:
    """Return the variance of an index by how often each index happened."""
    places = np.arange(len(counts))
    total = int(counts.sum())
    mean = float(counts @ places) / total
    return float(counts @ (places - mean) ** 2) / total
