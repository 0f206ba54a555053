"""Chances of hands, and histograms."""

import random
from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.stats import Histogram, round_width
from deckcheck.stats.distributions import (
    Hand,
    Kinds,
    at_least,
    mean_wanted,
    opening,
    play_drawing_cards,
    redrawn,
)

# Chances of hands against counting every hand, and against dealing many.

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
    assert mean_wanted(hands) == pytest.approx(3 * 3 / 7)
    # One card of 25 in a hand of 10.
    assert at_least(opening(Kinds(1, 0, 0, 24), 10), 1) == pytest.approx(0.4)


def decks() -> Iterator[list[str]]:
    for order in permutations(range(7)):
        yield [WORDS[i] for i in order]


@pytest.mark.parametrize("size", [2, 3])
def test_cards_that_draw_bring_what_lies_on_top(size: int) -> None:
    hands = play_drawing_cards(SMALL, opening(SMALL, size), size, 2)
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


def test_hands_of_small_decks() -> None:
    """A hand with both other cards returns one of them and draws the wanted card."""
    three = Kinds(wanted=1, drawing=0, both=0, others=2)
    hands = redrawn(three, opening(three, 2), 2, 1, under=True)
    assert at_least(hands, 1) == 1
    # A deck smaller than its hand is drawn whole.
    hands = redrawn(three, opening(three, 10), 10, 2, under=False)
    assert at_least(play_drawing_cards(three, hands, 10, 2), 1) == 1
    # Rounding exceeds 1.
    assert at_least({Hand(1, 0, 0): 0.5, Hand(2, 0, 0): 0.5 + 1e-9}, 1) == 1.0


# Histograms: the same numbers, in other bins.

COUNTS = st.lists(st.integers(0, 5), max_size=80)
FIRST = st.integers(-60, 60)


def numbers(found: Histogram) -> list[int]:
    """Every number that was counted, of bins of one."""
    assert found.width == 1
    return [found.first + i for i, n in enumerate(found.counts) for _ in range(n)]


@given(COUNTS, FIRST)
def test_holds_what_it_was_given(counts: list[int], first: int) -> None:
    found = Histogram.of(counts, first)

    expected = [first + i for i, n in enumerate(counts) for _ in range(n)]
    assert numbers(found) == expected
    assert found.total == len(expected)
    assert found.mean == pytest.approx(sum(expected) / (len(expected) or 1))
    if found.counts:
        assert found.counts[0] > 0 < found.counts[-1]


@given(COUNTS, FIRST, st.sampled_from([1, 3, 5, 15, 25]))
def test_bins_lie_around_zero(counts: list[int], first: int, width: int) -> None:
    found = Histogram.of(counts, first)
    wide = found.rebin(width)

    assert wide.total == found.total
    for i, count in enumerate(wide.counts):
        low = wide.first + i * width
        assert (low + width // 2) % width == 0
        assert count == sum(low <= n < low + width for n in numbers(found))
    # A number counts as the middle of its bin: one in 2 to 4, three in 5 to 7.
    assert Histogram(2, (1, 3), 3).mean == (3 + 3 * 6) / 4


@given(COUNTS, FIRST)
def test_signs_are_turned_and_dropped(counts: list[int], first: int) -> None:
    found = Histogram.of(counts, first)

    assert sorted(numbers(found.reverse())) == sorted(-n for n in numbers(found))
    assert sorted(numbers(found.fold())) == sorted(abs(n) for n in numbers(found))


@given(st.lists(st.tuples(COUNTS, FIRST), max_size=4))
def test_several_are_added(parts: list[tuple[list[int], int]]) -> None:
    found = [Histogram.of(*part) for part in parts]
    together = Histogram.sum(found)

    assert numbers(together) == sorted(n for part in found for n in numbers(part))


def test_even_bins_have_no_middle() -> None:
    with pytest.raises(ValueError, match="no bins of 2"):
        Histogram(0, (1, 2)).rebin(2)
    with pytest.raises(ValueError, match="no bins of 15 from bins of 5"):
        Histogram(0, (1, 2)).rebin(5).rebin(15)
    with pytest.raises(ValueError, match="cannot be folded"):
        Histogram(0, (1, 2)).rebin(5).fold()


def test_round_width_needs_few_bins_and_leaves_out_the_rare() -> None:
    for low, high, width in (
        *((0, 0, 1), (2, 3, 1), (-15, 15, 1), (-16, 15, 3), (-70, 60, 5)),
        (-200, 200, 15),
    ):
        assert round_width(Histogram.of([1] * (high - low + 1), low)) == width, low
    found = Histogram.of([1, *[0] * 99, *[100] * 31, *[0] * 99, 1], -115)
    assert round_width(found) == 1


def test_ends_leave_out_a_share_that_is_just_allowed() -> None:
    rare = Histogram.of([1, *[0] * 99, *[100] * 31, *[0] * 99, 1], -115)
    assert rare.ends() == (-15, 15)
    assert Histogram.of([2, 0, 1]).ends() == (0, 2)
    assert Histogram(0, ()).ends() == (0, 0)
    found = Histogram.of([1, 98, 1], 5)
    assert found.ends(0.01) == (6, 6)
    assert found.ends(0.009) == (5, 7)
