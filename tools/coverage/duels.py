"""Cases of duels and tables: win rates, means over opponents, places, and the best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deckcheck.sim.standings import standings
from deckcheck.sim.stopping import Expectation, ExpectationVerdict, RateInterval
from deckcheck.studies.simulation_page import is_better, places_of
from tools.coverage.cases import LEVEL, Case, Chance, Play, Truths, holds
from tools.coverage.drawing import (
    even,
    pairs_of,
    round_robin,
    share_of,
    table_of,
)

MANY = 15
SIZES = (
    (0.03, 3, 10),
    (0.03, 15, 10),
    (0.5, 15, 2),
    (0.5, 2, 10),
    (0.98, 15, 50),
    (0.3, 15, 300),
)


def duel_cases() -> Iterator[Case]:
    """What `simulate` and `check` say of rates, and of the order of decks."""
    for rate in (0.02, 0.2, 0.5, 0.98):
        for pairs in (10, 300):
            where = f"{rate}, {pairs} pairs"
            yield Case("simulate", "win rate", where, _rate(rate, pairs))
    for rate, decks, pairs in SIZES:
        where = f"{decks} decks at {rate}, {pairs} pairs"
        cost = 2 if decks < MANY else 8
        play = _mean(rate, decks, pairs)
        yield Case("simulate", "mean over opponents", where, play, cost=cost)
        play = _check(rate, decks, pairs)
        yield Case("expect", "decision on a mean", where, play, cost=cost)
    for decks, pairs in ((2, 50), (5, 20), (15, 50)):
        where = f"{decks} equal decks, {pairs} pairs"
        cost = 2 if decks < MANY else 16
        play = _ahead(decks, pairs)
        yield Case("simulate", "ahead of all others", where, play, cost=cost)
        yield Case("simulate", "place", where, _place(decks, pairs), cost=cost)
    for players, sets in ((3, 10), (3, 200), (5, 50)):
        where = f"table of {players}, {sets} sets"
        yield Case("simulate", "best at the table", where, _table(players, sets))


def _rate(rate: float, pairs: int) -> Play:
    return lambda c: [holds(share_of(pairs_of(c, rate, pairs)).interval(), rate)]


def _mean(rate: float, decks: int, pairs: int) -> Play:
    """The first deck has this rate against all others."""
    rates = even(decks)
    rates[0, 1:] = rate
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        ranked = standings(names, round_robin(chance, rates, pairs))
        return [holds(each.interval, rate) for each in ranked if each.deck == "0"]

    return play


def _check(rate: float, decks: int, pairs: int) -> Play:
    """What is expected holds by nothing, and fails by nothing."""
    rates = even(decks)
    rates[0, 1:] = rate
    wanted = (RateInterval("0"),)
    expected = [
        Expectation("above", wanted, rate + 1e-6, None, LEVEL),
        Expectation("below", wanted, None, rate - 1e-6, LEVEL),
    ]

    def play(chance: Chance) -> Truths:
        tables = [each.table for each in round_robin(chance, rates, pairs)]
        return [
            e.judged(tables).outcome is not ExpectationVerdict.HOLDS for e in expected
        ]

    return play


def _ahead(decks: int, pairs: int) -> Play:
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        best, *rest = standings(names, round_robin(chance, even(decks), pairs))
        return [not all(is_better(best, each) for each in rest)]

    return play


def _place(decks: int, pairs: int) -> Play:
    """Of equal decks no place is known, so to name any is wrong."""
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        ranked = standings(names, round_robin(chance, even(decks), pairs))
        return [place == f"1 to {decks}" for place in places_of(ranked)]

    return play


def _table(players: int, sets: int) -> Play:
    """Equal players, one of whom wins each game."""
    names = [str(i) for i in range(players)]
    full = int(np.lcm.reduce(range(1, players + 1)))

    def play(chance: Chance) -> Truths:
        won = chance.multinomial(players, [1 / players] * players, sets)
        counts = [np.bincount(full * w, minlength=full * players + 1) for w in won.T]
        table = table_of(names, [each.tolist() for each in counts])
        shares = [each.share.value for each in table.performances]
        best = int(np.argmax(shares))
        rest = [i for i in range(players) if i != best]
        return [not all(table.difference(best, i).interval.low > 0 for i in rest)]

    return play
