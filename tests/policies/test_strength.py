"""How well the players play: the figures of docs/players.md, from fewer games."""

from __future__ import annotations

import pytest

from deckcheck import read
from deckcheck.cards import load_database
from deckcheck.engine.match import play_block, prepare
from deckcheck.engine.tally import Field, merge, new_tally
from deckcheck.formats import load_format

PAIRS_PER_TABLE = 13  # 20 x 20 tables, 10,400 games


@pytest.fixture(scope="module")
def decks():
    return read("decks/gwent/standard", "decks/gwent/advanced")


def score(decks, a, b):
    """Share of the points that player `a` wins, decks drawn uniformly."""
    database, fmt = load_database("gwent"), load_format("gwent/standard")
    total = new_tally()
    for i, first in enumerate(decks):
        for j, second in enumerate(decks):
            table = prepare(fmt, database, [first, second], [a, b])
            number = i * len(decks) + j
            total = merge(total, play_block(table, 11, number, 0, PAIRS_PER_TABLE))
    games = total[Field.GAMES : Field.GAMES + 2].sum()
    wins = total[Field.WINS_A : Field.WINS_A + 2].sum()
    draws = total[Field.DRAWS : Field.DRAWS + 2].sum()
    return (wins + draws / 2) / games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b", "least"),
    [
        ("heuristic", "random", 0.96),
        ("heuristic", "sane_random", 0.83),
        ("sane_random", "random", 0.74),
    ],
)
def test_players_are_as_good_as_the_page_says(decks, a, b, least):
    assert score(decks, a, b) > least
