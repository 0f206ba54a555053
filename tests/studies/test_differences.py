"""When enough was played to know a difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckcheck.stats import Interval
from deckcheck.studies.differences import Difference, Verdict

BETTER = Difference(0, 1, 0.04, Interval(0.021, 0.059), Verdict.BETTER, None)


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
    unsure = replace(BETTER, interval=Interval(-0.001, 0.081), verdict=Verdict.OPEN)

    assert not unsure.is_known(0.5)


def test_two_that_do_alike_are_known() -> None:
    alike = replace(BETTER, value=0.0, interval=Interval(-0.01, 0.01))

    assert replace(alike, verdict=Verdict.SAME).is_known(0.001)
