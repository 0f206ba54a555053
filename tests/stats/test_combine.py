"""Means of estimates."""

from __future__ import annotations

import pytest

from deckcheck.stats import Estimate, Interval, mean_estimate


def test_the_mean_of_one_is_itself() -> None:
    estimate = Estimate(0.6, Interval(0.55, 0.66), 200)

    assert estimate == mean_estimate([estimate])


def test_every_estimate_weighs_the_same() -> None:
    mean = mean_estimate(
        [
            Estimate(0.8, Interval(0.7, 0.9), 100),
            Estimate(0.4, Interval(0.2, 0.6), 10),
        ]
    )

    assert mean.value == pytest.approx(0.6)
    assert mean.games == 110


def test_reaches_combine_by_side() -> None:
    mean = mean_estimate(
        [
            Estimate(0.5, Interval(0.47, 0.56), 100),
            Estimate(0.5, Interval(0.46, 0.58), 100),
        ]
    )

    assert mean.interval == pytest.approx((0.5 - 0.025, 0.5 + 0.05))


def test_stays_within_bounds() -> None:
    mean = mean_estimate([Estimate(1.0, Interval(0.9, 1.0), 50)] * 2)

    assert mean.interval.high == 1.0


def test_refuses_nothing() -> None:
    with pytest.raises(ValueError, match="no estimates"):
        mean_estimate([])
