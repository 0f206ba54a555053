"""Planted differences are found, and none where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.planted import compare_nothing, compare_planted, rank_planted

POLICY = "sane_random"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three up", "dead"])
def test_compare_finds_the_sign(tmp_path: Path, name: str) -> None:
    found = compare_planted(tmp_path, name, range(1, 4), POLICY)

    assert found.right == found.seeds
    # At most a third of the games that other shuffles for each would take.
    assert found.saved > 3


@pytest.mark.slow
def test_compare_finds_nothing_where_there_is_nothing() -> None:
    assert compare_nothing(range(1, 5), POLICY) <= 1


@pytest.mark.slow
def test_impact_ranks_a_strong_card_first_and_a_dead_one_last(tmp_path: Path) -> None:
    assert rank_planted(tmp_path, range(1, 4), POLICY, 200) == 3
