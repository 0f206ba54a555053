"""Chances of hands against counting every hand, and against dealing many."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, permutations

import pytest

from deckcheck.stats.distributions import (
    Kinds,
    after_drawing,
    at_least,
    mean_of,
    opening,
    redrawn,
)

SMALL = Kinds(wanted=2, drawing=1, both=1, others=3)
WORDS = ["w", "w", "d", "b", "o", "o", "o"]


def wanted(hand: list[str]) -> int:
    return sum(card in "wb" for card in hand)


def test_the_opening_hand_is_that_of_all_combinations() -> None:
    hands = opening(SMALL, 3)
    ways = [[WORDS[i] for i in each] for each in combinations(range(7), 3)]

    for number in range(4):
        share = sum(wanted(hand) >= number for hand in ways) / len(ways)
        assert at_least(hands, number) == pytest.approx(share)
    assert mean_of(hands) == pytest.approx(3 * 3 / 7)


def test_a_known_chance() -> None:
    # One card of 25 in a hand of 10.
    assert at_least(opening(Kinds(1, 0, 0, 24), 10), 1) == pytest.approx(0.4)


def decks() -> Iterator[list[str]]:
    for order in permutations(range(7)):
        yield [WORDS[i] for i in order]


@pytest.mark.parametrize("size", [2, 3])
def test_cards_that_draw_bring_what_lies_on_top(size: int) -> None:
    hands = after_drawing(SMALL, opening(SMALL, size), size, 2)
    found = []
    for deck in decks():
        end, played = size, 0
        while played < end:
            end = min(7, end + 2 * (deck[played] in "db"))
            played += 1
        found.append(wanted(deck[:end]))

    for number in range(1, 4):
        share = sum(each >= number for each in found) / len(found)
        assert at_least(hands, number) == pytest.approx(share)


@pytest.mark.parametrize("under", [True, False])
def test_redraws_give_back_what_is_of_no_use(under: bool) -> None:
    size, times, dealt = 4, 2, 20_000
    chance = random.Random(5)
    hands = redrawn(SMALL, opening(SMALL, size), size, times, under=under)
    found = []
    for _ in range(dealt):
        deck = chance.sample(WORDS, 7)
        hand, deck = deck[:size], deck[size:]
        for _ in range(times):
            if "o" in hand:
                hand.remove("o")
                hand.append(deck.pop(0))
                deck.insert(len(deck) if under else chance.randrange(3), "o")
        found.append(wanted(hand))

    for number in range(1, 4):
        share = sum(each >= number for each in found) / dealt
        assert at_least(hands, number) == pytest.approx(share, abs=0.015)
    assert sum(hands.values()) == pytest.approx(1)


def test_the_last_card_of_the_deck_is_drawn_too() -> None:
    three = Kinds(wanted=1, drawing=0, both=0, others=2)
    hands = redrawn(three, opening(three, 2), 2, 1, under=True)

    # Whoever has both others gives one back for the wanted card, which is left.
    assert at_least(hands, 1) == 1


def test_a_deck_smaller_than_its_hand_is_drawn_whole() -> None:
    small = Kinds(1, 0, 0, 2)
    hands = redrawn(small, opening(small, 10), 10, 2, under=False)

    assert at_least(after_drawing(small, hands, 10, 2), 1) == 1
