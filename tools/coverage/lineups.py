"""Cases of the lineup that `solve` chooses: the choice is a part of what is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from deckcheck.engine.gwent.context import GwentMatchRules
from deckcheck.playing.table import Table
from deckcheck.sim.matches import MatchTable
from deckcheck.stats import Interval
from deckcheck.studies.lineup_choice import (
    DuelRates,
    LineupsState,
    Pool,
    best_against,
    best_mix,
    chances_of,
    plans_of,
    values_of,
)
from deckcheck.studies.lineups import lineup_rates
from deckcheck.studies.payoff import counts_of, rate_of
from tools.coverage.cases import Case, Chance, Play, Truths, holds
from tools.coverage.drawing import pairs_of, rates_by
from tools.coverage.matches import DrawnGames

DECKS = 6
"""The decks to choose from; a field has two lineups of others."""

FIELD = [(6, 7, 8), (9, 10, 11)]
RULES = GwentMatchRules()
FIGURES = (
    ("match win rate of the chosen lineup", True),
    ("all match win rates against a mix", False),
)
"""What is printed, and whether it is against a field."""


def lineup_cases() -> Iterator[Case]:
    """The best of twenty lineups: of equal ones, which luck chooses, and of others."""
    for name, spread, pairs, matches in (
        ("equal decks", 0.0, 10, 20),
        ("uneven decks", 0.6, 10, 20),
        ("uneven decks", 0.6, 100, 200),
    ):
        where = f"{name}, {pairs} pairs of games, {matches} of matches"
        for figure, with_field in FIGURES:
            play = _chosen(spread, pairs, matches, with_field=with_field)
            yield Case("solve", figure, where, play, cost=16)


def _chosen(spread: float, pairs: int, matches: int, *, with_field: bool) -> Play:
    """Does the interval of the best hold, or do those of all against the mix?"""
    drawn = np.random.default_rng(1)
    rates = rates_by(spread * drawn.standard_normal(DECKS + 6))

    def play(chance: Chance) -> Truths:
        state = _state(chance, rates, pairs, with_field=with_field)
        truths = _matches(chance, rates, matches, state)
        fresh = [lineup.fresh for lineup in lineup_rates(state)]
        held = [
            holds(rate.interval, truth)
            for rate, truth in zip(fresh, truths, strict=True)
            if rate is not None
        ]
        if with_field:
            return held[:1]
        return [all(held)] if held else []

    return play


def _state(chance: Chance, rates: Any, pairs: int, *, with_field: bool) -> LineupsState:
    """What is chosen by the games of the decks."""
    field = FIELD if with_field else []
    entrants: Any = [SimpleNamespace(name=str(i)) for i in range(len(rates))]
    pool = Pool(entrants, list(combinations(range(DECKS), 3)), field)
    met = {
        (a, b): DuelRates(pairs_of(chance, rates[a, b], pairs), 0.0)
        for a, b in pool.meetings
    }
    state = LineupsState(pool, pair_games=2 * pairs)
    state.chances = chances_of(len(rates), met)
    values = values_of(state.chances, pool.own, field or pool.own, RULES)
    state.choice = best_against(values) if field else best_mix(values)
    state.opponents = field or [pool.own[i] for i in state.choice.shares]
    state.share_intervals = dict.fromkeys(state.choice.shares, Interval(0.0, 1.0))
    return state


def _matches(
    chance: Chance, rates: Any, matches: int, state: LineupsState
) -> list[float]:
    """Play fresh matches; returns what each lineup wins of very many of them."""
    shares = list(state.choice.shares.values())
    truths = np.full((len(state.named), len(state.opponents)), 0.5)
    for row, column in state.meetings:
        own, other = state.named[row], state.opponents[column]
        plans = plans_of(state.chances, own, other, RULES)
        table = Table("made up", "two", (b"",) * 9, streams=4)
        lineups = MatchTable(table, (3, 3), ("optimal", "optimal"), plans, RULES)
        cells = rates[np.ix_(own, other)]
        games = DrawnGames(chance, cells)
        with mock.patch("deckcheck.playing.table.play_listed", games):
            tally = lineups.play(1, 0, 0, matches)
        state.rates[row, column] = rate_of(counts_of(tally))
        value = sum(_worth(plans, cells, RULES.begin(coin)) for coin in (0, 1)) / 2
        truths[row, column] = value
        if shares and row < len(shares):
            truths[column, row] = 1 - value
    weights = shares or [1 / len(state.opponents)] * len(state.opponents)
    means: list[float] = (truths @ np.array(weights)).tolist()
    return means


def _worth(plans: Any, rates: Any, state: Any) -> float:
    """How likely side 0 wins if both choose by `plans`, whatever these rest on."""
    winner = RULES.winner_of(state)
    if winner is not None:
        return float(winner == 0)
    plan = plans[state]
    reply = plan.replies[plan.first]
    decks = (plan.first, reply) if state.first == 0 else (reply, plan.first)
    won, lost = (
        _worth(plans, rates, RULES.after_game(state, side, decks)) for side in (0, 1)
    )
    rate = float(rates[decks])
    return rate * won + (1 - rate) * lost
