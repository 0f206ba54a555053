"""The regression learns what cards and pairs of them are worth."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from deckcheck.formats import database_of, load_format
from deckcheck.studies.search.search import (
    Encoding,
    Observation,
    WinRates,
    climb,
    moves_by_gain,
)
from deckcheck.studies.search.space import Candidate, DeckSpace, spaces_of


def space() -> DeckSpace:
    fmt = load_format("gwen_t/pool")
    [found] = spaces_of(fmt, database_of(fmt, None))
    return found


def truth(candidate: Candidate) -> float:
    """A win rate in points: one card is good, one bad, two are good together."""
    first, second, third, fourth, *_ = candidate.counts
    return 40 + 4.0 * first - 3.0 * second + 2.0 * (third > 0) * (fourth > 0)


def observed(decks: DeckSpace, count: int) -> list[Observation]:
    chance = Random(3)
    found = [decks.random(chance) for _ in range(count)]
    return [
        Observation(each, truth(each) + chance.gauss(0, 0.5), 0.25, i % 3)
        for i, each in enumerate(found)
        if each is not None
    ]


def test_it_learns_what_was_planted() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 300))
    [likely] = model.draws(0, 1)
    tops = [decks.random(Random(100 + i)) for i in range(30)]
    rows = [model.encoding.row(each) for each in tops if each]
    heights = [likely.height(row) for row in rows]
    level = sum(heights) / len(heights)
    rates = [truth(each) for each in tops if each]
    mean = sum(rates) / len(rates)

    for height, rate in zip(heights, rates, strict=True):
        assert height - level == pytest.approx(rate - mean, abs=1.5)


def test_what_a_move_gains_is_the_difference_of_heights() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 60))
    landscape = model.draws(1, 5)[1]
    start = decks.random(Random(9))
    assert start is not None
    height = landscape.height(model.encoding.row(start))
    moves = list(moves_by_gain(decks, model.encoding, landscape, start))

    assert [gain for gain, _ in moves] == sorted((g for g, _ in moves), reverse=True)
    for gain, to in moves:
        above = landscape.height(model.encoding.row(to)) - height
        assert gain == pytest.approx(above, abs=1e-6)


def test_no_move_leads_too_far_away() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 60))
    base = decks.random(Random(9))
    assert base is not None
    near = replace(decks, base=base, changes=2)
    for seed in range(8):
        start = near.random(Random(seed))
        assert start is not None
        every = moves_by_gain(decks, model.encoding, model.draws(0, 1)[0], start)
        moves = moves_by_gain(near, model.encoding, model.draws(0, 1)[0], start)

        assert list(moves) == [m for m in every if near.distance(m[1]) <= 2]


def test_a_climb_ends_at_a_legal_deck_that_is_no_worse() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 200))
    [likely] = model.draws(0, 1)
    start = decks.random(Random(2))
    assert start is not None
    top = climb(decks, model.encoding, likely, start)

    assert decks.holds(top)
    assert truth(top) >= truth(start)
    assert top.counts[0] == min(decks.most[0], sum(top.counts))
    assert top.counts[1] == 0


def test_likely_rates_lie_between_what_was_seen_and_what_cards_let_expect() -> None:
    decks = space()
    seen = observed(decks, 200)
    lucky = Observation(seen[0].candidate, seen[0].rate + 30, 400.0, 9)
    expected = WinRates(decks, [*seen, lucky]).expected()

    assert expected[seen[0].candidate] == pytest.approx(truth(seen[0].candidate), abs=2)


def test_a_row_has_a_place_for_each_copy_and_leader() -> None:
    fmt = load_format("gwent/standard")
    decks = spaces_of(fmt, database_of(fmt, None), ["skellige"])[0]
    encoding = Encoding.of(decks)
    candidate = decks.random(Random(1))
    assert candidate is not None
    row = encoding.row(candidate)

    assert len(row) == encoding.width == sum(decks.most) + len(decks.leaders)
    assert row.sum() == sum(candidate.counts) + 1
