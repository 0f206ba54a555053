"""Who sits where changes nothing but the turn order: games turned around the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from gwen_t_board import FORMAT, GAME, POOL
from gwen_t_census import snapshot, turned

from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    place,
    score_margin,
    seat_of,
    set_up,
)
from deckcheck.engine.gwen_t.state import STATE
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import Seat

CARDS = list(POOL.cards)


def deck(number):
    """A deck of its own for each player."""
    return {card: 1 + (number + i) % 3 for i, card in enumerate(CARDS)}


def begin(decks, coin, **options):
    """A game whose decks are not shuffled, so that seats matter for nothing else."""
    fmt = replace(FORMAT, options={**FORMAT.options, **options})
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
    s, x = begin(decks, 0, turn_order=order, gems=3)
    t, y = begin(seats, by, turn_order=order, gems=3)
    while not is_over(s):
        assert turned(snapshot(s), by, players) == snapshot(t)
        for player in range(players):
            there = (player + by) % players
            assert score_margin(s, x, player) == score_margin(t, y, there)
            assert seat_of(s, x, player) == seat_of(t, y, there)
        move = int(x.moves[(7 * s.turns + s.round_no) % legal_moves(s, x)])
        apply_move(s, x, move)
        apply_move(t, y, move)

    assert is_over(t)
    assert [int(place(t, y, (p + by) % players)) for p in range(players)] == [
        int(place(s, x, p)) for p in range(players)
    ]
