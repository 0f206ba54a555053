"""Which changes are tried next, in a made-up field where effects add up."""

from __future__ import annotations

from deckcheck.studies.balance.search import BalanceSearch
from deckcheck.studies.balance.targets import Aim, StrengthStep, gauges

STRONG, OTHER = "strong", "other"
STEPS = [
    StrengthStep(card, "strength", by)
    for card in (STRONG, OTHER)
    for by in (-3, -2, -1, 1, 2)
]
PAIRS = [(0, 1), (0, 2), (1, 2)]


def effect(step: StrengthStep) -> list[float]:
    """A point of strength moves what its deck wins by two points."""
    if step.card == STRONG:
        return [0.02 * step.by, 0.02 * step.by, 0.0]
    return [0.0, -0.02 * step.by, -0.02 * step.by]


def a_search(rates: list[float], most: int = 5) -> BalanceSearch:
    aims = [
        Aim(each, 0.45, 0.55)
        for each in gauges(["a", "b", "c"], [None] * 3, [1, 1, 1], PAIRS)
    ]
    search = BalanceSearch(aims, [0.0] * 3, most, STEPS)
    search.effects = {s: effect(s) for s in STEPS if s.by in (-3, 1, 2)}
    search.add((), rates)
    return search


def test_the_card_that_is_too_strong_is_made_weaker_by_no_more_than_needed() -> None:
    search = a_search([0.58, 0.58, 0.5])

    assert search.misses([0.58, 0.58, 0.5]) > 0.02
    assert search.next() == {StrengthStep(STRONG, "strength", -2)}


def test_nothing_is_changed_where_all_is_well() -> None:
    assert a_search([0.52, 0.5, 0.5]).next() == set()


def test_what_came_of_changes_corrects_what_is_expected_of_them() -> None:
    search = a_search([0.58, 0.58, 0.5])
    # Only half of what was expected came of it.
    search.add((StrengthStep(STRONG, "strength", -2),), [0.565, 0.565, 0.5])

    assert search.next() == {StrengthStep(STRONG, "strength", -3)}


def test_the_best_misses_least_and_changes_least() -> None:
    search = a_search([0.6, 0.6, 0.5])
    one, two = StrengthStep(STRONG, "strength", -3), StrengthStep(OTHER, "strength", -1)
    search.add((one, two), [0.52, 0.52, 0.5])
    search.add((one,), [0.53, 0.53, 0.5])
    search.add((two,), [0.6, 0.61, 0.5])

    assert search.best == (one,)


def test_no_more_is_changed_than_allowed() -> None:
    assert len(a_search([0.7, 0.7, 0.6], most=1).next()) == 1


def test_what_lies_beside_is_smaller_and_where_it_misses_a_little_other() -> None:
    search = a_search([0.6, 0.6, 0.5])
    one, two = StrengthStep(STRONG, "strength", -3), StrengthStep(OTHER, "strength", -2)
    search.add((one,), [0.53, 0.53, 0.5])
    search.add((one, two), [0.6, 0.6, 0.5])

    assert list(search.beside((one,))) == [()]
    assert list(search.beside((one, two))) == [
        (two,),
        (StrengthStep(STRONG, "strength", -2), two),
        (one,),
        (one, StrengthStep(OTHER, "strength", -3)),
        (one, StrengthStep(OTHER, "strength", -1)),
    ]


def test_close_choices_are_told_as_close() -> None:
    """Two that miss the aims alike are chosen alike often, others not at all."""
    search = a_search([0.58, 0.58, 0.5])
    one, two = (StrengthStep(STRONG, "strength", by) for by in (-2, -3))
    even, wide = (0, 0, 100, 0, 0), (0, 0, 0, 0, 100)
    near = (20, 0, 60, 0, 20)
    for steps, counts in (((), wide), ((one,), near), ((two,), near)):
        search.add(steps, [0.5] * 3, [counts, counts, even])
    found = dict(search.choices(1))

    assert sum(found.values()) == 1
    assert () not in found
    assert search.choices(1) == search.choices(1)
