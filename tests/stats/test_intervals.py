"""Intervals: known values, identities, and coverage against exact enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial, isnan, prod, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deckcheck.stats import Interval, mean_score, mean_score_interval, wilson

PAIR_COUNTS = st.lists(st.integers(0, 5_000), min_size=5, max_size=5)


class TestWilson:
    def test_agrees_with_a_published_value(self) -> None:
        """Newcombe (1998), Statistics in Medicine 17, table I: 81 of 263."""
        low, high = wilson(81, 263)

        assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)

    @pytest.mark.parametrize(("wins", "low", "high"), [(0, 0, 0.2775), (10, 0.7225, 1)])
    def test_keeps_its_width_at_the_ends(
        self, wins: int, low: float, high: float
    ) -> None:
        assert (low, high) == pytest.approx(wilson(wins, 10), abs=5e-5)

    def test_without_trials_says_nothing(self) -> None:
        assert Interval(0.0, 1.0) == wilson(0, 0)

    @pytest.mark.parametrize(("wins", "trials"), [(-1, 5), (6, 5)])
    def test_refuses_impossible_counts(self, wins: int, trials: int) -> None:
        with pytest.raises(ValueError, match="successes in"):
            wilson(wins, trials)

    @pytest.mark.parametrize("level", [0.0, 1.0, 1.5, 95.0])
    def test_refuses_an_impossible_level(self, level: float) -> None:
        with pytest.raises(ValueError, match="level must lie between 0 and 1"):
            wilson(1, 2, level)


class TestMeanScore:
    def test_a_draw_is_half(self) -> None:
        assert mean_score([1, 4, 1]) == 0.5

    def test_pairs_count_half_points(self) -> None:
        assert mean_score([0, 0, 0, 8, 0]) == 0.75

    def test_without_games_is_no_number(self) -> None:
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
    def test_holds_the_mean_and_stays_in_bounds(self, counts: list[int]) -> None:
        low, high = mean_score_interval(counts)

        assert 0 <= low <= high <= 1
        if sum(counts):
            assert low <= mean_score(counts) + 1e-12
            assert mean_score(counts) <= high + 1e-12

    @given(PAIR_COUNTS)
    def test_mirrors_when_the_decks_swap(self, counts: list[int]) -> None:
        low, high = mean_score_interval(counts)

        swapped = mean_score_interval(counts[::-1])

        assert (1 - high, 1 - low) == pytest.approx(swapped, abs=1e-9)

    @pytest.mark.parametrize("score", range(5))
    def test_does_not_collapse_when_all_pairs_are_equal(self, score: int) -> None:
        counts = [0] * 5
        counts[score] = 50

        low, high = mean_score_interval(counts)

        assert high - low > 0.03

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

    def test_without_pairs_says_nothing(self) -> None:
        assert Interval(0.0, 1.0) == mean_score_interval([0, 0, 0, 0, 0])

    @pytest.mark.parametrize("counts", [[], [3], [1, -1, 2]])
    def test_refuses_impossible_counts(self, counts: list[int]) -> None:
        with pytest.raises(ValueError, match="counts must be"):
            mean_score_interval(counts)


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


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pairs", [12, 16])
def test_covers_the_truth_for_more_pairs(shape: tuple[float, ...], pairs: int) -> None:
    assert exact_coverage(shape, pairs) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_covers_the_truth_in_simulated_runs(shape: tuple[float, ...]) -> None:
    """4,000 runs of 500 pairs: 95 % within four standard errors of the simulation."""
    import numpy as np

    runs = np.random.default_rng(7).multinomial(500, shape, size=4_000)
    truth = sum(i * p for i, p in enumerate(shape)) / 4
    hits = sum(contains(mean_score_interval(run.tolist()), truth) for run in runs)

    assert pytest.approx(hits / 4_000, abs=4 * sqrt(0.95 * 0.05 / 4_000)) == 0.95


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
