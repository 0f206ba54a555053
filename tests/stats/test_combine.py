"""Means of estimates."""

from __future__ import annotations

import pytest

from deckcheck.stats import Estimate, Interval, mean_estimate, mean_score_interval
from deckcheck.stats.combine import difference


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


def test_games_without_weight_are_none_of_the_mean() -> None:
    half = Estimate(0.5, Interval(0.4, 0.6), 100)
    mean = mean_estimate([half, Estimate(0.9, Interval(0.8, 1.0), 7)], [2.0, 0.0])

    assert mean == half


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


def test_a_difference_reaches_down_where_the_second_is_higher() -> None:
    """Reaches of 3 and 4 points make 5 downwards, those of 12 and 5 make 13 upwards."""
    a = Estimate(0.50, Interval(0.47, 0.62), 100)
    b = Estimate(0.30, Interval(0.25, 0.34), 60)

    assert difference(a, b).value == pytest.approx(0.20)
    assert difference(a, b).interval == pytest.approx((0.15, 0.33))
    assert difference(b, a).interval == pytest.approx((-0.33, -0.15))
    assert difference(a, b).games == 160


@pytest.mark.parametrize(
    ("a", "b", "interval"),
    [
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((10, 10), (0, 20), (0.6791, 1.0000)),
    ],
)
def test_a_difference_of_shares_is_that_of_newcombe(
    a: tuple[int, int], b: tuple[int, int], interval: tuple[float, float]
) -> None:
    """Method 10 of table II: Newcombe (1998), Statistics in Medicine 17, 873-890."""

    def share(wins: int, games: int) -> Estimate:
        ends = mean_score_interval([games - wins, wins])
        return Estimate(wins / games, ends, games)

    assert difference(share(*a), share(*b)).interval == pytest.approx(
        interval, abs=5e-5
    )
