"""Ratings, equilibria, and linear models."""

import tracemalloc
from dataclasses import replace
from itertools import combinations
from math import inf, log, sqrt

import numpy as np
import pytest

from deckcheck.stats import (
    Combination,
    Sample,
    average,
    difference,
    mean_score_interval,
)
from deckcheck.stats.bootstrap import find_quantile, squared_size
from deckcheck.stats.combinations import exceeded_later
from deckcheck.stats.intervals import student_quantile
from deckcheck.stats.levels import fit_levels
from deckcheck.stats.optimising import (
    Matrix,
    equilibrium,
    payoffs_against,
    resampled_rates,
)
from deckcheck.stats.ratings import RatedPairing, bradley_terry
from deckcheck.stats.weighted_sums import Floats, is_sum_above, linear_interval

# Ratings against players whose strength is known.


def score_of(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))


def exact(strengths: list[float]) -> list[RatedPairing]:
    return [
        RatedPairing(a, b, score_of(strengths[a] - strengths[b]), 1e-5, 1000)
        for a in range(len(strengths))
        for b in range(a)
    ]


def test_known_strengths_come_back() -> None:
    strengths = [-150.0, -20.0, 40.0, 130.0]
    found = bradley_terry(4, exact(strengths))

    assert [each.value for each in found.ratings] == pytest.approx(strengths, abs=1e-6)
    assert found.misfit.value == 0
    assert found.cycles.value == pytest.approx(0, abs=1e-12)


def test_rock_paper_scissors_is_all_cycle() -> None:
    pairings = [
        RatedPairing(0, 1, 0.9, 1e-5, 10_000),
        RatedPairing(1, 2, 0.9, 1e-5, 10_000),
        RatedPairing(2, 0, 0.9, 1e-5, 10_000),
    ]
    found = bradley_terry(3, pairings)

    assert [each.value for each in found.ratings] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.cycles.value == pytest.approx(1)
    assert found.misfit.value == pytest.approx(0.4, abs=0.001)


def test_independent_games_count_alike_however_they_went() -> None:
    """Nobody wins more by an upset that failed to come: wins are those expected."""
    scores = {(0, 1): 0.998, (0, 2): 0.7, (1, 2): 0.1}
    games = [
        RatedPairing(a, b, score, score * (1 - score) / 1_000, 1_000)
        for (a, b), score in scores.items()
    ]
    missed = dict(zip(scores, bradley_terry(3, games).expected, strict=True))

    for player in range(3):
        signs = {pair: (pair[0] == player) - (pair[1] == player) for pair in scores}
        wins, expected = (
            sum(sign * of[pair] for pair, sign in signs.items())
            for of in (scores, missed)
        )
        assert wins == pytest.approx(expected, abs=1e-6)


def test_a_rating_is_as_sure_as_its_scores() -> None:
    """In a circle of three a rating moves by (x - y) / 3 / (p (1 - p)), p = 1/2."""
    variance = 1e-5
    even, uneven = (
        bradley_terry(
            3, [RatedPairing(a, (a + 1) % 3, score, variance, 10_000) for a in range(3)]
        )
        for score in (0.5, 0.9)
    )
    deviation = sqrt(2 * variance) / 3 / 0.25 * 400 / log(10)

    for each, wider in zip(even.ratings, uneven.ratings, strict=True):
        assert each.interval.high == pytest.approx(1.959964 * deviation, rel=1e-3)
        assert each.interval.high < wider.interval.high < 2 * each.interval.high


