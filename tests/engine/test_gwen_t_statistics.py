"""Figures of Gwen't with random decks, where everyone plays all cards at random.

They were found by an independent simulation of 40,000 games; the bands are some four
sampling errors wide.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from deckcheck.cards import load_database
from deckcheck.engine.registry import Seat
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, SeatColumns
from deckcheck.playing.table import circular_orders, set_table
from deckcheck.policies.registry import Policy

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
def test_two_players():
    tally = play(2)

    assert draws(tally, 2) == pytest.approx(0.028, abs=0.004)
    assert rounds(tally) == pytest.approx(2.49, abs=0.015)


@pytest.mark.slow
def test_the_first_round_of_two_players():
    mean, sd = scores(play(2, "one_round"), 2)

    assert mean == pytest.approx(104.5, abs=1.3)
    assert sd == pytest.approx(52.3, abs=1.5)


@pytest.mark.slow
def test_a_board_that_is_not_cleared():
    tally = play(2, clear_board_between_rounds=False)

    assert draws(tally, 2) == pytest.approx(0.002, abs=0.0012)
    assert rounds(tally) == pytest.approx(2.32, abs=0.015)


@pytest.mark.slow
def test_decks_drawn_card_by_card():
    mean, sd = scores(play(2, "one_round", sampling="weighted_card"), 2)

    assert mean == pytest.approx(105.3, abs=1.3)
    assert sd == pytest.approx(49.4, abs=1.5)


@pytest.mark.slow
def test_six_players():
    tally = play(6)

    assert draws(tally, 6) == pytest.approx(0.044, abs=0.005)
    assert rounds(tally) == pytest.approx(2.76, abs=0.015)


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
