"""Strength in Gwen't: figures of docs/explanation/players.md, in fewer games."""

from __future__ import annotations

import pytest

from deckcheck.cards import load_database
from deckcheck.engine.registry import Seat
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, SeatColumns
from deckcheck.playing.table import circular_orders, set_table
from deckcheck.policies.registry import policy_number

GAMES = 12_000


def share(player, others, seats):
    """Share of the wins of one player among others, random decks for all."""
    policies = [player, *[others] * (seats - 1)]
    places = [Seat(None, policy_number(name)) for name in policies]
    orders = circular_orders(seats)[:6]
    fmt, database = load_format("gwen_t/pool"), load_database("gwen_t")
    table = set_table(fmt, database, places, orders=orders)
    tally = table.play(11, 0, 0, GAMES // seats)
    return (tally[1, SeatColumns.WINS] + tally[1, SeatColumns.SHARED] / 2) / tally[
        0, Head.GAMES
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "others", "seats", "least"),
    [
        ("heuristic", "random", 2, 0.96),
        ("heuristic", "no_pass", 2, 0.95),
        ("heuristic", "sane_random", 2, 0.68),
        ("heuristic", "random", 4, 0.72),
        ("heuristic", "sane_random", 4, 0.93),
        ("heuristic", "random", 6, 0.57),
        ("sane_random", "random", 2, 0.85),
    ],
)
def test_players_are_as_good_as_the_page_says(player, others, seats, least):
    assert share(player, others, seats) > least
