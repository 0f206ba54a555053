"""The size of unexplained differences, less the part of chance, and shares of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deckcheck.stats.combinations import Estimate
from deckcheck.stats.intervals import Interval
from deckcheck.stats.weighted_sums import Floats

BOOTSTRAP_DRAWS = 1_000
"""The number of samples of noise."""
_TAIL_SHARE = 0.025
"""The share of samples beyond each end of an interval."""
_BISECTION_STEPS = 30
_MAX_CELLS = 2**18
"""The most values that are drawn at once, which bounds the memory."""
_ROUNDING_ERROR = 1e-12
"""A part of this size or less is 0."""


def squared_size(
    values: Floats,
    project: Callable[[Floats], Floats],
    by_chance: float,
    variances: Floats,
    freedom: Floats,
    *,
    seed: int,
) -> Estimate:
    """Return the squared length of the projection of the true values.

    `values` are measured independently. Their `variances` are estimated with these
    degrees of `freedom`. `project` returns the projections of vectors, a row
    each, and `by_chance` is the squared length of a projection that chance alone would
    make, which is subtracted. The interval holds every length with which the measured
    length is not among the 2.5% largest or smallest of a parametric bootstrap, in
    which the projection has the measured direction. A length below the length from
    chance alone is reported as the latter, so that an interval is never narrow by luck.
    `games` is 0.

    If the true projection is `scale` times the measured projection `p`, and `e` is the
    projection of noise, then the measured squared length is

        |scale p + e|^2 = scale^2 |p|^2 + 2 scale p e + |e|^2

    Source: B. Efron and R. Tibshirani (1993), An introduction to the bootstrap, chapter
    12. G. Cowan, K. Cranmer, E. Gross and O. Vitells (2011), Power-constrained limits.
    """
    along = project(values[None, :])[0]
    length = float(along @ along)
    squares = np.empty(BOOTSTRAP_DRAWS)
    products = np.empty(BOOTSTRAP_DRAWS)
    generator = np.random.default_rng(seed)
    deviations = np.sqrt(variances)
    step = max(1, _MAX_CELLS // len(values))
    for first in range(0, BOOTSTRAP_DRAWS, step):
        end = min(first + step, BOOTSTRAP_DRAWS)
        size = (end - first, len(values))
        noise = project(generator.standard_t(freedom, size) * deviations)
        squares[first:end] = (noise**2).sum(axis=1)
        products[first:end] = 2 * noise @ along

    def draw_lengths(scale: float) -> Floats:
        return np.asarray(scale * scale * length + scale * products + squares)

    def reaches_low_end(scale: float) -> bool:
        return find_quantile(draw_lengths(scale), 1 - _TAIL_SHARE) >= length

    def reaches_high_end(scale: float) -> bool:
        shortest = find_quantile(draw_lengths(scale), _TAIL_SHARE)
        return shortest >= max(length, by_chance)

    low = _find_least_scale(reaches_low_end) ** 2 * length
    high = _find_least_scale(reaches_high_end) ** 2 * length
    value = max(0.0, length - by_chance)
    return Estimate(value, Interval(min(low, value), max(high, value)), 0)


def find_quantile(values: Floats, share: float) -> float:
    """Return the value below which this share of the values is."""
    position = round(share * (len(values) - 1))
    return float(np.partition(values, position)[position])


def _find_least_scale(holds: Callable[[float], bool]) -> float:
    """Return the least scale from which a condition holds at all scales."""
    if holds(0.0):
        return 0.0
    high = 1.0
    while not holds(high) and high < 2.0**_BISECTION_STEPS:
        high *= 2
    low = 0.0
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def estimate_share(part: Estimate, rest: Estimate) -> Estimate:
    """Return the share of a part in the whole, with the widest possible interval.

    Its ends are the least part with the most rest, and the most part with the least
    rest.
    """
    value = _compute_share(part.value, rest.value)
    low = _compute_share(part.interval.low, rest.interval.high)
    high = _compute_share(part.interval.high, rest.interval.low)
    return Estimate(value, Interval(low, high), 0)


def _compute_share(part: float, rest: float) -> float:
    """Return the share of a part, 0 for a part that is only an error of rounding."""
    if part <= _ROUNDING_ERROR:
        return 0.0
    return part / (part + rest)


def map_estimate(scale: Callable[[float], float], estimate: Estimate) -> Estimate:
    """Return an estimate on another scale, which rises with the old scale."""
    low, high = map(scale, estimate.interval)
    return Estimate(scale(estimate.value), Interval(low, high), estimate.games)
