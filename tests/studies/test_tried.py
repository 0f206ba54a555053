"""The effect of a swap, from sums over the sets with each opponent."""

from __future__ import annotations

from statistics import fmean, variance
from typing import Any

import numpy as np
import pytest

from deckcheck.playing.kernel import Head, Ints, new_tally
from deckcheck.stats.intervals import bounded_interval
from deckcheck.studies.swaps import HALF_POINTS, Swap, Trial, TriedSwaps

SWAP = Swap("out", "in")


class Sums:
    """Stands in for a table: the gain of one swap in each set, in half-points."""

    def __init__(self, *gains: int) -> None:
        self.gains = gains

    def sums(self, _: Ints) -> Ints:
        return np.array([[sum(self.gains)], [sum(gain**2 for gain in self.gains)]])


@pytest.mark.parametrize(
    "gains",
    [[(4, 0), (1, -2)], [(2, 0, 1, 1), (0, 3, -1, 0)], [(1, 1), (0, 2), (2, 2)]],
)
def test_chance_is_that_within_the_sets_of_each_opponent(
    gains: list[tuple[int, ...]],
) -> None:
    tallies = [new_tally(2, 2) for _ in gains]
    for tally, own in zip(tallies, gains, strict=True):
        tally[0, Head.SETS] = len(own)
    tables: Any = [Sums(*own) for own in gains]
    effect = TriedSwaps(Trial((SWAP,), {}), tables, tallies).gain(SWAP)

    rates = [[gain / HALF_POINTS for gain in own] for own in gains]
    value = fmean(fmean(own) for own in rates)
    error = sum(variance(own) / len(own) for own in rates) / len(rates) ** 2
    sets = sum(map(len, rates))
    expected = bounded_interval(value, error * sets, sets, sets - len(rates))
    assert effect.value == pytest.approx(value)
    assert effect.interval == pytest.approx(expected)
