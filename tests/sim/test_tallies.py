"""Tallies of many jobs are kept without their zeros."""

from __future__ import annotations

import numpy as np
import pytest

from deckcheck.sim.jobs import PackedTally, Tallies


@pytest.mark.parametrize(
    "tally",
    [
        np.zeros((3, 5), np.int64),
        np.array([[0, 7, 0], [-(1 << 62), 0, 1 << 62]], np.int64),
        np.array([4], np.int64),
        np.zeros((0, 3), np.int64),
    ],
)
def test_a_tally_is_what_it_was(tally: np.ndarray) -> None:
    kept = Tallies()
    kept[3] = tally

    assert kept[3].shape == tally.shape
    assert kept[3].dtype == tally.dtype
    assert np.array_equal(kept[3], tally)
    assert ([*kept], len(kept), 3 in kept, 4 in kept) == ([3], 1, True, False)


def test_what_is_taken_out_is_a_copy() -> None:
    kept = Tallies()
    kept[1] = np.array([0, 2], np.int64)
    kept[1][0] = 9

    assert kept[1].tolist() == [0, 2]


def test_a_tally_that_is_mostly_zeros_takes_little_memory() -> None:
    tally = np.zeros((80, 12), np.int64)
    tally[::20] = 1
    packed = PackedTally.of(tally)

    assert len(packed.places) + len(packed.cells) == 12 * 4 * (8 + 4)
    assert tally.nbytes > 10 * 12 * 4 * (8 + 4)
