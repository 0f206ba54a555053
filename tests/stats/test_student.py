"""Quantiles of Student's t, against tables and its own density."""

from __future__ import annotations

from math import exp, lgamma, log, pi

import numpy as np
import pytest

from deckcheck.stats.intervals import student_quantile

TABLE = {
    1: (6.313752, 12.706205, 63.656741),
    2: (2.919986, 4.302653, 9.924843),
    3: (2.353363, 3.182446, 5.840909),
    4: (2.131847, 2.776445, 4.604095),
    5: (2.015048, 2.570582, 4.032143),
    6: (1.943180, 2.446912, 3.707428),
    7: (1.894579, 2.364624, 3.499483),
    8: (1.859548, 2.306004, 3.355387),
    9: (1.833113, 2.262157, 3.249836),
    10: (1.812461, 2.228139, 3.169273),
    30: (1.697261, 2.042272, 2.749996),
    99: (1.660391, 1.984217, 2.626405),
    100: (1.660234, 1.983972, 2.625891),
    1_000: (1.646379, 1.962339, 2.580755),
}
"""Two-sided quantiles at 90, 95 and 99 %, as printed in tables."""


@pytest.mark.parametrize("freedom", TABLE)
def test_the_quantiles_are_those_of_the_table(freedom: int) -> None:
    quantiles = [student_quantile(level, freedom) for level in (0.9, 0.95, 0.99)]

    assert quantiles == pytest.approx(TABLE[freedom], abs=1e-6)


@pytest.mark.parametrize("freedom", [1.5, 2.5, 17.3])
def test_freedom_need_not_be_whole(freedom: float) -> None:
    """The density between the quantiles adds up to the level."""
    reach = student_quantile(0.95, freedom)
    t = np.linspace(-reach, reach, 200_001)
    scale = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(pi * freedom) / 2
    density = exp(scale) * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

    assert np.mean(density) * 2 * reach == pytest.approx(0.95, abs=1e-5)


def test_levels_of_many_claims_together_are_reached() -> None:
    """A thousand at 95 % together, with few observations."""
    assert student_quantile(1 - 0.05 / 1_000, 3) == pytest.approx(35.297919, abs=1e-5)


@pytest.mark.parametrize(("level", "freedom"), [(0.0, 3), (1.0, 3), (0.95, 0)])
def test_what_has_no_quantile_is_refused(level: float, freedom: float) -> None:
    with pytest.raises(ValueError, match="must"):
        student_quantile(level, freedom)


def test_the_expansion_begins_where_the_inversion_ends() -> None:
    level = 1 - 0.05 / 1_000

    expanded, inverted = (student_quantile(level, n) for n in (100, 99.9999))
    assert expanded == pytest.approx(inverted, abs=1e-6)


def test_low_levels_lie_within_one_error() -> None:
    assert student_quantile(0.5, 3) == pytest.approx(0.764892, abs=1e-6)
