"""Intervals: of scores, of sums, of differences, and of many at once."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import exp, factorial, isnan, lgamma, log, pi, prod, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    anytime_score_interval,
    average,
    correlated_difference,
    difference,
    mean_score,
    mean_score_interval,
    wilson,
)
from deckcheck.stats.combinations import average_grouped, grouped_difference
from deckcheck.stats.intervals import (
    benjamini_hochberg,
    bounded_interval,
    bounded_mean_interval,
    student_quantile,
)
from deckcheck.stats.sequential import (
    difference_counts,
    difference_interval,
    mean_difference,
    variance_ratio,
)

# Intervals: known values, identities, and coverage against exact enumeration.

PAIR_COUNTS = st.lists(st.integers(0, 5_000), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I.
        (81, 263, 0.2553, 0.3662),
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (0, 0, 0, 1),
    ],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert (low, high) == pytest.approx(wilson(wins, games), abs=5e-5)


def test_mean_score_counts_half_points() -> None:
    assert mean_score([1, 4, 1]) == 0.5
    assert mean_score([0, 0, 0, 8, 0]) == 0.75
    assert isnan(mean_score([0, 0, 0]))


class TestMeanScoreInterval:
    @given(st.integers(0, 400), st.integers(0, 400))
    def test_with_two_scores_is_wilson(self, losses: int, wins: int) -> None:
        expected = wilson(wins, losses + wins)

        assert expected == pytest.approx(mean_score_interval([losses, wins]), abs=1e-9)

    @given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
    def test_with_three_scores_is_tango(
        self, losses: int, draws: int, wins: int
    ) -> None:
        """Tango's closed form lies at the quantile on both ends of the interval."""
        assume(losses + draws + wins > 0)
        ends = mean_score_interval([losses, draws, wins])

        for end in ends:
            if 1e-9 < end < 1 - 1e-9:
                statistic = tango(wins, losses, losses + draws + wins, 2 * end - 1)
                assert abs(statistic) == pytest.approx(1.959964, abs=1e-4)

    @given(PAIR_COUNTS)
    def test_holds_the_mean_within_bounds_and_mirrors(self, counts: list[int]) -> None:
        low, high = mean_score_interval(counts)

        assert 0 <= low <= high <= 1
        if sum(counts):
            assert low <= mean_score(counts) + 1e-12
            assert mean_score(counts) <= high + 1e-12
        swapped = mean_score_interval(counts[::-1])
        assert (1 - high, 1 - low) == pytest.approx(swapped, abs=1e-9)

    def test_of_equal_pairs_does_not_collapse_and_of_none_is_whole(self) -> None:
        for score in range(5):
            counts = [0] * 5
            counts[score] = 50
            low, high = mean_score_interval(counts)
            assert high - low > 0.03, score
        assert Interval(0.0, 1.0) == mean_score_interval([0, 0, 0, 0, 0])

    def test_for_many_pairs_is_the_normal_interval(self) -> None:
        counts = [1_000, 2_500, 3_000, 2_000, 1_500]
        n, mean = sum(counts), mean_score(counts)
        variance = sum(c * (i / 4 - mean) ** 2 for i, c in enumerate(counts)) / n
        reach = 1.959964 * sqrt(variance / n)

        interval = mean_score_interval(counts)
        assert (mean - reach, mean + reach) == pytest.approx(interval, abs=2e-5)

    def test_is_narrower_than_single_games_when_starting_decides(self) -> None:
        """Half the games won by whoever starts: pairs know it, games do not."""
        pairs = mean_score_interval([0, 0, 100, 0, 0])
        games = mean_score_interval([100, 0, 100])

        assert pairs.high - pairs.low < (games.high - games.low) / 3


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (partial(wilson, -1, 5), "successes in"),
        (partial(wilson, 6, 5), "successes in"),
        (partial(wilson, 1, 2, 0.0), "level must be between 0 and 1"),
        (partial(wilson, 1, 2, 95.0), "level must be between 0 and 1"),
        (partial(mean_score_interval, []), "counts must be"),
        (partial(mean_score_interval, [3]), "counts must be"),
        (partial(mean_score_interval, [1, -1, 2]), "counts must be"),
        (partial(anytime_score_interval, [1]), "counts"),
        (partial(anytime_score_interval, [1, -1]), "counts"),
        (partial(anytime_score_interval, [1, 2], 1), "level"),
        (partial(average, []), "no estimates"),
        (partial(student_quantile, 0.0, 3), "must"),
        (partial(student_quantile, 1.0, 3), "must"),
        (partial(student_quantile, 0.95, 0), "must"),
    ],
)
def test_what_cannot_be_is_refused(asked: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        asked()


# Pair scores of an even match, a lopsided one, one that the start decides, one with
# many draws, and one that is all but lost.
SHAPES = (
    (0.30, 0.05, 0.30, 0.05, 0.30),
    (0.05, 0.02, 0.23, 0.10, 0.60),
    (0.05, 0.00, 0.90, 0.00, 0.05),
    (0.10, 0.25, 0.35, 0.20, 0.10),
    (0.85, 0.05, 0.08, 0.01, 0.01),
)


@pytest.mark.parametrize("shape", SHAPES)
def test_covers_the_truth_by_exact_enumeration(shape: tuple[float, ...]) -> None:
    """Eight pairs: every possible tally, weighted by its probability."""
    coverage = exact_coverage(shape, pairs=8)

    assert coverage >= 0.93


def tango(b: int, c: int, n: int, delta: float) -> float:
    """Return the score statistic of a paired difference."""
    linear = -b - c + (2 * n - b + c) * delta
    constant = -c * delta * (1 - delta)
    p21 = (sqrt(max(0.0, linear**2 - 8 * n * constant)) - linear) / (4 * n)
    return (b - c - n * delta) / sqrt(n * (2 * p21 + delta * (1 - delta)))


def exact_coverage(shape: Sequence[float], pairs: int) -> float:
    truth = sum(i * p for i, p in enumerate(shape)) / (len(shape) - 1)
    return sum(
        probability(counts, shape)
        for counts in tallies(pairs, len(shape))
        if contains(mean_score_interval(counts), truth)
    )


def probability(counts: Sequence[int], shape: Sequence[float]) -> float:
    ways = factorial(sum(counts)) // prod(factorial(c) for c in counts)
    return ways * prod(p**c for p, c in zip(shape, counts, strict=True))


def tallies(total: int, parts: int) -> Iterator[list[int]]:
    if parts == 1:
        yield [total]
        return
    for first in range(total + 1):
        for rest in tallies(total - first, parts - 1):
            yield [first, *rest]


def contains(interval: Interval, value: float) -> bool:
    return interval.low - 1e-12 <= value <= interval.high + 1e-12


# Intervals from means and variances.


def test_bounded_interval() -> None:
    for value, variance, count, freedom, ends, places in (
        # Six pairs that all were the same say little of the seventh.
        (0.0, 0.0, 6, 5, (-0.39, 0.39), 0.01),
        (0.1, 0.0, 1, 0, (-1.0, 1.0), 0.0),
        # Many reach as far as the normal distribution.
        (0.02, 0.04, 10_000, 9_999, (0.02 - 0.00392, 0.02 + 0.00392), 1e-5),
    ):
        interval = bounded_interval(value, variance, count, freedom)
        assert tuple(interval) == pytest.approx(ends, abs=places), value


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
    mean = average_grouped([found, found.opposite()])

    assert mean.value == 0.0
    assert mean.variance == pytest.approx(found.variance / 2)
    assert mean.count == 256


# Weighted sums of mean scores whose dependence is known.

EVEN = (10, 20, 40, 20, 10)


def score(*counts: int, anytime: bool = False) -> Combination:
    """A score of its own, of two games for each observation."""
    return Combination.of(Sample(counts, 2 * sum(counts), anytime=anytime))


def test_the_mean_of_one_is_itself() -> None:
    alone = score(3, 0, 5, 1, 9)
    assert average([alone]).interval() == mean_score_interval([3, 0, 5, 1, 9])
    assert average([alone]).games == 36

    looked = average([score(3, 0, 5, 1, 9, anytime=True)])
    expected = anytime_score_interval([3, 0, 5, 1, 9])
    assert looked.interval() == pytest.approx(expected)


def test_every_score_weighs_the_same() -> None:
    mean = average([score(2, 8), score(60, 40)])

    assert mean.value == pytest.approx(0.6)
    assert mean.games == 220


def test_scores_without_weight_are_no_part_of_the_mean() -> None:
    even = score(*EVEN)
    mean = average([even, score(0, 0, 0, 0, 7)], [2.0, 0.0])

    assert mean.games == even.games
    assert mean.interval() == even.interval()


def test_a_mean_of_scores_that_all_lost_stays_within_bounds() -> None:
    lost = average([score(10, 0, 0, 0, 0) for _ in range(14)]).interval()

    assert lost.low == 0.0
    assert 0.02 < lost.high < 0.04


def test_what_two_share_cancels_and_equal_counts_of_other_games_do_not() -> None:
    shared = score(*EVEN)
    assert difference(shared, shared).interval() == (0.0, 0.0)
    assert difference(shared, shared).games == 0

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
    several = average([score(*EVEN, anytime=True) for _ in range(4)])
    low, high = each.interval()

    assert several.interval().low > low
    assert several.interval().high < high


def test_a_mean_after_looks_at_different_times_reaches_as_its_parts() -> None:
    few, many = score(*EVEN, anytime=True), score(*(4 * n for n in EVEN), anytime=True)
    reach = few.value - few.interval().low, many.value - many.interval().low
    mean = average([few, many])

    assert mean.value - mean.interval().low == pytest.approx(
        (reach[0] ** 2 + reach[1] ** 2) ** 0.5 / 2
    )


def test_a_difference_within_the_same_games_knows_how_they_go_together() -> None:
    a = Estimate(0.50, Interval(0.47, 0.62), 100)
    b = Estimate(0.30, Interval(0.25, 0.34), 100)

    assert correlated_difference(a, b, 0.0).interval == pytest.approx((0.15, 0.33))
    assert correlated_difference(a, b, -1.0).interval == pytest.approx((0.13, 0.37))
    assert correlated_difference(a, b, 1.0).interval == pytest.approx((0.19, 0.27))


# Many tests at once, against the example of the paper.

# Fifteen p-values of Benjamini and Hochberg (1995), 4.1: four are sure at 5%.
PAPER = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]


