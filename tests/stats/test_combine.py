"""Weighted sums of mean scores whose dependence is known."""

from __future__ import annotations

import pytest

from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    anytime_score_interval,
    correlated_difference,
    difference,
    mean_of,
    mean_score_interval,
)

EVEN = (10, 20, 40, 20, 10)


def score(*counts: int, anytime: bool = False) -> Combination:
    """A score of its own, of two games for each observation."""
    return Combination.of(Sample(counts, 2 * sum(counts), anytime=anytime))


def test_the_mean_of_one_is_itself() -> None:
    alone = score(3, 0, 5, 1, 9)

    assert mean_of([alone]).interval() == mean_score_interval([3, 0, 5, 1, 9])
    assert mean_of([alone]).games == 36


def test_every_score_weighs_the_same() -> None:
    mean = mean_of([score(2, 8), score(60, 40)])

    assert mean.value == pytest.approx(0.6)
    assert mean.games == 220


def test_scores_without_weight_are_no_part_of_the_mean() -> None:
    even = score(*EVEN)
    mean = mean_of([even, score(0, 0, 0, 0, 7)], [2.0, 0.0])

    assert mean.games == even.games
    assert mean.interval() == even.interval()


def test_refuses_nothing() -> None:
    with pytest.raises(ValueError, match="no estimates"):
        mean_of([])


def test_a_mean_of_scores_that_all_lost_stays_within_bounds() -> None:
    lost = mean_of([score(10, 0, 0, 0, 0) for _ in range(14)]).interval()

    assert lost.low == 0.0
    assert 0.02 < lost.high < 0.04


def test_what_two_share_cancels() -> None:
    """One score for both: nothing is left of the difference but a constant."""
    shared = score(*EVEN)

    assert difference(shared, shared).interval() == (0.0, 0.0)
    assert difference(shared, shared).games == 0


def test_the_same_counts_from_other_games_do_not_cancel() -> None:
    low, high = difference(score(*EVEN), score(*EVEN)).interval()

    assert low == pytest.approx(-high)
    assert high == pytest.approx(0.0765, abs=1e-3)


def test_two_who_met_only_each_other_differ_by_twice_the_rate() -> None:
    """What one wins the other one loses, so the difference reaches twice as far."""
    own = score(1, 4, 20, 30, 45)
    low, high = own.interval()
    apart = difference(own, own.opposite())

    assert apart.value == pytest.approx(2 * own.value - 1)
    assert apart.interval() == pytest.approx((2 * low - 1, 2 * high - 1))


def test_a_difference_is_the_opposite_of_its_opposite() -> None:
    a, b = score(56, 14), score(30, 40)
    low, high = difference(a, b).interval()

    assert difference(b, a).interval() == pytest.approx((-high, -low))


@pytest.mark.parametrize(
    ("a", "b", "interval"),
    [
        ((56, 70), (48, 80), (0.0528, 0.3382)),
        ((9, 10), (3, 10), (0.1700, 0.8406)),
        ((10, 10), (0, 20), (0.7156, 1.0000)),
    ],
)
def test_a_difference_of_shares_is_that_of_miettinen_and_nurminen(
    a: tuple[int, int], b: tuple[int, int], interval: tuple[float, float]
) -> None:
    """Method 6 of table II: Newcombe (1998), Statistics in Medicine 17, 873-890.

    Its variance is larger by 1 / N, ours by 1 / (N - 2).
    """
    one, other = (score(games - wins, wins) for wins, games in (a, b))

    assert difference(one, other).interval() == pytest.approx(interval, abs=1e-3)


def test_a_mean_after_looks_counts_rounds() -> None:
    """As many of each: their mean is known better than any of them."""
    each = score(*EVEN, anytime=True)
    several = mean_of([score(*EVEN, anytime=True) for _ in range(4)])
    low, high = each.interval()

    assert several.interval().low > low
    assert several.interval().high < high


def test_a_mean_after_looks_at_different_times_reaches_as_its_parts() -> None:
    few, many = score(*EVEN, anytime=True), score(*(4 * n for n in EVEN), anytime=True)
    reach = few.value - few.interval().low, many.value - many.interval().low
    mean = mean_of([few, many])

    assert mean.value - mean.interval().low == pytest.approx(
        (reach[0] ** 2 + reach[1] ** 2) ** 0.5 / 2
    )


def test_a_difference_within_the_same_games_knows_how_they_go_together() -> None:
    a = Estimate(0.50, Interval(0.47, 0.62), 100)
    b = Estimate(0.30, Interval(0.25, 0.34), 100)

    assert correlated_difference(a, b, 0.0).interval == pytest.approx((0.15, 0.33))
    assert correlated_difference(a, b, -1.0).interval == pytest.approx((0.13, 0.37))
    assert correlated_difference(a, b, 1.0).interval == pytest.approx((0.19, 0.27))


def test_the_mean_of_one_that_was_looked_at_is_itself() -> None:
    alone = score(3, 0, 5, 1, 9, anytime=True)

    expected = anytime_score_interval([3, 0, 5, 1, 9])
    assert mean_of([alone]).interval() == pytest.approx(expected)