def test_of_two_players_the_interval_is_that_of_wilson() -> None:
    """With the quantile of Student, and as many games as they are worth."""
    score, games = 0.9, 400
    pairing = RatedPairing(0, 1, score, score * (1 - score) / games, games)
    [rating, _] = bradley_terry(2, [pairing]).ratings
    z = student_quantile(0.95, games / 2 - 1)
    middle = (score + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * sqrt(score * (1 - score) / games + (z / (2 * games)) ** 2)
    for sign, end in zip((-1, 1), rating.interval, strict=True):
        share = middle + sign * reach / (1 + z * z / games)
        assert end == pytest.approx(200 * log(share / (1 - share), 10), rel=1e-6)


@pytest.mark.parametrize("games", [40, 400, 4000])
def test_a_deck_that_never_wins_moves_nobody(games: int) -> None:
    """Its rating has an upper bound alone, that of a rate with no win in all games."""
    others = [RatedPairing(0, 1, 0.6, 0.24 / 4000, 4000)]
    lost = [RatedPairing(2, other, 0.0, 0.0, games) for other in (0, 1)]
    alone, found = bradley_terry(2, others), bradley_terry(3, [*others, *lost])
    loser = found.ratings[2]

    assert found.ratings[:2] == alone.ratings
    assert (found.misfit, found.cycles) == (alone.misfit, alone.cycles)
    assert loser.value == loser.interval.low == -inf
    z = student_quantile(0.95, 1999)
    share = z * z / (2 * games + z * z)
    bound = 400 * log(share / (1 - share), 10)
    assert loser.interval.high == pytest.approx(bound, abs=6)
    mirrored = [replace(each, score=1.0) for each in lost]
    winner = bradley_terry(3, [*others, *mirrored]).ratings[2]
    assert winner.interval.high == inf
    assert winner.interval.low == pytest.approx(-bound, abs=6)


def test_where_nobody_lost_to_who_lost_to_them_nobody_is_rated() -> None:
    found = bradley_terry(2, [RatedPairing(0, 1, 1.0, 0.0, 100)], groupings=[[0, 1]])

    for each in (*found.ratings, *found.groups[0]):
        assert each.interval == (-inf, inf)
    assert found.misfit.interval == found.cycles.interval == (0, 1)


def test_who_met_none_of_the_rated_has_no_bound() -> None:
    """The third has beaten the fourth, who alone lost to the others."""
    found = bradley_terry(
        4,
        [
            RatedPairing(0, 1, 0.5, 0.0025, 100),
            RatedPairing(2, 0, 0.0, 0.0, 100),
            RatedPairing(3, 2, 0.0, 0.0, 100),
        ],
    )

    assert found.ratings[3].interval == (-inf, inf)
    assert -inf == found.ratings[2].interval.low < found.ratings[2].interval.high < 0


def test_players_that_never_met_have_no_ratings() -> None:
    with pytest.raises(ValueError, match="have met"):
        bradley_terry(3, [RatedPairing(0, 1, 0.5, 0.01, 25)])


def test_misfit_is_on_average_that_of_the_truth() -> None:
    """Pairings of 16 to 160 games, whose scores go round in circles besides."""
    strengths = [-80.0, -20.0, 10.0, 30.0, 60.0]
    pairs = [(a, b) for a in range(5) for b in range(a)]
    games = [16 + 16 * k for k in range(len(pairs))]
    scores = [
        score_of(strengths[a] - strengths[b]) + 0.1 * (-1) ** (a + b) for a, b in pairs
    ]
    noise = [p * (1 - p) / n for p, n in zip(scores, games, strict=True)]
    facts = list(zip(pairs, scores, noise, games, strict=True))
    sure = [RatedPairing(a, b, p, v / 1e6, 10**6 * n) for (a, b), p, v, n in facts]
    truth = bradley_terry(5, sure).misfit.value
    chance = np.random.default_rng(3)
    squares = [
        bradley_terry(
            5,
            [
                RatedPairing(a, b, p + chance.normal(0, sqrt(v)), v, n)
                for (a, b), p, v, n in facts
            ],
        ).misfit.value
        ** 2
        for _ in range(60)
    ]

    assert np.mean(squares) == pytest.approx(truth**2, rel=0.15)


def test_many_players_take_no_matrix_of_all_pairings() -> None:
    """Of 60 players it would have 3 million cells, and of 200 fill 3 GB."""
    strengths = [float(3 * i - 90) for i in range(60)]
    pairings = exact(strengths)
    tracemalloc.start()
    found = bradley_terry(len(strengths), pairings)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 8 * len(pairings) ** 2 / 2
    assert [each.value for each in found.ratings] == pytest.approx(
        [value - sum(strengths) / 60 for value in strengths], abs=1e-6
    )


DECKS, PILOTS = 4, 2
OF_DECK = [i // PILOTS for i in range(DECKS * PILOTS)]
OF_PILOT = [i % PILOTS for i in range(DECKS * PILOTS)]


def crossed(decks: list[float], pilots: list[float], both: list[float]) -> list[float]:
    """The strengths of every deck in the hands of every player."""
    pairs = zip(OF_DECK, OF_PILOT, both, strict=True)
    return [decks[deck] + pilots[pilot] + more for deck, pilot, more in pairs]


def test_groups_have_the_means_of_their_players() -> None:
    both = [12.0, -12.0, -12.0, 12.0, 0.0, 0.0, 0.0, 0.0]
    strengths = crossed([-90.0, -10.0, 30.0, 70.0], [-50.0, 50.0], both)
    ratings = bradley_terry(
        len(strengths), exact(strengths), groupings=[OF_DECK, OF_PILOT]
    )
    decks, pilots = ratings.groups

    assert [deck.value for deck in decks] == pytest.approx([-90, -10, 30, 70])
    assert [pilot.value for pilot in pilots] == pytest.approx([-50, 50])
    # The mean of four is surer than one of them.
    width = ratings.ratings[0].interval.high - ratings.ratings[0].value
    assert pilots[0].interval.high - pilots[0].value < 0.7 * width


def test_parts_are_those_of_the_variance_between_groups() -> None:
    both = [12.0, -12.0, -12.0, 12.0, 0.0, 0.0, 0.0, 0.0]
    decks, pilots = [-90.0, -10.0, 30.0, 70.0], [-50.0, 50.0]
    ratings = bradley_terry(
        DECKS * PILOTS,
        exact(crossed(decks, pilots, both)),
        groupings=[OF_DECK, OF_PILOT],
    )
    squares = [
        sum(value**2 for value in decks) * PILOTS,
        sum(value**2 for value in pilots) * DECKS,
        sum(value**2 for value in both),
    ]

    assert [part.value for part in ratings.parts] == pytest.approx(
        [square / sum(squares) for square in squares], abs=0.01
    )
    assert sum(part.value for part in ratings.parts) == pytest.approx(1, abs=0.01)
    assert ratings.cycles.value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("decks", "pilots"), [(5, 3), (15, 4)])
def test_parts_of_large_fields_are_parts_of_one_whole(decks: int, pilots: int) -> None:
    """Rounding errors in the projections once made a part of 60% out of 9%."""
    strengths = [20.0 * (i // pilots) - 15.0 * (i % pilots) for i in range(60)]
    strengths = strengths[: decks * pilots]
    of_deck = [i // pilots for i in range(len(strengths))]
    of_pilot = [i % pilots for i in range(len(strengths))]
    ratings = bradley_terry(
        len(strengths), exact(strengths), groupings=[of_deck, of_pilot]
    )
    deck, pilot, both = (part.value for part in ratings.parts)

    assert deck + pilot == pytest.approx(1, abs=0.001)
    assert deck > 0.8
    assert both == pytest.approx(0, abs=0.001)


# Levels of several kinds at once.


@pytest.mark.parametrize(("wins", "games"), [(20, 20), (3, 20), (0, 1), (1, 2)])
def test_fit_levels_of_one_rate_adds_half_a_win_and_half_a_loss(
    wins: int, games: int
) -> None:
    scores = [1.0] * wins + [0.0] * (games - wins)
    levels = fit_levels([{"a": 1.0}] * games, scores)
    found = levels.estimate({"a": 1.0}, games)

    assert found is not None
    odds = log((wins + 0.5) / (games - wins + 0.5))
    rate = (wins + 0.5) / (games + 1)
    assert found.value == pytest.approx(odds)
    reach = 1.959964 / sqrt(games * rate * (1 - rate))
    assert found.interval == pytest.approx((odds - reach, odds + reach), abs=1e-5)


def test_fit_levels_tells_decks_from_players_by_games_with_both() -> None:
    # The first player wins 3 of 4 games with either deck.
    scores = [1.0, 1.0, 1.0, 0.0]
    apart = [{"A": 1.0, "B": -1.0, "anna": 1.0, "ben": -1.0}]
    swapped = [{"B": 1.0, "A": -1.0, "anna": 1.0, "ben": -1.0}]
    one = fit_levels(apart * 400, scores * 100)
    both = fit_levels(apart * 400 + swapped * 400, scores * 200)
    decks = {"A": scores, "B": scores}

    assert one.estimate_each(decks) == {}
    assert [each.value for each in both.estimate_each(decks).values()] == pytest.approx(
        [0.0, 0.0], abs=1e-6
    )
    better = both.estimate({"anna": 1.0, "ben": -1.0}, 800)
    assert better is not None
    assert better.value == pytest.approx(log(3), abs=0.01)


def test_estimate_each_leaves_out_who_met_none_of_the_rest() -> None:
    games = [{"A": 1.0, "B": -1.0}, {"B": 1.0, "C": -1.0}, {"X": 1.0, "Y": -1.0}]
    levels = fit_levels(games, [1.0, 1.0, 1.0])
    found = levels.estimate_each({key: [1.0] for key in "ABCXY"})

    assert list(found) == ["A", "B", "C"]
    assert sum(each.value for each in found.values()) == pytest.approx(0)


# Equilibria against known games, and against trying every small support.


def brute_force(payoffs: Matrix) -> float:
    """The best worst payoff over all supports, by making their columns equal."""
    size = len(payoffs)
    best = max(min(row) for row in payoffs)
    for number in range(2, size + 1):
        for rows in combinations(range(size), number):
            for columns in combinations(range(size), number):
                part = payoffs[np.ix_(rows, columns)]
                left = np.vstack(
                    [
                        np.hstack([part.T, -np.ones((number, 1))]),
                        np.append(np.ones(number), 0.0),
                    ]
                )
                try:
                    solved = np.linalg.solve(left, np.append(np.zeros(number), 1.0))
                except np.linalg.LinAlgError:
                    continue
                shares = np.zeros(size)
                shares[list(rows)] = solved[:-1]
                if shares.min() > -1e-12:
                    best = max(best, float(min(shares @ payoffs)))
    return float(best)


def test_a_rock_that_wins_twice() -> None:
    # Scissors pay double to rock: paper is played half of the time.
    found = equilibrium(
        np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    )

    assert found.shares == pytest.approx((0.25, 0.5, 0.25))
    assert found.value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_small_games_by_brute_force(seed: int) -> None:
    chance = np.random.default_rng(seed)
    half = chance.uniform(0.2, 0.8, (4, 4))
    rates = (half + 1 - half.T) / 2
    found = equilibrium(rates)

    assert found.value == pytest.approx(brute_force(rates), abs=1e-9)
    assert found.value == pytest.approx(0.5, abs=1e-9)
    assert sum(found.shares) == pytest.approx(1)
    assert max(payoffs_against(rates, found.shares)) <= 0.5 + 1e-9


def test_a_large_game_is_solved_by_a_part_of_it() -> None:
    """Its best rows have the worst means, and its other rows beat each other."""
    size = 120
    payoffs = np.random.default_rng(1).uniform(0.3, 0.7, (size, size))
    payoffs = (payoffs + 1 - payoffs.T) / 2
    rock_paper_scissors = np.array([[0.5, 0.1, 0.9], [0.9, 0.5, 0.1], [0.1, 0.9, 0.5]])
    payoffs[-3:, -3:] = rock_paper_scissors
    payoffs[-3:, :-3], payoffs[:-3, -3:] = 0.51, 0.49
    payoffs[:40, 40:-3], payoffs[40:-3, :40] = 0.8, 0.2
    found = equilibrium(payoffs)

    assert payoffs[-1].mean() < np.median(payoffs.mean(axis=1)[:40])
    assert found.shares[-3:] == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert found.value == pytest.approx(0.5)


def test_payoffs_against_a_metagame() -> None:
    rates = np.array([[0.5, 0.7], [0.3, 0.5]])

    assert payoffs_against(rates, [3, 1]) == pytest.approx([0.55, 0.35])
    with pytest.raises(ValueError, match="positive"):
        payoffs_against(rates, [0, 0])


def test_resampling_spreads_as_the_mean_does() -> None:
    counts = [100, 0, 200, 0, 100]
    chance = np.random.default_rng(3)
    means = [resampled_rates([counts], chance)[0] for _ in range(2000)]

    assert np.mean(means) == pytest.approx(0.5, abs=0.005)
    # The variance of a score of 0, 1/2, 1 with these shares is 1/8.
    assert np.std(means) == pytest.approx((1 / 8 / 400) ** 0.5, rel=0.1)


# What is not explained, with the part of chance taken off.


def unchanged(values: Floats) -> Floats:
    """The projection onto everything."""
    return values


@pytest.mark.parametrize("number", [1, 2, 41, 1_000])
def test_a_quantile_is_the_nearest_value(number: int) -> None:
    values = np.random.default_rng(number).permutation(number).astype(float)

    for part in (0.0, 0.025, 0.31, 0.975, 1.0):
        assert find_quantile(values, part) == np.quantile(
            values, part, method="nearest"
        )


def test_an_interval_is_never_narrow_by_luck() -> None:
    nothing = np.zeros(5)
    found = squared_size(
        nothing, unchanged, 0.05, np.full(5, 0.01), np.full(5, 99.0), seed=1
    )

    assert found.value == 0.0
    assert found.interval.low == 0.0
    assert found.interval.high >= 0.0


# Weighted sums of mean scores: known special cases, and lopsided ones.


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


@pytest.mark.parametrize("seed", range(8))
def test_whether_an_interval_lies_above_is_told_without_its_ends(seed: int) -> None:
    chance = np.random.default_rng(seed)
    # The first has one observation of each score, the second a single score.
    scores, games = (1 if seed == 1 else 6), (1 if seed == 0 else 20 * seed)
    shares = chance.dirichlet(np.ones(5), scores)
    counts = chance.multinomial(games, shares).tolist()
    weights = chance.normal(size=scores).tolist()
    low = linear_interval(weights, counts).low

    assert is_sum_above(low - 1e-6, weights, counts)
    assert not is_sum_above(low + 1e-6, weights, counts)


def means(seed: int, decks: int, field: int, pairs: int) -> list[Combination]:
    """Mean win rates of decks of different strength, the best first.

    They meet each other, or each meets a field that is not measured.
    """
    chance = np.random.default_rng(seed)
    strengths = chance.normal(0, 0.6, decks + field)
    shares: list[list[Combination]] = [[] for _ in strengths]
    for a, b in combinations(range(decks + field), 2):
        if field and not a < decks <= b:
            continue
        rate = 1 / (1 + np.exp(strengths[b] - strengths[a]))
        played = chance.integers(pairs, pairs + 3) if pairs > 1 else 1
        won = 2 * chance.binomial(2, rate, played)
        counts = np.bincount(won, minlength=5).tolist()
        # Where the beginner never matters a set is one game.
        is_once = pairs > 1 and (a + b) % 3 == 0
        sample = Sample(tuple(counts[::2] if is_once else counts), 2 * sum(counts))
        shares[a].append(Combination.of(sample))
        shares[b].append(Combination.of(sample).opposite())
    return sorted(map(average, shares[:decks]), key=lambda mean: -mean.value)


@pytest.mark.parametrize("level", [0.8, 0.9995])
@pytest.mark.parametrize(
    ("decks", "field", "pairs"),
    [(3, 0, 9), (4, 0, 2), (9, 0, 40), (20, 0, 3), (20, 3, 20), (12, 0, 1), (9, 15, 1)],
)
def test_bounds_tell_which_of_many_sums_exceed_others(
    decks: int, field: int, pairs: int, level: float
) -> None:
    for seed in range(2):
        sums = means(seed, decks, field, pairs)
        one_by_one = [
            (a, b)
            for a, b in combinations(range(decks), 2)
            if difference(sums[a], sums[b]).is_above(0.0, level)
        ]
        assert list(exceeded_later(sums, level)) == one_by_one
