"""Intervals from means and variances."""

from __future__ import annotations

import pytest

from deckcheck.stats import wilson
from deckcheck.stats.intervals import bounded_interval, bounded_mean_interval
from deckcheck.stats.regression import grouped_difference, mean_of_grouped


def test_without_variation_an_interval_has_a_width() -> None:
    """Six pairs that all were the same say little of the seventh."""
    low, high = bounded_interval(0.0, 0.0, 6, 5)

    assert (low, high) == pytest.approx((-0.39, 0.39), abs=0.01)


def test_without_freedom_all_is_possible() -> None:
    assert bounded_interval(0.1, 0.0, 1, 0) == (-1.0, 1.0)


def test_many_observations_reach_as_far_as_the_normal_distribution() -> None:
    low, high = bounded_interval(0.02, 0.04, 10_000, 9_999)

    assert (low, high) == pytest.approx((0.02 - 0.00392, 0.02 + 0.00392), abs=1e-5)


def test_a_mean_of_zeros_and_ones_is_a_proportion() -> None:
    """But for Student's quantile, which takes the place of the normal one."""
    rate, count = 0.03, 100_000
    variance = rate * (1 - rate) * count / (count - 1)
    low, high = bounded_mean_interval(1 + rate, variance, count, within=(1, 2))

    proportion = wilson(3_000, count)
    assert (low - 1, high - 1) == pytest.approx(tuple(proportion), abs=1e-6)


def test_a_mean_near_a_bound_leans_away_from_it() -> None:
    low, high = bounded_mean_interval(1.1, 0.09, 40, within=(1, 3))

    assert 1 < low < 1.1 < high < 3
    assert high - 1.1 > 1.5 * (1.1 - low)


def test_a_mean_without_variation_has_a_width() -> None:
    inside = bounded_mean_interval(2.0, 0.0, 10, within=(1, 3))
    at_the_end = bounded_mean_interval(1.0, 0.0, 10, within=(1, 3))

    assert inside == pytest.approx((2 - 0.2775, 2 + 0.2775), abs=1e-3)
    assert at_the_end == pytest.approx((1, 1 + 2 * 0.2775), abs=1e-3)
    assert bounded_mean_interval(2.0, 0.0, 1, within=(1, 3)) == (1, 3)


def test_observations_that_go_together_are_worth_fewer() -> None:
    whole = bounded_mean_interval(1.5, 0.25, 40, within=(1, 2))
    half = bounded_mean_interval(1.5, 0.25, 40, 0.5, within=(1, 2))

    assert half.high - 1.5 > 1.35 * (whole.high - 1.5)


def test_groups_of_one_are_pairs() -> None:
    """Eight pairs of shuffles, of which the later run won three halves more."""
    before = [0, 1, 2, 3, 4, 0, 1, 2] + [0] * 120
    after = [1, 1, 3, 3, 4, 0, 2, 2] + [0] * 120
    found = grouped_difference(before, after, 8, 4)

    assert found.value == pytest.approx(3 / 8 / 4)
    assert found.variance == pytest.approx(3 / 8 * 5 / 8 / 7 / 16)
    assert found.freedom == 7


def test_equal_groups_leave_no_variance() -> None:
    groups = list(range(128))

    assert grouped_difference(groups, groups, 1_000, 4).variance == 0.0


def test_the_mean_of_several_is_known_better() -> None:
    found = grouped_difference([0, 4] * 64, [4, 4] * 64, 128, 4)
    mean = mean_of_grouped([found, found.opposite()])

    assert mean.value == 0.0
    assert mean.variance == pytest.approx(found.variance / 2)
    assert mean.count == 256
