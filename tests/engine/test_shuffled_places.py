"""Shuffles by place: lists of other sizes, of which the common cards lie alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import deckcheck
from deckcheck.engine.contract import set_up
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import copy_deck, remove_from_deck, shuffle_deck
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import open_table, seat
from deckcheck.playing.versions import VERSION, Versions, seat_versions

DECKS = Path(__file__).parents[2] / "decks"
GAMES = [
    ("gwent/standard", "gwent/standard"),
    ("sg_gwint/approximation", "sg_gwint/approximation"),
    ("gwen_t/pool", "gwen_t/pool"),
]


@entry
def lay_deck(s, x, player):
    copy_deck(s, x, player)


@entry
def shuffle(s, x, player):
    shuffle_deck(s, x, player)


@entry
def remove(s, player, card):
    return remove_from_deck(s, player, card)


def of_sizes(id: str, folder: str, out: int, **other) -> Versions:
    """A deck, and the same without some of its cards, against another one."""
    fmt = load_format(id)
    opponent, deck, *_ = deckcheck.read(DECKS / folder)
    players = [seat(each, "heuristic") for each in (opponent, deck)]
    cards = Counter(players[1].cards)
    cards.subtract(sorted(cards)[:out])
    larger = replace(players[1], **other)
    seats = [larger, replace(larger, cards=dict(+cards))]
    return seat_versions(fmt, database_of(fmt), players[0], seats, [(0, 1)])


def opened(versions: Versions):
    """The state and the context of each version, before a game."""
    for table in versions.tables:
        states, contexts = open_table(table)
        start_game(states[0], contexts[0], 1, 0, 0, 0)
        yield states[0], contexts[0]


def deck_of(s) -> list[int]:
    return s.deck[VERSION, : s.n_deck[VERSION]].tolist()


@pytest.mark.parametrize(("id", "folder"), GAMES)
def test_common_cards_come_in_the_same_order(id: str, folder: str) -> None:
    """In every shuffle, whatever has left the deck since the one before."""
    (larger, x), (smaller, y) = opened(of_sizes(id, folder, 2))
    lay_deck(larger, x, VERSION)
    lay_deck(smaller, y, VERSION)
    gone = set(deck_of(larger)) - set(deck_of(smaller))
    assert larger.n_deck[VERSION] == smaller.n_deck[VERSION] + 2
    before = deck_of(smaller)
    for _ in range(5):
        shuffle(larger, x, VERSION)
        shuffle(smaller, y, VERSION)
        both, own = Counter(deck_of(larger)), Counter(deck_of(smaller))
        common = {card for card in own if own[card] == both[card]}
        assert len(common) > 3
        assert [card for card in deck_of(larger) if card in common] == [
            card for card in deck_of(smaller) if card in common
        ]
        assert before != (before := deck_of(smaller))
        # The larger deck draws a card that the smaller one lacks, and the other more.
        top = deck_of(smaller)[-1]
        assert remove(smaller, VERSION, top) == 1
        remove(larger, VERSION, next(iter(gone), top))
    assert larger.rng.tolist() == smaller.rng.tolist()


@pytest.mark.parametrize(("id", "folder"), GAMES)
def test_all_cards_but_no_empty_place_are_dealt(id: str, folder: str) -> None:
    versions = of_sizes(id, folder, 3)
    sizes = []
    for s, x in opened(versions):
        set_up(s, x)
        hand = s.hand[VERSION, : s.n_hand[VERSION]].tolist()
        sizes.append(len(deck_of(s)) + len(hand))
        assert all(deck_of(s))
        assert all(hand)

    assert sizes[0] == sizes[1] + 3


def test_every_order_is_as_likely() -> None:
    """Of two copies, another card, an empty place and two cards of somebody else."""
    (s, x), _ = opened(of_sizes(*GAMES[0], 1))
    x.n_deck[VERSION] = 5
    x.deck[VERSION, :5] = [1, 0, 1, 1, 2]
    counts: Counter[tuple[int, ...]] = Counter()
    shuffles = 6_000
    for _ in range(shuffles):
        s.n_deck[VERSION] = 5
        s.deck[VERSION, :5] = [3, 1, 2, 1, 4]
        shuffle(s, x, VERSION)
        counts[tuple(deck_of(s))] += 1

    orders = set(permutations([1, 1, 2, 3, 4]))
    assert counts.keys() == orders
    expected = shuffles / len(orders)
    chi = sum((count - expected) ** 2 for count in counts.values()) / expected
    # 59 degrees of freedom: more than 98.3 with a chance of 0.1 %.
    assert chi < 98.3


@pytest.mark.compiled
def test_cards_that_come_back_from_others_are_kept() -> None:
    """Crach shuffles spies that lie on the own side into the deck."""
    crach = "crach_an_craite"
    versions = of_sizes(*GAMES[0], 1, faction="skellige", leader=crach)
    tally = versions.play(1, 0, 0, 20)

    assert versions.joint(tally)[0, 1].sum() == 20