def test_benjamini_hochberg_in_the_example_of_the_paper() -> None:
    rates = benjamini_hochberg(PAPER)

    assert sum(rate <= 0.05 for rate in rates) == 4
    assert rates[3] == pytest.approx(0.0095 * 15 / 4)
    assert rates == sorted(rates)
    assert benjamini_hochberg(PAPER[::-1]) == rates[::-1]
    assert benjamini_hochberg([]) == []


# Differences of scores in the same games, against counting them one by one.

SCORES = np.random.default_rng(7).integers(0, 5, size=(500, 2))
SCORES[:, 1] = np.clip(SCORES[:, 0] + SCORES[:, 1] // 3, 0, 4)


def joint_of(scores: np.ndarray) -> np.ndarray:
    joint = np.zeros((5, 5), np.int64)
    np.add.at(joint, (scores[:, 0], scores[:, 1]), 1)
    return joint


def test_differences_are_counted_from_worst_to_best() -> None:
    counts = difference_counts(joint_of(SCORES))

    gained = SCORES[:, 1] - SCORES[:, 0]
    assert counts == [int((gained == step).sum()) for step in range(-4, 5)]
    assert mean_difference(joint_of(SCORES)) == pytest.approx(gained.mean() / 4)


def test_seen_from_the_other_side() -> None:
    joint = joint_of(SCORES)
    low, high = difference_interval(joint)

    assert low < mean_difference(joint) < high
    assert difference_interval(joint.T) == pytest.approx((-high, -low))


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_looking_costs_width(level: float) -> None:
    fixed = difference_interval(joint_of(SCORES), level)
    anytime = difference_interval(joint_of(SCORES), level, anytime=True)

    assert anytime.low < fixed.low < fixed.high < anytime.high


def test_two_that_are_the_same_never_differ() -> None:
    joint = joint_of(np.column_stack((SCORES[:, 0], SCORES[:, 0])))

    assert mean_difference(joint) == 0
    assert variance_ratio([joint]) is None
    low, high = difference_interval(joint)
    assert low == pytest.approx(-high)
    assert high < 0.02


def test_variance_ratio() -> None:
    """Independent scores save nothing."""
    together = (SCORES[:, 1] - SCORES[:, 0]).var()
    apart = SCORES[:, 0].var() + SCORES[:, 1].var()
    joint = joint_of(SCORES)
    counts = np.array([10, 20, 30, 20, 20])

    assert variance_ratio([joint]) == pytest.approx(apart / together)
    assert variance_ratio([joint, joint]) == pytest.approx(apart / together)
    assert variance_ratio([np.outer(counts, counts)]) == pytest.approx(1)


# Quantiles of Student's t, against tables and its own density.

TABLE = {
    1: (6.313752, 12.706205, 63.656741),
    2: (2.919986, 4.302653, 9.924843),
    3: (2.353363, 3.182446, 5.840909),
    4: (2.131847, 2.776445, 4.604095),
    5: (2.015048, 2.570582, 4.032143),
    6: (1.943180, 2.446912, 3.707428),
    7: (1.894579, 2.364624, 3.499483),
    8: (1.859548, 2.306004, 3.355387),
    9: (1.833113, 2.262157, 3.249836),
    10: (1.812461, 2.228139, 3.169273),
    30: (1.697261, 2.042272, 2.749996),
    99: (1.660391, 1.984217, 2.626405),
    100: (1.660234, 1.983972, 2.625891),
    1_000: (1.646379, 1.962339, 2.580755),
}
"""Two-sided quantiles at 90, 95 and 99%, as printed in tables."""


def test_student_quantile_is_that_of_the_table() -> None:
    for freedom, expected in TABLE.items():
        quantiles = [student_quantile(level, freedom) for level in (0.9, 0.95, 0.99)]
        assert quantiles == pytest.approx(expected, abs=1e-6), freedom
    # Of a thousand claims at 95% together, and of a low level.
    level = 1 - 0.05 / 1_000
    assert student_quantile(level, 3) == pytest.approx(35.297919, abs=1e-5)
    assert student_quantile(0.5, 3) == pytest.approx(0.764892, abs=1e-6)
    # The expansion begins where the inversion ends.
    expanded, inverted = (student_quantile(level, n) for n in (100, 99.9999))
    assert expanded == pytest.approx(inverted, abs=1e-6)


@pytest.mark.parametrize("freedom", [1.5, 2.5, 17.3])
def test_freedom_need_not_be_whole(freedom: float) -> None:
    """The density between the quantiles adds up to the level."""
    reach = student_quantile(0.95, freedom)
    t = np.linspace(-reach, reach, 200_001)
    scale = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(pi * freedom) / 2
    density = exp(scale) * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

    assert np.mean(density) * 2 * reach == pytest.approx(0.95, abs=1e-5)
