"""Pairings and their numbers."""

from __future__ import annotations

from deckcheck.sim.seating import Pairing, pair_up


def test_two_decks_are_one_pairing() -> None:
    assert pair_up(2) == [Pairing(0, 1)]


def test_more_decks_are_a_round_robin() -> None:
    assert [(p.a, p.b) for p in pair_up(4)] == [
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
        (2, 3),
    ]


def test_a_deck_meets_itself_only_on_request() -> None:
    assert pair_up(1) == []
    assert [(p.a, p.b) for p in pair_up(2, mirror=True)] == [(0, 0), (0, 1), (1, 1)]


def test_numbers_are_distinct() -> None:
    numbers = [p.number for p in pair_up(40, mirror=True)]

    assert sorted(numbers) == list(range(40 * 41 // 2))


def test_a_deck_more_leaves_the_numbers_as_they_were() -> None:
    assert set(pair_up(5)) < set(pair_up(6))
