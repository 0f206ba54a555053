"""The cheapest choice of options, where it can be seen by hand."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from deckcheck.stats.optimising import Wanted, cheapest_choice


def test_one_large_option_is_cheaper_than_two_small_ones() -> None:
    wanted = [Wanted(60, (-3, -3, -6), 0, 55)]

    assert cheapest_choice([1, 1, 1.5], [], wanted, 10, 3) == (2,)
    assert cheapest_choice([1, 1, 2.5], [], wanted, 10, 3) == (0, 1)


def test_of_a_group_one_is_taken_and_not_more_than_allowed() -> None:
    wanted = [Wanted(60, (-3, -4, -2), 0, 50)]

    assert cheapest_choice([1, 1, 1], [[0, 1]], wanted, 10, 3) == (1, 2)
    assert cheapest_choice([1, 1, 1], [], wanted, 10, 1) == (1,)


def test_what_costs_more_than_it_helps_is_left() -> None:
    wanted = [Wanted(60, (-0.1,), 0, 55)]

    assert cheapest_choice([1], [], wanted, 5, 1) == ()
    assert cheapest_choice([1], [], wanted, 20, 1) == (0,)
    assert cheapest_choice([1], [], [Wanted(50, (5,), 45, 55)], 20, 1) == ()


@pytest.mark.parametrize("seed", range(5))
def test_it_is_as_good_as_trying_all(seed: int) -> None:
    chance = Random(seed)
    costs = [1 + chance.random() for _ in range(8)]
    groups = [[0, 1], [2, 3, 4]]
    wanted = [
        Wanted(chance.gauss(50, 6), tuple(chance.gauss(0, 3) for _ in costs), 47, 53)
        for _ in range(4)
    ]

    def price(chosen: tuple[int, ...]) -> float:
        values = [w.value + sum(w.effects[i] for i in chosen) for w in wanted]
        missed = sum(
            max(0, w.low - v, v - w.high) for w, v in zip(wanted, values, strict=True)
        )
        return sum(costs[i] for i in chosen) + 4 * missed

    allowed = [
        tuple(i for i, taken in enumerate(each) if taken)
        for each in product((False, True), repeat=len(costs))
        if sum(each) <= 3 and all(sum(each[i] for i in g) <= 1 for g in groups)
    ]
    found = cheapest_choice(costs, groups, wanted, 4, 3)
    assert price(found) == pytest.approx(min(map(price, allowed)), abs=1e-4)
