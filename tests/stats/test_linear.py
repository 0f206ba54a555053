"""Weighted sums of mean scores: known special cases, and lopsided ones."""

from __future__ import annotations

import numpy as np
import pytest

from deckcheck.stats import mean_score_interval
from deckcheck.stats.regression import is_above, linear_interval


def test_of_one_score_it_is_the_score_interval() -> None:
    low, high = mean_score_interval([3, 0, 5, 1, 9])

    assert linear_interval([1.0], [[3, 0, 5, 1, 9]]) == (low, high)
    assert linear_interval([2.0], [[3, 0, 5, 1, 9]]) == (2 * low, 2 * high)


def test_the_fit_of_several_is_that_of_one() -> None:
    """Two scores, one of which weighs almost nothing: but for a degree of freedom."""
    low, high = mean_score_interval([300, 0, 500, 100, 900])
    near = linear_interval([1.0, 1e-9], [[300, 0, 500, 100, 900], [50, 0, 0, 0, 50]])

    assert near == pytest.approx((low, high), abs=1e-5)


def test_it_is_mirrored_when_all_scores_are() -> None:
    counts = [[8, 1, 0, 0, 1], [10, 0, 0, 0, 0], [5, 5, 0, 0, 0]]
    low, high = linear_interval([0.2, 0.5, 0.3], counts)
    turned = linear_interval([0.2, 0.5, 0.3], [each[::-1] for each in counts])

    assert turned == pytest.approx((1 - high, 1 - low), abs=1e-6)


def test_scores_may_have_different_numbers_of_values() -> None:
    """Single games beside pairs, the same as pairs of nothing but whole wins."""
    pairs = linear_interval([0.5, 0.5], [[7, 0, 0, 0, 3], [1, 2, 3, 2, 1]])
    mixed = linear_interval([0.5, 0.5], [[7, 3], [1, 2, 3, 2, 1]])

    assert mixed == pytest.approx(pairs)


def test_nothing_is_known_without_observations() -> None:
    assert linear_interval([0.5, 0.5], [[0, 0, 0], [1, 2, 3]]) == (0.0, 1.0)
    assert linear_interval([1.0, -1.0], [[0, 0], [1, 2]]) == (-1.0, 1.0)


def test_one_that_never_varied_still_has_its_part() -> None:
    """It weighs most: what it may hide is more than what the others vary by."""
    low, high = linear_interval([0.8, 0.2], [[20, 0, 0, 0, 0], [5, 0, 10, 0, 5]])

    assert high - 0.1 > 0.8 * 3.84 / (20 + 3.84)
    assert low < 0.1


@pytest.mark.parametrize("opponents", [2, 14])
def test_neither_side_misses_more_than_it_may(opponents: int) -> None:
    """At 3 % and 10 pairs with each, where sums of squared reaches missed 13.6 %."""
    chance = np.random.default_rng(opponents)
    missed = np.zeros(2)
    for _ in range(400):
        won = chance.binomial(2, 0.03, (opponents, 10))
        counts = [np.bincount(2 * each, minlength=5).tolist() for each in won]
        low, high = linear_interval([1 / opponents] * opponents, counts)
        missed += low > 0.03, high < 0.03

    assert (missed <= 0.055 * 400).all()


@pytest.mark.parametrize("seed", range(8))
def test_whether_an_interval_lies_above_is_told_without_its_ends(seed: int) -> None:
    chance = np.random.default_rng(seed)
    # The first has one observation of each score, the second a single score.
    scores, games = (1 if seed == 1 else 6), (1 if seed == 0 else 20 * seed)
    shares = chance.dirichlet(np.ones(5), scores)
    counts = chance.multinomial(games, shares).tolist()
    weights = chance.normal(size=scores).tolist()
    low = linear_interval(weights, counts).low

    assert is_above(low - 1e-6, weights, counts)
    assert not is_above(low + 1e-6, weights, counts)
