"""What is not explained, with the part of chance taken off."""

from __future__ import annotations

import numpy as np

from deckcheck.stats.regression import Matrix, squared_size


def unchanged(values: Matrix) -> Matrix:
    """The projection onto everything."""
    return values


def measured(truth: list[float], runs: int) -> tuple[float, float]:
    """The mean of what is told, and how often the interval holds the truth."""
    chance = np.random.default_rng(1)
    variances = np.full(len(truth), 0.01)
    freedom = np.full(len(truth), 99.0)
    size = float(np.square(truth).sum())
    told, inside = [], 0
    for _ in range(runs):
        values = np.array(truth) + 0.1 * chance.standard_normal(len(truth))
        found = squared_size(
            values, unchanged, float(variances.sum()), variances, freedom
        )
        told.append(found.value)
        inside += found.interval.low <= size <= found.interval.high
    return float(np.mean(told)), inside / runs


def test_chance_is_taken_off() -> None:
    told, inside = measured([0.3, -0.2, 0.1, 0.0], 200)

    assert abs(told - 0.14) < 0.02
    assert inside > 0.9


def test_what_is_nothing_is_told_as_little() -> None:
    told, inside = measured([0.0] * 10, 200)

    assert told < 0.03
    assert inside > 0.9


def test_an_interval_is_never_narrow_by_luck() -> None:
    nothing = np.zeros(5)
    found = squared_size(nothing, unchanged, 0.05, np.full(5, 0.01), np.full(5, 99.0))

    assert found.value == 0.0
    assert found.interval.low == 0.0
    assert found.interval.high >= 0.0
