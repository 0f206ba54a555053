"""Strength in SG Gwint: figures of docs/explanation/players.md, in fewer games."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from deckcheck import read, simulate
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, SeatColumns
from deckcheck.playing.table import seat, set_table

DECKS = Path(__file__).parents[2] / "decks" / "sg_gwint" / "approximation"
PAIRS = 60


def share(player, other):
    """Share of the wins of one player, with all sample decks on both sides."""
    fmt = load_format("sg_gwint/approximation")
    database, decks = database_of(fmt), read(DECKS)
    won = games = 0
    for number, (own, against) in enumerate(product(decks, repeat=2)):
        seats = [seat(own, player), seat(against, other)]
        tally = set_table(fmt, database, seats).play(11, number, 0, PAIRS)
        won += tally[1, SeatColumns.WINS] + tally[1, SeatColumns.SHARED] / 2
        games += tally[0, Head.GAMES]
    return won / games


@pytest.mark.slow
def test_each_sample_deck_meets_the_others_as_an_equal():
    standings = simulate(DECKS, games=400).to_dict()["standings"]
    rates = {entry["deck"]: entry["win_rate"] for entry in standings}

    assert len(rates) == 5
    assert {name: rate for name, rate in rates.items() if not 0.4 < rate < 0.6} == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "other", "least"),
    [
        ("heuristic", "random", 0.98),
        ("heuristic", "sane_random", 0.88),
        ("sane_random", "random", 0.88),
        ("learned", "heuristic", 0.7),
        ("learned", "sane_random", 0.94),
    ],
)
def test_players_are_as_good_as_the_page_says(player, other, least):
    assert share(player, other) > least
