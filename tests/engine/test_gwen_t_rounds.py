"""Games of Gwen't from their beginning: decks, hands, turn order, places, draws."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from gwen_t_board import FORMAT, POOL, Board, unit

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    is_over,
    legal_moves,
    pass_move,
    place,
    points,
    returns,
    set_up,
    to_move,
)
from deckcheck.engine.gwen_t.context import card_numbers, fill_context
from deckcheck.engine.gwen_t.state import STATE
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import EngineError, Seat

RANDOM = Seat(None)
NUMBER = card_numbers(POOL)


def begin(*seats, seed=1, coin=0, **options):
    """A game that has been set up."""
    fmt = replace(FORMAT, options={**FORMAT.options, **options})
    x = fill_context(POOL, fmt, seats)[0]
    s = np.zeros(1, STATE).view(np.recarray)[0]
    seed_generator(s.rng, seed, 0, 0)
    x.coin = coin
    set_up(s, x)
    return s, x


def all_cards(s, player):
    hand = s.hand[player, : s.n_hand[player]].tolist()
    return Counter(hand + s.deck[player, : s.n_deck[player]].tolist())


def pass_all(s, x):
    """Everyone passes; the round ends."""
    for _ in range(s.standing):
        apply_move(s, x, pass_move(s, x))


def score(board, *scores):
    """Lay a unit for each player that shows the score."""
    for player, value in enumerate(scores):
        if value:
            board.lay(player, "close", "infantry_division", value)
        board.deal(player, "rocket", "rocket")


@pytest.mark.parametrize("coin", range(4))
def test_hands_of_ten_and_a_turn_order_around_the_table(coin):
    """Statements 3.3 and 3.5."""
    s, _ = begin(*[RANDOM] * 4, coin=coin)

    assert s.n_hand[:4].tolist() == [10] * 4
    assert s.n_deck[:4].tolist() == [15] * 4
    assert s.order[:4].tolist() == [(coin + i) % 4 for i in range(4)]
    assert to_move(s) == coin


@pytest.mark.parametrize("sampling", ["uniform_kind", "weighted_card"])
def test_random_decks_respect_the_pool(sampling):
    """Statements 2.2 and 2.3: each from a pool of its own."""
    decks = []
    for seed in range(20):
        s, _ = begin(RANDOM, RANDOM, seed=seed, sampling=sampling)
        for player in range(2):
            cards = all_cards(s, player)
            assert sum(cards.values()) == 25
            assert all(
                n <= list(POOL.cards.values())[c - 1].copies for c, n in cards.items()
            )
            decks.append(sorted(cards.elements()))

    assert len({tuple(deck) for deck in decks}) == len(decks)


def test_a_random_deck_may_be_the_whole_pool_but_no_more():
    s, _ = begin(RANDOM, RANDOM, deck_size=36)

    assert sum(all_cards(s, 0).values()) == 36
    with pytest.raises(EngineError, match="37 cards needs more than the 36 cards"):
        begin(RANDOM, RANDOM, deck_size=37)


def test_each_card_of_the_hand_is_a_move():
    """Statement 4.2: so that a random move is a random card."""
    board = Board()
    board.deal(0, "rocket", "rocket", "winter")

    assert legal_moves(board.s, board.x) == 1 + 3


def test_the_turn_skips_who_has_passed():
    """Statements 4.1 and 4.4."""
    s, x = begin(*[RANDOM] * 3)
    apply_move(s, x, pass_move(s, x))

    turns = []
    for _ in range(4):
        turns.append(to_move(s))
        apply_move(s, x, x.moves[legal_moves(s, x) - 1])

    assert turns == [1, 2, 1, 2]


def test_the_last_card_is_a_pass():
    """Statement 4.3."""
    board = Board()
    board.deal(0, "rocket")
    board.deal(1, "winter", "winter")
    board.play(0, "rocket")

    assert board.s.passed[:2].tolist() == [1, 0]
    assert to_move(board.s) == 1


def test_who_has_no_card_at_the_start_of_a_round_has_passed():
    """Statement 4.3."""
    board = Board(cards_per_round=0)
    board.deal(0, "rocket")
    board.deal(1, "winter", "winter")
    board.play(0, "rocket")
    board.play(1, "winter")
    apply_move(board.s, board.x, pass_move(board.s, board.x))

    assert board.s.round_no == 2
    assert board.s.passed[:2].tolist() == [1, 0]
    assert to_move(board.s) == 1


def test_rounds_without_cards_end_by_themselves():
    """Statement 4.3: nobody has a card left, so everyone has passed."""
    board = Board(gems=5, cards_per_round=0)
    board.deal(0, "rocket")
    board.deal(1, "winter")
    board.play(0, "rocket")
    board.play(1, "winter")

    assert is_over(board.s)
    assert board.s.round_no == 5
    assert board.s.gems[:2].tolist() == [1, 0]
    assert board.s.winner == 0


@pytest.mark.parametrize(
    ("scores", "gems"),
    [
        ((10, 5, 3), [2, 1, 1]),
        ((10, 10, 3), [1, 1, 1]),
        ((3, 10, 10), [1, 1, 1]),
        ((0, 0, 0), [1, 1, 1]),
        ((0, 0, 1), [1, 1, 2]),
    ],
)
def test_the_winner_of_a_round_keeps_his_gems(scores, gems):
    """Statements 1.7 and 4.5."""
    board = Board(players=3)
    score(board, *scores)
    pass_all(board.s, board.x)

    assert board.s.gems[:3].tolist() == gems
    assert board.s.score[:3].tolist() == list(scores)
    assert [int(points(board.s, board.x, p)) for p in range(3)] == list(scores)


def test_the_defeated_are_out_and_share_a_place():
    """Statements 4.6 and 4.7."""
    board = Board(players=5)
    score(board, 50, 9, 8, 7, 30)
    board.s.gems[:5] = [1, 1, 1, 1, 2]
    pass_all(board.s, board.x)

    assert board.s.gems[:5].tolist() == [1, 0, 0, 0, 1]
    assert board.s.place[:5].tolist() == [0, 3, 3, 3, 0]
    assert board.s.order[: board.s.standing].tolist() == [0, 4]

    board.lay(1, "siege", "rocket", 500)
    board.lay(4, "close", "infantry_division", 10)
    pass_all(board.s, board.x)

    assert is_over(board.s)
    assert board.s.place[:5].tolist() == [2, 3, 3, 3, 1]
    assert board.s.winner == 4
    assert [int(returns(board.s, board.x, p)) for p in range(5)] == [0, 0, 0, 0, 2]


def test_the_last_two_defeated_together_draw():
    """Statement 4.7: nobody is left."""
    board = Board(players=3)
    score(board, 9, 9, 1)
    board.s.gems[:3] = 1
    pass_all(board.s, board.x)

    assert is_over(board.s)
    assert board.s.winner == -1
    assert [int(place(board.s, board.x, p)) for p in range(3)] == [1, 1, 1]
    assert [int(returns(board.s, board.x, p)) for p in range(3)] == [1, 1, 1]


def test_three_cards_up_to_the_limit_as_long_as_the_deck_lasts():
    """Statement 4.8."""
    board = Board(players=3)
    board.deal(0, *["winter"] * 9)
    board.deal(1, "rocket")
    board.deal(2, "autumn", "autumn")
    board.stack(0, *["spring"] * 5)
    board.stack(1, "rocket", "aircraft", "rocket", "winter", "winter")
    board.stack(2, "summer")
    pass_all(board.s, board.x)

    assert board.s.n_hand[:3].tolist() == [10, 4, 3]
    assert board.s.n_deck[:3].tolist() == [4, 2, 0]
    drawn = ["rocket", "rocket", "aircraft", "rocket"]
    assert board.s.hand[1, :4].tolist() == [NUMBER[card] for card in drawn]


@pytest.mark.parametrize(
    ("option", "order"), [("start_order", [0, 1, 2]), ("pass_order", [2, 0, 1])]
)
def test_turn_order_of_later_rounds(option, order):
    """Statement 4.9."""
    board = Board(players=3, turn_order=option)
    for player in range(3):
        board.deal(player, "rocket", "rocket", "rocket")
    board.play(0, "rocket")
    board.play(1, "rocket")
    pass_all(board.s, board.x)

    assert board.s.order[:3].tolist() == order
    assert to_move(board.s) == order[0]


@pytest.mark.parametrize("clear", [True, False])
def test_the_board_between_rounds(clear):
    """Statements 4.10 and 4.12."""
    board = Board(clear_board_between_rounds=clear)
    score(board, 9, 4)
    board.enter(0, "winter")
    board.deal(0, "rocket")
    board.s.turn = board.s.position = 0
    pass_all(board.s, board.x)
    pile = [NUMBER["infantry_division"], NUMBER["winter"]]

    assert board.s.total[:2, 0].tolist() == ([0, 0] if clear else [9, 4])
    assert board.s.weather == (0 if clear else NUMBER["winter"])
    assert board.s.discard[0, : board.s.n_discard[0]].tolist() == pile[: 2 * clear]


def test_the_reshuffle_is_an_option():
    """Statement 4.8."""
    decks = set()
    for reshuffle in (False, True):
        board = Board(reshuffle_between_rounds=reshuffle)
        board.deal(0, "winter")
        board.deal(1, "winter")
        board.stack(0, *list(POOL.cards)[:14])
        before = board.s.deck[0, :11].tolist()
        seed_generator(board.s.rng, 1, 0, 0)
        pass_all(board.s, board.x)
        decks.add(before == board.s.deck[0, :11].tolist())

    assert decks == {True, False}


def test_a_lone_bond_is_an_option():
    """Statement 5.1."""
    for option, strength in (("keeps", 30), ("doubles", 60)):
        board = Board(lone_tight_bond=option)
        board.enter(0, "rocket")

        assert board.shown(0, "siege") == [strength]


def test_random_decks_of_others_are_imagined_from_the_pool():
    """Of a random deck only the pool is known, and what has been played."""
    s, x = begin(*[RANDOM] * 3, seed=5)
    for _ in range(12):
        apply_move(s, x, x.moves[legal_moves(s, x) - 1])
    copies = {NUMBER[id]: card.copies for id, card in POOL.cards.items()}
    player = int(to_move(s))
    other = (player + 1) % 3
    before, own = all_cards(s, other), all_cards(s, player)
    seen = Counter(
        int(c) for row in range(3) for c in s.row[other, row, : s.n_row[other, row]]
    )
    worlds = []
    for world in range(5):
        seed_generator(x.rng, world, 0, 0)
        determinize(s, x, player)
        cards = all_cards(s, other)
        assert sum(cards.values()) == sum(before.values())
        assert all(n <= copies[c] for c, n in (cards + seen).items())
        assert all_cards(s, player) == own
        worlds.append(tuple(sorted(cards.elements())))

    assert len(set(worlds)) > 1


@pytest.mark.parametrize(
    ("card", "fault"),
    [
        (unit("Titan", "close", 1001), "a strength above 1000"),
        (unit("Cloud", "close", 5, "biting_frost"), "an ability that its kind"),
        (replace(unit("Elf", "close", 5), rows=("close", "ranged")), "more than one"),
        (
            replace(
                POOL.cards["rocket"],
                abilities=(
                    *POOL.cards["rocket"].abilities,
                    *POOL.cards["armoured_division"].abilities,
                ),
            ),
            "more than one ability",
        ),
    ],
)
def test_cards_that_the_rules_do_not_have_are_refused(card, fault):
    with pytest.raises(EngineError, match=fault):
        Board(card)


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_play(players):
    """Statement 1.5."""
    with pytest.raises(EngineError, match="for 2 to 6 players"):
        Board(players=players)


def test_an_oversized_deck_is_refused():
    with pytest.raises(EngineError, match="a deck of 49 cards is too large"):
        begin(Seat({"rocket": 49}), RANDOM)


def test_the_largest_deck_of_bonds_fits():
    """The strongest row that any deck can build does not overflow."""
    s, x = begin(
        *[Seat({"rocket": 48})] * 2,
        hand_size=16,
        hand_limit=16,
        cards_per_round=16,
        gems=5,
        clear_board_between_rounds=False,
        lone_tight_bond="doubles",
    )
    while not is_over(s):
        apply_move(s, x, x.moves[legal_moves(s, x) - 1])

    assert s.total[0, 2] > 30 * 2**47
    assert (s.points[:2] > 0).all()
