"""Tests and choices that are looked at again and again."""

from collections.abc import Callable
from itertools import combinations, product
from math import isfinite, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.stats import (
    Elimination,
    EloScale,
    Interval,
    Sprt,
    SprtDecision,
    anytime_mean_interval,
    anytime_score_interval,
    elo_to_score,
    log_wealth,
    mean_interval,
    mean_score,
    mean_score_interval,
    score_to_elo,
)
from deckcheck.stats.optimising import Wanted, cheapest_choice
from deckcheck.stats.sequential import MAX_LEAD

# The cheapest choice of options, where it can be seen by hand.


def test_cheapest_choice() -> None:
    large, grouped = (-3, -3, -6), (-3, -4, -2)
    for costs, groups, wanted, price, most, chosen in (
        # One large option is cheaper than two small ones.
        ([1, 1, 1.5], [], Wanted(60, large, 0, 55), 10, 3, (2,)),
        ([1, 1, 2.5], [], Wanted(60, large, 0, 55), 10, 3, (0, 1)),
        # Of a group one is taken, and no more than allowed.
        ([1, 1, 1], [[0, 1]], Wanted(60, grouped, 0, 50), 10, 3, (1, 2)),
        ([1, 1, 1], [], Wanted(60, grouped, 0, 50), 10, 1, (1,)),
        # What costs more than it helps is left.
        ([1], [], Wanted(60, (-0.1,), 0, 55), 5, 1, ()),
        ([1], [], Wanted(60, (-0.1,), 0, 55), 20, 1, (0,)),
        ([1], [], Wanted(50, (5,), 45, 55), 20, 1, ()),
    ):
        found = cheapest_choice(costs, groups, [wanted], price, most)
        assert found == chosen, (costs, groups, price)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_as_good_as_trying_all(seed: int) -> None:
    chance = Random(seed)
    costs = [1 + chance.random() for _ in range(8)]
    groups = [[0, 1], [2, 3, 4]]
    wanted = [
        Wanted(chance.gauss(50, 6), tuple(chance.gauss(0, 3) for _ in costs), 47, 53)
        for _ in range(4)
    ]

    def price(chosen: tuple[int, ...]) -> float:
        values = [w.value + sum(w.effects[i] for i in chosen) for w in wanted]
        missed = sum(
            max(0, w.low - v, v - w.high) for w, v in zip(wanted, values, strict=True)
        )
        return sum(costs[i] for i in chosen) + 4 * missed

    allowed = [
        tuple(i for i, taken in enumerate(each) if taken)
        for each in product((False, True), repeat=len(costs))
        if sum(each) <= 3 and all(sum(each[i] for i in g) <= 1 for g in groups)
    ]
    found = cheapest_choice(costs, groups, wanted, 4, 3)
    assert price(found) == pytest.approx(min(map(price, allowed)), abs=1e-4)


# Intervals that hold under looking: identities, and how often they are right.

PAIR_COUNTS = st.lists(st.integers(0, 5_000), min_size=5, max_size=5)


