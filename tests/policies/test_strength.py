"""How strong players are: figures of docs/explanation/players.md."""

from itertools import product

import pytest

from deckcheck import read, simulate
from deckcheck.cards import load_database
from deckcheck.engine.registry import Seat
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, SeatColumns, new_tally
from deckcheck.playing.table import DUEL_STREAMS, circular_orders, seat, set_table
from deckcheck.policies.registry import policy_number

# How well players play: figures of docs/explanation/players.md, in fewer games.

GWENT = read("decks/gwent/standard", "decks/gwent/advanced")
SG_GWINT = read("decks/sg_gwint/approximation")


def points_of(tally):
    """The share of the points of the first entrant."""
    points = tally[1, SeatColumns.WINS] + tally[1, SeatColumns.SHARED] / 2
    return points / tally[0, Head.GAMES]


def score(format, decks, a, b):
    """Share of the points that player `a` wins, every deck against every one."""
    fmt = load_format(format)
    database, total = database_of(fmt), new_tally(2, 2)
    pairs = 13 if decks is GWENT else 60  # 10,400 games, or 3,000
    for number, (own, other) in enumerate(product(decks, repeat=2)):
        seats = [seat(own, a), seat(other, b)]
        table = set_table(fmt, database, seats, streams=DUEL_STREAMS)
        total += table.play(11, number, 0, pairs)
    return points_of(total)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "decks", "a", "b", "least"),
    [
        ("gwent/standard", GWENT, "heuristic", "random", 0.96),
        ("gwent/standard", GWENT, "heuristic", "sane_random", 0.89),
        ("gwent/standard", GWENT, "heuristic", "heuristic-1", 0.57),
        ("gwent/standard", GWENT, "heuristic", "heuristic-2", 0.49),
        ("gwent/standard", GWENT, "sane_random", "random", 0.74),
        ("gwent/standard", GWENT, "bold", "heuristic", 0.43),
        ("gwent/standard", GWENT, "careful", "heuristic", 0.43),
        ("gwent/standard", GWENT, "spy_averse", "heuristic", 0.40),
        ("sg_gwint/approximation", SG_GWINT, "heuristic", "random", 0.98),
        ("sg_gwint/approximation", SG_GWINT, "heuristic", "sane_random", 0.88),
        ("sg_gwint/approximation", SG_GWINT, "sane_random", "random", 0.88),
        ("sg_gwint/approximation", SG_GWINT, "learned", "heuristic", 0.7),
        ("sg_gwint/approximation", SG_GWINT, "learned", "sane_random", 0.94),
    ],
)
def test_players_are_as_good_as_the_page_says(format, decks, a, b, least):
    assert score(format, decks, a, b) > least


@pytest.mark.slow
def test_each_sample_deck_of_sg_gwint_meets_the_others_as_an_equal():
    standings = simulate("decks/sg_gwint/approximation", games=400).standings()
    rates = {each.deck: each.win_rate for each in standings}

    assert len(rates) == 5
    assert {name: rate for name, rate in rates.items() if not 0.4 < rate < 0.6} == {}


# Strength in Gwen't: figures of docs/explanation/players.md, in fewer games.

GAMES = 12_000


def share(player, others, seats):
    """Share of the wins of one player among others, random decks for all."""
    policies = [player, *[others] * (seats - 1)]
    places = [Seat(None, policy_number(name)) for name in policies]
    orders = circular_orders(seats)[:6]
    fmt, database = load_format("gwen_t/pool"), load_database("gwen_t")
    table = set_table(fmt, database, places, orders=orders)
    return points_of(table.play(11, 0, 0, GAMES // seats))


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
def test_players_of_gwen_t_are_as_good_as_the_page_says(player, others, seats, least):
    assert share(player, others, seats) > least


# How well `learned` plays at tables and in teams, as the page of players says.

STEPS = (0, 4, 7, 11, 2)  # from the deck of one seat to that of the next


def many_strength_share(format: str, seats: int, sides: int, sets: int) -> float:
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
    assert many_strength_share(format, seats, sides, sets=5) > least
