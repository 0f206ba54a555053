"""How much of what was measured is not explained, with the part of chance taken off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from deckcheck.stats.combine import Estimate
from deckcheck.stats.intervals import Interval

Matrix = npt.NDArray[np.float64]

DRAWS = 1_000
_TAIL = 0.025
_STEPS = 30
_CELLS = 2**18
"""Values that are drawn at once, which bounds the memory."""


def squared_size(
    values: Matrix,
    project: Callable[[Matrix], Matrix],
    by_chance: float,
    variances: Matrix,
    freedom: Matrix,
    *,
    seed: int = 1,
) -> Estimate:
    """Return the squared length of the projection of the true values.

    `values` are measured independently, with `variances` that are themselves estimated
    with these degrees of `freedom`. `project` returns the projections of vectors, a row
    each, and `by_chance` is the squared length of a projection that chance alone would
    make, which is taken off. The interval holds every length with which the measured
    one is not among the 2.5 % largest or smallest of a parametric bootstrap, in which
    the projection has the direction that was measured. What lies below the length that
    chance alone would make is reported as that length would be, so that an interval is
    never narrow by luck. `games` is 0.

    Source: B. Efron and R. Tibshirani (1993), An introduction to the bootstrap, chapter
    12; G. Cowan, K. Cranmer, E. Gross and O. Vitells (2011), Power-constrained limits.
    """
    along = project(values[None, :])[0]
    length = float(along @ along)
    squares, products = np.empty(DRAWS), np.empty(DRAWS)
    chance = np.random.default_rng(seed)
    deviations, step = np.sqrt(variances), max(1, _CELLS // len(values))
    for first in range(0, DRAWS, step):
        part = slice(first, min(first + step, DRAWS))
        size = (part.stop - first, len(values))
        noise = project(chance.standard_t(freedom, size) * deviations)
        squares[part] = (noise**2).sum(axis=1)
        products[part] = 2 * noise @ along

    def drawn(scale: float) -> Matrix:
        return np.asarray(scale * scale * length + scale * products + squares)

    def low_end(scale: float) -> bool:
        return _quantile(drawn(scale), 1 - _TAIL) >= length

    def high_end(scale: float) -> bool:
        return _quantile(drawn(scale), _TAIL) >= max(length, by_chance)

    low, high = (_first(end) ** 2 * length for end in (low_end, high_end))
    value = max(0.0, length - by_chance)
    return Estimate(value, Interval(min(low, value), max(high, value)), 0)


def _quantile(values: Matrix, part: float) -> float:
    place = round(part * (len(values) - 1))
    return float(np.partition(values, place)[place])


def _first(holds: Callable[[float], bool]) -> float:
    """The least scale at which something holds that holds at all larger ones."""
    if holds(0.0):
        return 0.0
    high = 1.0
    while not holds(high) and high < 2.0**_STEPS:
        high *= 2
    low = 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
