"""Many tests at once, against the example of the paper."""

from __future__ import annotations

import pytest

from deckcheck.stats.intervals import benjamini_hochberg

# Fifteen p-values of Benjamini and Hochberg (1995), 4.1: four are sure at 5 %.
PAPER = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]


def test_the_example_of_the_paper() -> None:
    rates = benjamini_hochberg(PAPER)

    assert sum(rate <= 0.05 for rate in rates) == 4
    assert rates[3] == pytest.approx(0.0095 * 15 / 4)
    assert rates == sorted(rates)


def test_the_order_does_not_matter() -> None:
    turned = benjamini_hochberg(PAPER[::-1])

    assert turned[::-1] == benjamini_hochberg(PAPER)


def test_no_tests_at_all() -> None:
    assert benjamini_hochberg([]) == []
