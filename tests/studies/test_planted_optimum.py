"""The best deck of a small league, known by enumeration, is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.planted_optimum import (
    NEAR,
    best_deck,
    every_deck,
    gaps,
    write_league,
)


def test_the_best_of_few_decks_is_found(tmp_path: Path) -> None:
    planted = write_league(tmp_path, 5)
    best, count = best_deck(planted, ((None, 400), (10, 4_000)))

    assert count == len(every_deck(planted.space)) == 45
    assert best.counts()["planted_brother"] == 2
    assert max(gaps(planted, best, [1], 5_000, 4_000)) <= NEAR


@pytest.mark.slow
def test_the_best_of_many_decks_is_found(tmp_path: Path) -> None:
    planted = write_league(tmp_path)
    best, count = best_deck(planted, ((None, 400), (100, 4_000), (20, 20_000)))

    assert count == 784
    found = gaps(planted, best, range(1, 4), 40_000, 40_000)
    assert sum(gap <= NEAR for gap in found) == 3
