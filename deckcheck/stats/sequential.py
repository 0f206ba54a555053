"""Anytime intervals, SPRT, elimination, paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp, log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import Interval, mean_score_interval

# Intervals that hold however often and whenever one looks: confidence sequences.
#
# An interval for a fixed number of games is wrong more often than it says when a run is
# stopped because of what it shows. These are not: with the stated chance all of them,
# at every number of games, hold the true value.

Floats: TypeAlias = npt.NDArray[np.float64]

STAKES = 0.98 * np.exp(-0.25 * np.arange(31))
"""Shares of the wealth that are bet: large ones tell early, small ones late."""

BEST_AT = 2_000  # the number of observations at which means are known best
STEPS = 60


def anytime_score_interval(counts: Sequence[float], level: float = 0.95) -> Interval:
    """Return the interval for the mean of a bounded score, valid under looking.

    `counts[i]` is how often the score was `i / (len(counts) - 1)`. A gambler who bets
    that the mean lies above `mu` (or below) at fair odds gets rich only where they are
    right: if `mu` is the mean, their wealth ever exceeds `1 / alpha` with a chance of
    at most `alpha`. The interval holds every `mu` at which they are not that rich. They
    spread the money over `STAKES`, and so the wealth depends on the counts alone, not
    on their order. `(0, 1)` without observations.

    The scores may have different means as long as they come in rounds with one of each:
    the interval is then for the mean of these means, by the inequality of arithmetic
    and geometric means.

    Source: I. Waudby-Smith and A. Ramdas (2024), Estimating means of bounded random
    variables by betting, Journal of the Royal Statistical Society B 86; J. Ville
    (1939), Étude critique de la notion de collectif; F. Orabona and K.-S. Jun (2024),
    Tight concentrations and confidence sequences from the regret of universal
    portfolio, IEEE Transactions on Information Theory 70, for betting by mixtures.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts must be two or more, none negative: {list(counts)}")
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    seen = np.asarray(counts, np.float64)
    if not seen.any():
        return Interval(0.0, 1.0)
    bound = log(2 / (1 - level))
    return Interval(_lower_end(seen, bound), 1.0 - _lower_end(seen[::-1], bound))


def log_wealth(counts: Floats, mean: float) -> Floats:
    """The log of what betting on more than `mean` has made of 1, for rows of counts."""
    values = np.linspace(0.0, 1.0, counts.shape[-1]) / mean - 1.0
    growth = counts @ np.log1p(np.outer(values, STAKES))
    most = growth.max(axis=-1)
    mixed = np.exp(growth - most[..., np.newaxis]).mean(axis=-1)
    wealth: Floats = most + np.log(mixed)
    return wealth


