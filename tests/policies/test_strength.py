"""How well players play: figures of docs/explanation/players.md, in fewer games."""

from __future__ import annotations

import pytest

from deckcheck import read
from deckcheck.cards import load_database
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, SeatColumns, new_tally
from deckcheck.playing.table import DUEL_STREAMS, seat, set_table

PAIRS_PER_TABLE = 13  # 20 x 20 tables, 10,400 games


@pytest.fixture(scope="module")
def decks():
    return read("decks/gwent/standard", "decks/gwent/advanced")


def score(decks, a, b):
    """Share of the points that player `a` wins, decks drawn uniformly."""
    database, fmt = load_database("gwent"), load_format("gwent/standard")
    total = new_tally(2, 2)
    for i, first in enumerate(decks):
        for j, second in enumerate(decks):
            seats = [seat(first, a), seat(second, b)]
            table = set_table(fmt, database, seats, streams=DUEL_STREAMS)
            number = i * len(decks) + j
            total += table.play(11, number, 0, PAIRS_PER_TABLE)
    wins, shared = total[1, SeatColumns.WINS], total[1, SeatColumns.SHARED]
    return (wins + shared / 2) / total[0, Head.GAMES]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b", "least"),
    [
        ("heuristic", "random", 0.96),
        ("heuristic", "sane_random", 0.89),
        ("heuristic", "heuristic-1", 0.57),
        ("sane_random", "random", 0.74),
        ("bold", "heuristic", 0.43),
        ("careful", "heuristic", 0.43),
        ("spy_averse", "heuristic", 0.40),
    ],
)
def test_players_are_as_good_as_the_page_says(decks, a, b, least):
    assert score(decks, a, b) > least