class TestScores:
    @given(PAIR_COUNTS)
    def test_holds_the_observed_mean_and_mirrors(self, counts: list[int]) -> None:
        low, high = anytime_score_interval(counts)

        if sum(counts):
            assert 0 <= low <= mean_score(counts) <= high <= 1
        else:
            assert (low, high) == (0.0, 1.0)
        mirrored = anytime_score_interval(counts[::-1])
        assert mirrored == pytest.approx((1 - high, 1 - low))

    def test_ends_where_betting_has_paid(self) -> None:
        counts = [3, 10, 40, 20, 7]
        low, high = anytime_score_interval(counts, 0.9)

        wealth = log_wealth(np.array(counts, float), low)
        assert float(wealth) == pytest.approx(log(20))
        wealth = log_wealth(np.array(counts[::-1], float), 1 - high)
        assert float(wealth) == pytest.approx(log(20))

    def test_the_fair_gambler_gains_nothing_on_average(self) -> None:
        """Over all outcomes of three pairs the mean wealth is what he began with."""
        odds = np.array([0.1, 0.2, 0.3, 0.4, 0.0])
        mean = float(odds @ np.linspace(0, 1, 5))
        total = 0.0
        for i, j, k in np.ndindex(5, 5, 5):
            counts = np.eye(5)[[i, j, k]].sum(axis=0)
            chance = odds[i] * odds[j] * odds[k]
            total += chance * float(np.exp(log_wealth(counts, mean)))

        assert total == pytest.approx(1)

    @pytest.mark.parametrize("games", [50, 1_000, 100_000, 10_000_000])
    def test_looking_costs_less_than_twice_the_width(self, games: int) -> None:
        counts = [games * share for share in (0.1, 0.2, 0.4, 0.2, 0.1)]
        fixed, anytime = mean_score_interval(counts), anytime_score_interval(counts)

        assert anytime.low < fixed.low
        assert anytime.high - anytime.low < 2 * (fixed.high - fixed.low)


class TestMeans:
    @pytest.mark.parametrize("count", [50, 2_000, 1_000_000])
    def test_is_wider_than_for_a_fixed_number(self, count: int) -> None:
        fixed = mean_interval(3.0 * count, 10.0 * count, count)
        anytime = anytime_mean_interval(3.0 * count, 10.0 * count, count)

        assert anytime.low < fixed.low < 3 < fixed.high < anytime.high

    def test_of_a_single_one_nothing_is_known_but_itself(self) -> None:
        assert Interval(2.0, 2.0) == anytime_mean_interval(2, 4, 1)

    @pytest.mark.parametrize("interval_of", [mean_interval, anytime_mean_interval])
    def test_observations_that_come_twice_are_worth_half(
        self, interval_of: Callable[..., Interval]
    ) -> None:
        once = interval_of(3_000.0, 10_000.0, 1_000)
        twice = interval_of(6_000.0, 20_000.0, 2_000, 0.5)

        assert twice == pytest.approx(once, rel=1e-4)

    def test_holds_at_all_looks_together(self) -> None:
        """Sums of fair dice, looked at after every throw from the hundredth on."""
        chance = np.random.default_rng(7)
        held = 0
        for _ in range(200):
            thrown = chance.integers(1, 7, 2_000)
            sums, squares = np.cumsum(thrown), np.cumsum(thrown**2)
            looks = range(100, len(thrown), 10)
            intervals = (
                anytime_mean_interval(float(sums[i]), float(squares[i]), i + 1)
                for i in looks
            )
            held += all(low <= 3.5 <= high for low, high in intervals)

        assert held >= 190


class TestElimination:
    def test_settles_those_apart_and_goes_on_with_the_others(self) -> None:
        race = Elimination(["good", "fair", "alike"])
        race.look(
            {
                "good": (0, 0, 0, 100, 900),
                "fair": (100, 200, 400, 200, 100),
                "alike": (110, 200, 380, 200, 110),
            }
        )

        assert race.settled == {"good"}
        assert race.open == ["fair", "alike"]

    def test_one_that_is_settled_needs_no_more_counts(self) -> None:
        race = Elimination(["good", "fair", "poor"])
        race.look({"good": (0, 900), "fair": (500, 500), "poor": (520, 480)})
        race.look({"fair": (50_000, 50_000), "poor": (60_000, 40_000)})

        assert race.open == []

    def test_one_that_is_settled_may_still_be_met(self) -> None:
        race = Elimination(["good", "fair", "poor"])
        race.look({"good": (300, 700), "fair": (500, 500), "poor": (510, 490)})
        assert race.settled == {"good"}
        race.look({"fair": (31_000, 69_000), "poor": (60_000, 40_000)})

        assert race.open == ["fair"]

    def test_intervals_hold_for_all_together(self) -> None:
        counts = dict.fromkeys("abcde", (40, 60))
        race = Elimination([*counts], level=0.9)
        race.look(counts)

        assert race.intervals["a"] == anytime_score_interval((40, 60), 1 - 0.1 / 5)


