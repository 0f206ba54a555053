"""Differences of scores in the same games, against counting them one by one."""

from __future__ import annotations

import numpy as np
import pytest

from deckcheck.stats.sequential import (
    difference_counts,
    difference_interval,
    mean_difference,
    variance_ratio,
)

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


def test_the_ratio_of_variances() -> None:
    together = (SCORES[:, 1] - SCORES[:, 0]).var()
    apart = SCORES[:, 0].var() + SCORES[:, 1].var()
    joint = joint_of(SCORES)

    assert variance_ratio([joint]) == pytest.approx(apart / together)
    assert variance_ratio([joint, joint]) == pytest.approx(apart / together)


def test_independent_scores_save_nothing() -> None:
    counts = np.array([10, 20, 30, 20, 20])
    joint = np.outer(counts, counts)

    assert variance_ratio([joint]) == pytest.approx(1)
