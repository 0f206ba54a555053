"""Equilibria against known games, and against trying every small support."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from deckcheck.stats.optimising import (
    Matrix,
    equilibrium,
    payoffs_against,
    resampled_rates,
)


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


def test_rock_paper_scissors() -> None:
    found = equilibrium(np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]))

    assert found.shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert found.value == pytest.approx(0.5)


def test_a_rock_that_wins_twice() -> None:
    # Scissors pay double to rock: paper is played half of the time.
    found = equilibrium(
        np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    )

    assert found.shares == pytest.approx((0.25, 0.5, 0.25))
    assert found.value == pytest.approx(0, abs=1e-12)


def test_a_deck_that_beats_all_is_the_only_one() -> None:
    found = equilibrium(np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]]))

    assert found.shares == (1.0, 0.0, 0.0)


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