# The sequential probability ratio test: published values and plain sense.

DRAWISH = (759, 1_863, 880)  # lost, drawn, won


@pytest.mark.parametrize(
    ("counts", "elo", "scale", "ratio"),
    [
        (DRAWISH, (0, 5), EloScale.LOGISTIC, 2.95),
        ((379, 10_170, 21_828, 10_640, 343), (0, 2), EloScale.NORMALISED, 2.946),
        # Fastchess, pull request 426.
        ((365, 16_618, 36_229, 16_974, 390), (0, 2), EloScale.NORMALISED, 2.250),
    ],
)
def test_ratio_of_a_test_agrees_with_published_values(
    counts: tuple[int, ...], elo: tuple[float, float], scale: EloScale, ratio: float
) -> None:
    reach = 5e-3 if scale is EloScale.LOGISTIC else 1e-3
    assert Sprt(*elo, scale=scale).ratio(counts) == pytest.approx(ratio, abs=reach)


def test_the_other_side_sees_the_opposite() -> None:
    seen, mirrored = Sprt(-3, 7).ratio(DRAWISH), Sprt(-7, 3).ratio(DRAWISH[::-1])

    assert seen == pytest.approx(-mirrored)


def test_verdict_of_a_test_at_the_bounds_of_wald() -> None:
    test = Sprt(0, 5, alpha=0.05, beta=0.1)
    assert test.bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)
    for counts, verdict in (
        ((0, 0, 0, 0, 0), SprtDecision.GOING),
        ((20, 40, 80, 40, 20), SprtDecision.GOING),
        ((0, 0, 0, 0, 200), SprtDecision.HIGHER),
        ((200, 0, 0, 0, 0), SprtDecision.LOWER),
    ):
        assert Sprt(0, 20).verdict(counts) is verdict, counts


@pytest.mark.parametrize("scale", list(EloScale))
def test_one_sided_results_have_a_ratio(scale: EloScale) -> None:
    most = MAX_LEAD[scale]
    for counts in ((78, 0, 0, 0, 0), (0, 0, 500, 0, 0)):
        assert abs(Sprt(-100, 100, scale=scale).ratio(counts)) < 1_000
        assert isfinite(Sprt(-most, most, scale=scale).ratio(counts))


def test_elo_and_score_are_each_others_reverse() -> None:
    assert score_to_elo(elo_to_score(37.5)) == pytest.approx(37.5)
    assert elo_to_score(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize(
    ("elo", "alpha", "message"),
    [
        *(((5, 0), 0.05, "not less"), ((5, 5), 0.05, "not less")),
        *(((0, 5), alpha, "alpha") for alpha in (0, 0.5, 2)),
    ],
)
def test_a_test_that_cannot_be_is_refused(
    elo: tuple[float, float], alpha: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(*elo, alpha=alpha)


@pytest.mark.slow
def test_an_order_by_elimination_is_wrong_in_at_most_5_of_100_runs() -> None:
    chance = np.random.default_rng(12)
    leads = (0.06, 0.03, 0.0, -0.09)
    odds = [(0.15 - lead, 0.2, 0.3, 0.2, 0.15 + lead) for lead in leads]
    names = ["first", "second", "third", "fourth"]
    wrong = 0
    for _ in range(200):
        race = Elimination(names)
        counts = np.zeros((4, 5), np.int64)
        sets = 32
        while race.open and sets < 3_000:
            for name in race.open:
                number = names.index(name)
                counts[number] += chance.multinomial(sets, odds[number])
            race.look({name: counts[names.index(name)].tolist() for name in race.open})
            sets *= 2
        ends = race.intervals
        wrong += any(
            worse in race.settled and ends[worse].low > ends[better].high
            for better, worse in combinations(names, 2)
        )

    assert wrong <= 0.05 * 200 + 3 * (0.05 * 0.95 * 200) ** 0.5
