"""Gwen't: effects, rounds, seats and statistics."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from helpers.boards import GAME, GWEN_T, POOL, ROWS, Board, unit, weather
from helpers.census import gwen_t_snapshot, gwen_t_turned

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    find_seat,
    is_over,
    legal_moves,
    place,
    score_margin,
    set_up,
    to_move,
)
from deckcheck.engine.gwen_t.context import fill_context
from deckcheck.engine.gwen_t.state import STATE, WEATHER_ROWS
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import EngineError, Seat, card_numbers
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, SeatColumns
from deckcheck.playing.table import circular_orders, set_table
from deckcheck.policies.registry import Policy

# Effects of Gwen't that no card of the pool has; scenarios show those of the pool.


def test_a_bond_doubles_its_own_name_only():
    board = Board(
        *(unit("L", "close", 10, "tight_bond"), unit("C", "close", 20)),
        unit("S", "ranged", 10),
    )
    board.lay(0, "ranged", "s", 10)
    board.lay(0, "close", "l", 5)
    board.lay(0, "close", "c", 20)
    board.enter(0, "l")

    assert board.shown(0, "close") == [10, 20, 20]
    assert board.shown(0, "ranged") == [10]


def test_a_bond_with_another_row():
    board = Board(unit("S", "siege", 5, "tight_bond", "ranged"))
    board.lay(0, "ranged", "s", 10)
    board.lay(0, "siege", "s", 5)
    board.enter(0, "s")

    assert board.shown(0, "ranged") == [20]
    assert board.shown(0, "siege") == [5, 10]


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("effect", sorted(WEATHER_ROWS)[:-1])
def test_weather_covers_the_row_that_is_given(effect, row):
    """Statement 5.3: "takes a row as well"."""
    board = Board(weather("Season", effect.name.lower(), row))
    for each in ROWS:
        board.lay(0, each, "infantry_division", 10)
    board.enter(1, "season")

    shown = {each: board.shown(0, each) for each in ROWS}
    assert shown == {each: [1 if each == row else 10] for each in ROWS}


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("on", ROWS)
def test_a_boost_reaches_the_row_that_is_given(row, on):
    """Statement 5.3."""
    board = Board(unit("Wing", row, 10, "morale_boost", on))
    for each in ROWS:
        board.lay(0, each, "infantry_division", 10)
    board.enter(0, "wing")

    assert [board.shown(0, each)[0] for each in ROWS] == [10 + (e == on) for e in ROWS]


def test_the_margin_is_what_the_rows_show():
    board = Board(players=3)
    board.lay(0, "close", "infantry_division", 10)
    board.lay(1, "ranged", "artillery_division", 40)
    board.lay(2, "siege", "rocket", 25)

    assert [score_margin(board.s, board.x, p) for p in range(3)] == [-30, 15, -15]

    board.enter(0, "autumn")

    assert [score_margin(board.s, board.x, p) for p in range(3)] == [-15, -24, 15]


# Games of Gwen't from their beginning: decks, hands, turn order, places, draws.

RANDOM = Seat(None)
NUMBER = card_numbers(POOL)


def begin(*seats, seed=1, coin=0, **options):
    """A game that has been set up."""
    fmt = replace(GWEN_T, options={**GWEN_T.options, **options})
    x = fill_context(POOL, fmt, seats)[0]
    s = np.zeros(1, STATE).view(np.recarray)[0]
    seed_generator(s.rng, seed, 0, 0)
    x.coin = coin
    set_up(s, x)
    return s, x


def all_cards(s, player):
    hand = s.hand[player, : s.n_hand[player]].tolist()
    return Counter(hand + s.deck[player, : s.n_deck[player]].tolist())


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


# Who sits where changes nothing but the turn order: games turned around the table.

CARDS = list(POOL.cards)


def deck(number):
    """A deck of its own for each player."""
    return {card: 1 + (number + i) % 3 for i, card in enumerate(CARDS)}


def gwen_t_seats_begin(decks, coin, **options):
    """A game whose decks are not shuffled, so that seats matter for nothing else."""
    fmt = replace(GWEN_T, options={**GWEN_T.options, **options})
    x = GAME.fill_context(POOL, fmt, [Seat(cards) for cards in decks])[0]
    s = np.zeros(1, STATE).view(np.recarray)[0]
    seed_generator(s.rng, 1, 0, 0)
    x.scripted, x.coin = 1, coin
    set_up(s, x)
    return s, x


@pytest.mark.parametrize("order", ["start_order", "pass_order"])
@pytest.mark.parametrize(("players", "by"), [(2, 1), (3, 1), (4, 3), (6, 2)])
def test_a_game_turned_around_the_table_is_the_same_game(players, by, order):
    decks = [deck(i) for i in range(players)]
    seats = [decks[(i - by) % players] for i in range(players)]
    s, x = gwen_t_seats_begin(decks, 0, turn_order=order, gems=3)
    t, y = gwen_t_seats_begin(seats, by, turn_order=order, gems=3)
    while not is_over(s):
        assert gwen_t_turned(gwen_t_snapshot(s), by, players) == gwen_t_snapshot(t)
        for player in range(players):
            there = (player + by) % players
            assert score_margin(s, x, player) == score_margin(t, y, there)
            assert find_seat(s, x, player) == find_seat(t, y, there)
        move = int(x.moves[(7 * s.turns + s.round_no) % legal_moves(s, x)])
        apply_move(s, x, move)
        apply_move(t, y, move)

    assert is_over(t)
    assert [int(place(t, y, (p + by) % players)) for p in range(players)] == [
        int(place(s, x, p)) for p in range(players)
    ]


# Figures of Gwen't with random decks, where everyone plays all cards at random.
#
# They were found by an independent simulation of 40,000 games; the bands are some four
# sampling errors wide.

GAMES = 60_000


def play(players, format="pool", policy=Policy.NO_PASS, **options):
    """The tally of random decks."""
    fmt = load_format(f"gwen_t/{format}")
    fmt = replace(fmt, options={**fmt.options, **options})
    seats = [Seat(None, int(policy))] * players
    orders = circular_orders(players)[:6]
    database = load_database("gwen_t")
    table = set_table(fmt, database, seats, orders=orders)
    return table.play(2023, 0, 0, GAMES // players)


def draws(tally, players):
    """Share of the games in which nobody is left."""
    wins = tally[1 : 1 + players, SeatColumns.WINS].sum()
    return 1 - wins / tally[0, Head.GAMES]


def rounds(tally):
    return tally[0, Head.ROUNDS] / tally[0, Head.GAMES]


def scores(tally, players):
    """Mean and standard deviation of the points of one player in one game."""
    rows = tally[1 + 2 * players :]
    games = rows[:, SeatColumns.GAMES].sum()
    mean = rows[:, SeatColumns.POINTS].sum() / games
    return mean, sqrt(rows[:, SeatColumns.POINTS_SQUARED].sum() / games - mean**2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "options", "drawn", "length"),
    [
        (2, {}, (0.028, 0.004), 2.49),
        (2, {"clear_board_between_rounds": False}, (0.002, 0.0012), 2.32),
        (6, {}, (0.044, 0.005), 2.76),
    ],
)
def test_draws_and_rounds(players, options, drawn, length):
    tally = play(players, **options)
    share, reach = drawn

    assert draws(tally, players) == pytest.approx(share, abs=reach)
    assert rounds(tally) == pytest.approx(length, abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sampling", "mean", "sd"),
    [("uniform_kind", 104.5, 52.3), ("weighted_card", 105.3, 49.4)],
)
def test_points_of_decks_drawn_card_by_card(sampling, mean, sd):
    found = scores(play(2, "one_round", sampling=sampling), 2)

    assert found == (pytest.approx(mean, abs=1.3), pytest.approx(sd, abs=1.5))


@pytest.mark.slow
def test_seats_are_fair_though_places_in_the_turn_order_are_not():
    """Statement 3.5: over a set everyone begins once, so no deck gains by its seat."""
    players = 4
    tally = play(players, policy=Policy.SANE_RANDOM)
    games = tally[0, Head.GAMES]
    entrants = tally[1 : 1 + players, SeatColumns.WINS] / games
    turns = tally[1 + players : 1 + 2 * players, SeatColumns.WINS] / games

    assert entrants == pytest.approx([entrants.mean()] * players, abs=0.01)
    assert turns.max() - turns.min() > 0.05
