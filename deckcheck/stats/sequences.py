"""Intervals that hold however often and whenever one looks: confidence sequences.

An interval for a fixed number of games is wrong more often than it says when a run is
stopped because of what it shows. These are not: with the stated chance all of them, at
every number of games, hold the true value.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import Interval

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
