"""Cases of a field of decks: what to bring, ratings, the best counter, and lineups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from math import isfinite, log
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from deckcheck.engine.gwent.match import GwentMatchRules
from deckcheck.playing.table import Table
from deckcheck.sim.matches import MatchTable
from deckcheck.stats import Interval
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.ratings import RatedPairing, bradley_terry
from deckcheck.stats.strengths import ELO
from deckcheck.studies.balance.targets import make_gauges
from deckcheck.studies.field import FieldEntrant
from deckcheck.studies.lineup_choice import (
    DuelRates,
    LineupsState,
    Pool,
    choose_against,
    choose_mix,
    compute_chances,
    compute_values,
    plan_match,
)
from deckcheck.studies.lineups import lineup_rates
from deckcheck.studies.meta import make_meta
from deckcheck.studies.meta_report import list_meta_answers
from deckcheck.studies.payoff import combine_gains, count_pair_scores, rate_pair
from tools.coverage.cases import (
    Case,
    Chance,
    Play,
    Truths,
    even,
    field_of,
    holds,
    pairs_of,
    rates_by,
)
from tools.coverage.matches import DrawnGames

SLOW, VERY_SLOW = 6, 12
MANY = 10**8
"""Games that are as good as the truth."""

CIRCLES = (
    ("cycle of 55 to 45", 0.0, 0.2, 3),
    ("5 decks without cycles", 0.4, 0.0, 5),
    ("6 decks with cycles", 0.4, 0.3, 6),
)


def field_cases() -> Iterator[Case]:
    """What `meta`, `solve` and `balance` say of a field."""
    for decks, pairs in ((2, 50), (5, 20), (15, 50)):
        where = f"{decks} equal decks, {pairs} pairs"
        play = _weights(decks, pairs)
        yield Case("meta", "more than any other", where, play, cost=SLOW)
    for best in (0.5, 0.8, 0.98):
        for pairs in (10, 50, 500):
            where = f"3 decks, the best wins {100 * best:g}%, {pairs} pairs"
            play = _against_field(best, pairs)
            yield Case("meta", "against a field", where, play, cost=VERY_SLOW)
    for decks, best, pairs in product((3, 10, 30), (0.5, 0.9, 0.9999), (10, 50, 500)):
        where = f"{decks} decks, the best wins {100 * best:g}%, {pairs} pairs"
        play = _ratings(decks, best, pairs)
        yield Case("meta", "ratings", where, play, cost=round(8 + 2.4 * decks))
    for decks, best, pairs in ((5, 0.5, 20), (10, 0.9, 10), (10, 0.9, 500)):
        where = f"{decks} decks, the best wins {100 * best:g}%, {pairs} pairs"
        play = _answers(decks, best, pairs)
        yield Case("meta", "best counter", where, play, cost=decks)
    for pairs in (20, 500):
        where = f"5 equal decks, {pairs} pairs"
        yield Case(
            "meta", "three that beat each other", where, _three(pairs), cost=VERY_SLOW
        )
        for worth, name in ((0.0, "decks alone differ"), (0.6, "both differ")):
            where = f"3 decks by 2 players, {name}, {pairs} pairs"
            for figure in ("levels", "parts"):
                play = _crossed(worth, pairs, figure)
                yield Case(
                    "meta",
                    f"{figure} of decks and players",
                    where,
                    play,
                    cost=VERY_SLOW,
                )
    for pairs in (10, 50, 500):
        for name, straight, round_, decks in CIRCLES:
            where = f"{name}, {pairs} pairs"
            play = _cycles(straight, round_, decks, pairs)
            yield Case("meta", "cycles", where, play, cost=VERY_SLOW)
            play = _missed(straight, round_, decks, pairs)
            yield Case("meta", "what ratings miss", where, play, cost=VERY_SLOW)
    for pairs in (20, 300):
        where = f"4 decks, {pairs} pairs"
        yield Case("solve", "most that a deck gains", where, _gain(pairs), cost=2)
        yield Case("balance", "rates of all decks", where, _gauges(pairs), cost=2)


def _weights(decks: int, pairs: int) -> Play:
    weights = [float(i + 1) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        meta = make_meta(field_of(chance, even(decks), pairs), weights, resamples=1)
        return ["more than any other" not in next(list_meta_answers(meta))]

    return play


def _ratings(decks: int, best: float, pairs: int) -> Play:
    """Decks of which each is better than the next, the best by `best` to the last."""
    strengths = ELO * np.linspace(0.0, log(best / (1 - best)), decks)

    def play(chance: Chance) -> Truths:
        field = field_of(chance, rates_by(strengths / ELO), pairs)
        ratings = [each.rating for each in make_meta(field, resamples=1).players]
        rated = [isfinite(rating.value) for rating in ratings]
        truths = strengths - (strengths[rated].mean() if any(rated) else 0.0)
        return [holds(r.interval, t) for r, t in zip(ratings, truths, strict=True)]

    return play


def _answers(decks: int, best: float, pairs: int) -> Play:
    """The best counter to each deck is chosen by the games that measure it."""
    rates = rates_by(np.linspace(0.0, log(best / (1 - best)), decks))

    def play(chance: Chance) -> Truths:
        met = make_meta(field_of(chance, rates, pairs), resamples=1).players
        return [
            holds(p.answer_rate.interval, rates[int(p.answer), i])
            for i, p in enumerate(met)
        ]

    return play


def _three(pairs: int) -> Play:
    """Equal decks: to name three of which each beats the next is wrong."""
    rates = even(5)
    return lambda c: [not make_meta(field_of(c, rates, pairs), resamples=1).cycle]


def _crossed(worth: float, pairs: int, figure: str) -> Play:
    """Each of three decks by each of two players, one of whom is worth so much more."""
    entered = [FieldEntrant(d, p) for d in "abc" for p in "xy"]
    own = dict(zip("abcxy", (-0.5, 0.0, 0.5, -worth / 2, worth / 2), strict=True))
    strengths = np.array([own[each.deck] + own[each.player] for each in entered])
    whole = float(strengths @ strengths)
    truths = [
        sum(n * own[i] ** 2 for i in of) / whole for of, n in (("abc", 2), ("xy", 3))
    ]

    def play(chance: Chance) -> Truths:
        field = field_of(chance, rates_by(strengths), pairs)
        crossing = make_meta(
            replace(field, crossing=tuple(entered)), resamples=1
        ).crossing
        assert crossing is not None
        if figure == "levels":
            levels = (*crossing.decks, *crossing.players)
            return [
                holds(each.rating.interval, ELO * own[each.name]) for each in levels
            ]
        parts = crossing.deck_share, crossing.bot_share, crossing.both_part
        return [
            holds(part.interval, truth)
            for part, truth in zip(parts, (*truths, 0.0), strict=True)
        ]

    return play


def _against_field(best: float, pairs: int) -> Play:
    """Three decks against a field that brings the last of them most."""
    rates = rates_by(np.linspace(0.0, log(best / (1 - best)), 3))
    weights = [3.0, 2.0, 1.0]

    def play(chance: Chance) -> Truths:
        meta = make_meta(field_of(chance, rates, pairs), weights, resamples=1)
        expected = [p.expected.interval for p in meta.players if p.expected]
        truths = rates @ weights / sum(weights)
        return [holds(i, truth) for i, truth in zip(expected, truths, strict=True)]

    return play


def _odds(straight: float, cycles: float, decks: int) -> Any:
    """Log-odds from strengths and from cycles."""
    drawn = np.random.default_rng(decks)
    strength = straight * drawn.standard_normal(decks)
    round_ = drawn.standard_normal((decks, decks))
    if decks == 3:
        round_ = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    return strength[:, None] - strength + cycles * (round_ - round_.T) / 2


def _cycles(straight: float, cycles: float, decks: int, pairs: int) -> Play:
    odds = _odds(straight, cycles, decks)
    rates = 1 / (1 + np.exp(-odds))
    edges = np.array([np.eye(decks)[a] - np.eye(decks)[b] for a, b in _pairs(decks)])
    true = np.array([odds[a, b] for a, b in _pairs(decks)])
    rest = true - edges @ np.linalg.pinv(edges) @ true
    share = float(rest @ rest / (true @ true))

    def play(chance: Chance) -> Truths:
        meta = make_meta(field_of(chance, rates, pairs), resamples=1)
        return [holds(meta.cycles.interval, share)]

    return play


def _rates(straight: float, cycles: float, decks: int) -> Any:
    """The true win rates of each deck against each."""
    return 1 / (1 + np.exp(-_odds(straight, cycles, decks)))


def _missed(straight: float, cycles: float, decks: int, pairs: int) -> Play:
    rates = _rates(straight, cycles, decks)

    def play(chance: Chance) -> Truths:
        truth = _true_misfit(straight, cycles, decks)
        meta = make_meta(field_of(chance, rates, pairs), resamples=1)
        return [meta.misfit.interval.low - 1e-4 <= truth <= meta.misfit.interval.high]

    return play


@cache
def _true_misfit(straight: float, cycles: float, decks: int) -> float:
    """What ratings miss that were fitted to the true win rates."""
    rates = _rates(straight, cycles, decks)
    true = [RatedPairing(a, b, rates[a, b], 0.0, MANY) for a, b in _pairs(decks)]
    expected = bradley_terry(decks, true).expected
    missed = [each.score - e for each, e in zip(true, expected, strict=True)]
    return float(np.sqrt(np.mean(np.square(missed))))


def _pairs(decks: int) -> list[tuple[int, int]]:
    return list(combinations(range(decks), 2))


def _gain(pairs: int) -> Play:
    """Six decks against a mix of four, the best of whom gains 2 points."""
    shares = (0.4, 0.3, 0.2, 0.1)
    level = joint_level(6)

    def play(chance: Chance) -> Truths:
        ends = []
        for lead in (0.02, 0.02, 0.01, 0.0, -0.1, -0.3):
            met = [rate_pair(pairs_of(chance, 0.5 + lead, pairs)) for _ in shares]
            ends.append(combine_gains(met, shares).interval(level).high)
        return [max(0.0, *ends) >= 0.02]

    return play


def _gauges(pairs: int) -> Play:
    met = _pairs(4)
    rates = (0.9, 0.95, 0.97, 0.5, 0.6, 0.55)
    asked = make_gauges(["a", "b", "c", "d"], [None] * 4, [1.0, 2.0, 3.0, 4.0], met)

    def play(chance: Chance) -> Truths:
        scores = [pairs_of(chance, rate, pairs) for rate in rates]
        level = joint_level(len(asked))
        estimates = [(g.estimate(scores, level), g.value(rates)) for g in asked]
        return [all(holds(e.interval, truth) for e, truth in estimates)]

    return play


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
            yield Case("solve", figure, where, play, cost=VERY_SLOW)


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
    state.chances = compute_chances(len(rates), met)
    values = compute_values(state.chances, pool.own, field or pool.own, RULES)
    state.choice = choose_against(values) if field else choose_mix(values)
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
        plans = plan_match(state.chances, own, other, RULES)
        table = Table("made up", "two", (b"",) * 9, streams=4)
        lineups = MatchTable(table, (3, 3), ("optimal", "optimal"), plans, RULES)
        cells = rates[np.ix_(own, other)]
        games = DrawnGames(chance, cells)
        with mock.patch("deckcheck.playing.table.play_listed", games):
            tally = lineups.play(1, 0, 0, matches)
        state.rates[row, column] = rate_pair(count_pair_scores(tally))
        value = sum(_worth(plans, cells, RULES.begin(coin)) for coin in (0, 1)) / 2
        truths[row, column] = value
        if shares and row < len(shares):
            truths[column, row] = 1 - value
    weights = shares or [1 / len(state.opponents)] * len(state.opponents)
    means: list[float] = (truths @ np.array(weights)).tolist()
    return means


def _worth(plans: Any, rates: Any, state: Any) -> float:
    """How likely side 0 wins if both choose by `plans`, whatever these rest on."""
    winner = RULES.find_winner(state)
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
