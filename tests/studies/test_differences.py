"""When enough was played to know a difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deckcheck.stats import Interval
from deckcheck.studies.duels import DifferenceVerdict, VersionDifference, difference_of

BETTER = VersionDifference(
    "old", "new", 0.04, Interval(0.021, 0.059), DifferenceVerdict.BETTER, None
)


@pytest.mark.parametrize(
    ("ends", "margin", "known"),
    [
        # Half of 4 points to each side is 4 points wide.
        ((0.0205, 0.0595), 0.001, True),
        ((0.0195, 0.0605), 0.001, False),
        # So is a margin of 2 points; a greater one allows more.
        ((0.0195, 0.0605), 0.02, False),
        ((0.0195, 0.0605), 0.021, True),
        ((0.0050, 0.0750), 0.036, True),
    ],
)
def test_a_difference_is_known_to_half_of_it_or_to_the_margin(
    ends: tuple[float, float], margin: float, known: bool
) -> None:
    better = replace(BETTER, interval=Interval(*ends))

    assert better.is_known(margin) is known
    assert better.opposite().is_known(margin) is known


def test_which_one_is_better_has_to_be_known() -> None:
    """However wide the margin: an interval with 0 in it says of neither."""
    unsure = replace(
        BETTER, interval=Interval(-0.001, 0.081), verdict=DifferenceVerdict.OPEN
    )

    assert not unsure.is_known(0.5)


def test_two_that_do_alike_are_known() -> None:
    alike = replace(BETTER, difference=0.0, interval=Interval(-0.01, 0.01))

    assert replace(alike, verdict=DifferenceVerdict.SAME).is_known(0.001)


def test_opponents_count_by_their_shares() -> None:
    """Better by a half-point in a tenth of 100 sets, and in half of 20."""
    rare, often = np.zeros((5, 5), np.int64), np.zeros((5, 5), np.int64)
    rare[2, 2], rare[2, 3] = 90, 10
    often[2, 2], often[2, 3] = 10, 10
    settings = {"margin": 0.0, "anytime": False}
    alone = difference_of(("old", "new"), [often], **settings)  # type: ignore[arg-type]
    both = difference_of(("old", "new"), [rare, often], shares=(0.75, 0.25), **settings)  # type: ignore[arg-type]

    assert both.value == pytest.approx((0.75 * 0.1 + 0.25 * 0.5) / 4)
    low, high = both.interval
    assert 0 < low < both.value < high < alone.interval.high