def anytime_mean_interval(
    total: float, squares: float, count: int, worth: float = 1.0, level: float = 0.95
) -> Interval:
    """Return the interval for the mean of any figure, valid under looking.

    Arguments are those of `mean_interval`, and like that one it relies on the central
    limit theorem: it holds at all times together once there are enough observations.

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
    scale = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / BEST_AT
    grown = n * scale + 1
    reach = sqrt(variance * 2 * grown / (n * n * scale) * log(sqrt(grown) / alpha))
    return Interval(mean - reach, mean + reach)


def _lower_end(counts: Floats, bound: float) -> float:
    """The smallest mean that betting on more does not rule out.

    Wealth falls as the mean rises, and is at most 1 at the observed one.
    """
    scores = np.linspace(0.0, 1.0, len(counts))
    high = float(counts @ scores / counts.sum())
    if high == 0.0:
        return 0.0
    low = exp(-bound) * high / len(STAKES)
    while float(log_wealth(counts, low)) < bound:
        low /= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        if float(log_wealth(counts, middle)) >= bound:
            low = middle
        else:
            high = middle
    return low


# The sequential probability ratio test of a difference in playing strength.
#
# Scores take equally spaced values from 0 to 1: three for single games (lost, drawn,
# won), five for mirrored pairs. Their distribution is not known, so that the ratio is
# that of the two most likely distributions that have the strengths tested (a
# generalised ratio). Error rates hold for counts that are large enough for that, not to
# the letter.
#
# Source: A. Wald (1945), Sequential tests of statistical hypotheses, Annals of
# Mathematical Statistics 16; M. Van den Bergh, The generalized SPRT, and its Normalized
# Elo (2021), notes to the Fishtest framework.

UNSEEN = 1e-3  # the count of a score that has not come up, so that no ratio is infinite
MIDDLE = 0.5
PRECISION = 1e-12
MOST_STEPS = 200
NORMALISED = 800 / log(10)  # Elo for a lead of one standard deviation of a game


class EloScale(StrEnum):
    """The scale of a lead in Elo."""

    LOGISTIC = "logistic"  # by the score that it leads to
    NORMALISED = "normalised"  # by the score in standard deviations of a single game


LARGEST = {EloScale.LOGISTIC: 2_000.0, EloScale.NORMALISED: 200.0}
"""The largest lead that can be tested. No score is 231 normalised Elo off one half,
with any counts: there a lead in deviations is beyond the ends of the scores."""


class SprtDecision(StrEnum):
    """The decision of a sequential test."""

    GOING = "going on"
    LOWER = "lower accepted"
    HIGHER = "higher accepted"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test whether a lead is `elo0` or `elo1`, the larger of the two.

    `alpha` is the chance to find `elo1` where `elo0` holds, `beta` that of the reverse.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: EloScale = EloScale.LOGISTIC

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"{self.elo0} is not less than {self.elo1} Elo")
        most = LARGEST[self.scale]
        if max(-self.elo0, self.elo1) > most:
            raise ValueError(f"leads go to {most:,.0f} Elo ({self.scale})")
        if not (0 < self.alpha < MIDDLE and 0 < self.beta < MIDDLE):
            raise ValueError("alpha and beta must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0`, or `elo1`, is accepted."""
        return (
            log(self.beta / (1 - self.alpha)),
            log((1 - self.beta) / self.alpha),
        )

    def ratio(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of `elo1` to `elo0`; positive speaks for `elo1`.

        `counts[i]` is how often the score was `i / (len(counts) - 1)`.
        """
        if len(counts) < 2 or min(counts) < 0:
            raise ValueError(f"counts must be two or more, none negative: {counts}")
        if sum(counts) == 0:
            return 0.0
        seen = [count or UNSEEN for count in counts]
        lower, higher = (self._likeliest(seen, elo) for elo in (self.elo0, self.elo1))
        return sum(
            count * log(q / p) for count, p, q in zip(seen, lower, higher, strict=True)
        )

    def verdict(self, counts: Sequence[float]) -> SprtDecision:
        """Whether the test has come to an end with these counts."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        if ratio <= low:
            return SprtDecision.LOWER
        return SprtDecision.HIGHER if ratio >= high else SprtDecision.GOING

    def _likeliest(self, counts: Sequence[float], elo: float) -> list[float]:
        scores = [i / (len(counts) - 1) for i in range(len(counts))]
        if self.scale is EloScale.LOGISTIC:
            return _likeliest(counts, [x - score_of(elo) for x in scores])
        games = (len(counts) - 1) / 2
        return _likeliest_lead(counts, scores, elo / NORMALISED * sqrt(games))


def score_of(elo: float) -> float:
    """The score, from 0 to 1, that a lead in logistic Elo leads to."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """The lead in logistic Elo that leads to `score`, which lies between 0 and 1."""
    return 400 * log(score / (1 - score)) / log(10)


def _likeliest(counts: Sequence[float], values: Sequence[float]) -> list[float]:
    """The most likely distribution over `values` that has the mean 0.

    Its weights are `counts[i] / (n (1 + tilt values[i]))` for the one `tilt` that leads
    to this mean; all counts are positive, and there are values on both sides of 0.
    """
    n = sum(counts)
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(MOST_STEPS):
        tilt = (low + high) / 2
        if high - low <= PRECISION * (1 + abs(tilt)):
            break
        mean = sum(c * v / (1 + tilt * v) for c, v in zip(counts, values, strict=True))
        low, high = (tilt, high) if mean > 0 else (low, tilt)
    return [c / n / (1 + tilt * v) for c, v in zip(counts, values, strict=True)]


def _likeliest_lead(
    counts: Sequence[float], scores: Sequence[float], lead: float
) -> list[float]:
    """The most likely distribution whose mean is `lead` deviations above one half.

    That condition is made linear at the distribution found last, until it stays.
    """
    likeliest = [1 / len(counts)] * len(counts)
    for _ in range(MOST_STEPS):
        mean = sum(p * x for p, x in zip(likeliest, scores, strict=True))
        spread = sqrt(
            sum(p * (x - mean) ** 2 for p, x in zip(likeliest, scores, strict=True))
        )
        last = likeliest
        likeliest = _likeliest(
            counts,
            [
                x - MIDDLE - lead * spread / 2 * (1 + ((x - mean) / spread) ** 2)
                for x in scores
            ],
        )
        if max(abs(p - q) for p, q in zip(last, likeliest, strict=True)) < PRECISION:
            break
    return likeliest


# Finding the order of several by their mean scores: who is settled, who is not.


@dataclass(slots=True)
class Elimination:
    """Successive elimination of those whose place in the order is settled.

    Each of `names` has scores; at each look the counts of those that are not settled
    are given. One is settled as soon as its interval meets that of no other one. The
    intervals hold at all times and for all of them together, so that with a chance of
    at least `level` every order that follows from settled places is the true one, no
    matter when one looks or stops.

    Source: R. Heckel, N. B. Shah, K. Ramchandran and M. J. Wainwright (2019), Active
    ranking from pairwise comparisons and when parametric assumptions do not help,
    Annals of Statistics 47.
    """

    names: Sequence[str]
    level: float = 0.95
    intervals: dict[str, Interval] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)

    @property
    def open(self) -> list[str]:
        """Those whose place is not settled, in the order of `names`."""
        return [name for name in self.names if name not in self.settled]

    def look(self, counts: Mapping[str, Sequence[float]]) -> None:
        """Take note of all counts so far of those in `open`.

        `counts[name][i]` is how often the score was `i / (len(counts[name]) - 1)`.
        """
        level = 1 - (1 - self.level) / len(self.names)
        for name in self.open:
            self.intervals[name] = anytime_score_interval(counts[name], level)
        for name in self.open:
            low, high = self.intervals[name]
            others = (self.intervals[other] for other in self.names if other != name)
            if not any(low <= other.high and other.low <= high for other in others):
                self.settled.add(name)


# Two that played the same games: by how much one is better, and what pairing saves.
#
# `joint[i, j]` is how often the first one scored `i / (k - 1)` where the second one
# scored `j / (k - 1)`, an array of k by k counts.

Joint: TypeAlias = npt.NDArray[np.int64]


def difference_counts(joint: Joint) -> list[int]:
    """How often the second one scored so much more: from -1 to 1 in equal steps."""
    scores = range(len(joint))
    return [
        int(np.trace(joint, offset))
        for offset in (*(-s for s in scores[:0:-1]), *scores)
    ]


def mean_difference(joint: Joint) -> float:
    """By how much the second one scored more than the first, -1 to 1."""
    steps = len(joint) - 1
    gained = sum(i * n for i, n in enumerate(difference_counts(joint), -steps))
    return gained / (int(joint.sum()) * steps)


def difference_interval(
    joint: Joint, level: float = 0.95, *, anytime: bool = False
) -> Interval:
    """The interval of `mean_difference`; it holds under looking if `anytime`.

    A difference is a bounded score, see `mean_score_interval`.
    """
    interval_of = anytime_score_interval if anytime else mean_score_interval
    low, high = interval_of(difference_counts(joint), level)
    return Interval(2 * low - 1, 2 * high - 1)


def variance_ratio(joints: Sequence[Joint]) -> float | None:
    """How many times the games would be needed if the two played other ones each.

    That is the variance of the difference of independent scores, relative to that of
    the scores of the same games, here the sum over several tables. None if these never
    differed.
    """
    apart = sum(
        _variance(joint.sum(axis=0)) + _variance(joint.sum(axis=1)) for joint in joints
    )
    together = sum(_variance(np.array(difference_counts(joint))) for joint in joints)
    return apart / together if together > 0 else None


def _variance(counts: npt.NDArray[np.int64]) -> float:
    """The variance of the place in a list, by how often each came up."""
    places = np.arange(len(counts))
    total = int(counts.sum())
    mean = float(counts @ places) / total
    return float(counts @ (places - mean) ** 2) / total
