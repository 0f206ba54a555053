"""How well `learned` plays at tables and in teams, as the page of players says."""

from __future__ import annotations

import pytest

from deckcheck import read
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, SeatColumns
from deckcheck.playing.table import seat, set_table

STEPS = (0, 4, 7, 11, 2)  # from the deck of one seat to that of the next


def share(format: str, seats: int, sides: int, sets: int) -> float:
    """How often one side that `learned` plays comes first alone, against `heuristic`.

    Each sample deck of Gwent begins a table, and each side is played by `learned` once.
    """
    fmt = load_format(format)
    decks, database = read("decks/gwent/standard"), database_of(fmt)
    wins = games = 0
    for first in range(len(decks)):
        chosen = [decks[(first + step) % len(decks)] for step in STEPS[:seats]]
        for own in range(sides):
            policies = [
                "learned" if number % sides == own else "heuristic"
                for number in range(seats)
            ]
            table = set_table(
                *(fmt, database, list(map(seat, chosen, policies))),
                entrant_in=[tuple(range(sides))],
            )
            tally = table.play(17, first, 0, sets)
            wins += tally[1 + own, SeatColumns.WINS]
            games += tally[0, Head.GAMES]
    return wins / games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "seats", "sides", "least"),
    [
        ("gwent/two_vs_two", 4, 2, 0.70),
        ("gwent/free_for_all", 3, 3, 0.47),
        ("gwent/free_for_all", 4, 4, 0.45),
        ("gwent/free_for_all", 5, 5, 0.34),
    ],
)
def test_learned_comes_first_more_often_than_its_share(format, seats, sides, least):
    assert share(format, seats, sides, sets=5) > least
