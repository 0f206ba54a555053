"""Cases of duels and tables: win rates, means, places, looks, and what losses show."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from deckcheck.sim.expectations import Expectation, ExpectationVerdict, RateInterval
from deckcheck.sim.jobs import Job
from deckcheck.sim.standings import rank_entrants
from deckcheck.sim.stopping import Stopping, make_rule
from deckcheck.stats import average, elo_to_score
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.losses import LOSS_SIGNS, contrast, count_lost_rounds
from deckcheck.studies.simulation_answers import is_better
from deckcheck.studies.simulation_page import list_place_ranges
from tools.coverage.cases import (
    LEVEL,
    Case,
    Chance,
    Play,
    Truths,
    alike_games,
    even,
    holds,
    pairs_of,
    round_robin,
    share_of,
    table_of,
    tally_of_pairs,
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
        cost = 2 if decks < MANY else 6
        play = _mean(rate, decks, pairs)
        yield Case("simulate", "mean over opponents", where, play, cost=cost)
        play = _check(rate, decks, pairs)
        yield Case("expect", "decision on a mean", where, play, cost=cost)
    for decks, pairs in ((2, 50), (5, 20), (15, 50)):
        where = f"{decks} equal decks, {pairs} pairs"
        cost = 2 if decks < MANY else 6
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
        ranked = rank_entrants(names, round_robin(chance, rates, pairs))
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
            e.judge(tables).outcome is not ExpectationVerdict.HOLDS for e in expected
        ]

    return play


def _ahead(decks: int, pairs: int) -> Play:
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        best, *rest = rank_entrants(names, round_robin(chance, even(decks), pairs))
        return [not all(is_better(best, each) for each in rest)]

    return play


def _place(decks: int, pairs: int) -> Play:
    """Of equal decks no place is known, so to name any is wrong."""
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        ranked = rank_entrants(names, round_robin(chance, even(decks), pairs))
        return [place == f"1 to {decks}" for place in list_place_ranges(ranked)]

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


MOST = 200_000
LEADS = ((0.0, 20.0), (0.0, 100.0), (-600.0, -450.0))


def looking_cases() -> Iterator[Case]:
    """Means at every checkpoint, and tests of two leads from both sides."""
    for rate in (0.1, 0.5):
        where = f"14 at {rate}, all checkpoints"
        yield Case("simulate", "mean at checkpoints", where, _looks(rate), cost=6)
    for leads in LEADS:
        for error in (0.05, 0.01):
            test = Stopping(sprt=leads, alpha=error, beta=error)
            for true in leads:
                name = f"{leads[0]:g} against {leads[1]:g} Elo"
                where = f"{name}, error {error:g}, truth {true:g}"
                play = _sprt(test, true)
                yield Case(
                    "simulate", "lead accepted by `--sprt`", where, play, 1 - error, 4
                )


def _looks(rate: float) -> Play:
    """Fourteen matchups that end at different times: their mean at every checkpoint."""

    def play(chance: Chance) -> Truths:
        counts = np.zeros((14, 5), int)
        sets = 0
        for look in (32, 50, 78, 122, 190, 297, 464, 725):
            going = 14 if look < 200 else 7
            for i in range(going):
                counts[i] += pairs_of(chance, rate, look - sets)
            sets = look
            mean = average([share_of(each.tolist(), anytime=True) for each in counts])
            if not holds(mean.interval(), rate):
                return [False]
        return [True]

    return play


def _sprt(asked: Stopping, elo: float) -> Play:
    """Games of a deck whose lead is one of those tested: the other side is wrong."""
    assert asked.sprt is not None
    wrong = asked.sprt[0] if elo == asked.sprt[1] else asked.sprt[1]
    rate = elo_to_score(elo)
    table: Any = None

    def play(chance: Chance) -> Truths:
        job = Job(0, "a against b", table, ("heuristic", "heuristic"), MOST)
        rule = make_rule(asked, [job])
        counts = np.zeros(5, np.int64)
        tallies: dict[int, Any] = {}
        while more := rule.more(tallies):
            fresh = more[0].sets - int(counts.sum())
            scores = 2 * alike_games(chance, rate, fresh).sum(axis=1)
            counts += np.bincount(scores, minlength=5)
            tallies[0] = tally_of_pairs(counts.tolist())
        [decision] = rule.make_outcome([0]).decisions
        return [decision.decision != f"{wrong:+g} Elo accepted"]

    return play


LOST = 0.4
"""The part of all games that is lost."""


def losing_cases() -> Iterator[Case]:
    """How often something happens in losses and in wins."""
    for games in (40, 200):
        for losing, winning in ((0.5, 0.5), (0.9, 0.7), (0.05, 0.02)):
            where = f"{losing} of losses and {winning} of wins, {games} games"
            play = _signs(losing, winning, games)
            yield Case("report", "all signs of losses", where, play, cost=4)
    for games in (10, 200):
        play = _kinds(games)
        yield Case("report", "all kinds of losses", f"4 kinds, {games} losses", play)


def _kinds(games: int) -> Play:
    """Four kinds, some of them rare: do the intervals of all hold?"""
    parts = (0.5, 0.3, 0.15, 0.05)

    def play(chance: Chance) -> Truths:
        drawn = chance.choice(4, games, p=parts)
        lost: Any = [SimpleNamespace(lost_rounds=(int(kind),)) for kind in drawn]
        kinds = count_lost_rounds(lost)
        return [all(holds(k.share.interval, parts[k.rounds[0]]) for k in kinds)]

    return play


def _signs(losing: float, winning: float, games: int) -> Play:
    """As many signs as there are, all of them as frequent; do all intervals hold?"""
    level = joint_level(len(LOSS_SIGNS))

    def play(chance: Chance) -> Truths:
        lost = chance.random(games) < LOST
        differences = []
        for _ in LOSS_SIGNS:
            seen = chance.random(games) < np.where(lost, losing, winning)
            pairs = list(zip((~lost).tolist(), seen.tolist(), strict=True))
            differences.append(contrast("sign", "sign", pairs, level).difference)
        return [
            all(holds(d.interval, losing - winning) for d in differences if d),
        ]

    return play
