"""Sentences that say no more than the games do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from deckcheck.stats import Estimate, Interval
from deckcheck.studies.compare.result import _times_ahead
from deckcheck.studies.solve.result import SolveResult


@pytest.mark.parametrize(
    ("new", "old", "times"),
    [(0.652, 0.644, 52), (0.6442, 0.644, 47), (0.75, 0.25, 100), (0.25, 0.75, 100)],
)
def test_a_small_difference_is_seldom_seen_in_100_games(
    new: float, old: float, times: int
) -> None:
    assert _times_ahead(new, old) == times


@pytest.mark.parametrize(
    ("ends", "most"),
    [([(-0.02, 0.088), (-0.01, 0.058)], 0.088), ([(-0.3, -0.121)], 0.0), ([], None)],
)
def test_no_bound_lies_below_the_table_or_below_nothing(
    ends: list[tuple[float, float]], most: float | None
) -> None:
    gains = [Estimate(low, Interval(low, high), 100) for low, high in ends]
    result: Any = SimpleNamespace(answers=[SimpleNamespace(gain=g) for g in gains])

    assert SolveResult.most_gained.fget(result) == most  # type: ignore[attr-defined]
