"""Cases of a field of decks: what to bring, ratings, targets, and the best answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import isfinite, log
from typing import Any

import numpy as np

from deckcheck.stats.intervals import level_of
from deckcheck.stats.ratings import ELO, RatedPairing, bradley_terry
from deckcheck.studies.balance.targets import gauges
from deckcheck.studies.meta import meta_of
from deckcheck.studies.meta_report import meta_answers
from deckcheck.studies.payoff import gain_of, rate_of
from tools.coverage.cases import Case, Chance, Play, Truths, holds
from tools.coverage.drawing import even, field_of, pairs_of, rates_by

SLOW = 8
MANY = 10**8
"""Games that are as good as the truth."""

CIRCLES = (
    ("circle of 55 to 45", 0.0, 0.2, 3),
    ("5 decks without circles", 0.4, 0.0, 5),
    ("6 decks with circles", 0.4, 0.3, 6),
)


def field_cases() -> Iterator[Case]:
    """What `meta`, `solve` and `balance` say of a field."""
    for decks, pairs in ((2, 50), (5, 20), (15, 50)):
        where = f"{decks} equal decks, {pairs} pairs"
        play = _weights(decks, pairs)
        yield Case("meta", "more than any other", where, play, cost=decks * SLOW)
    for best in (0.5, 0.8, 0.98):
        for pairs in (10, 50, 500):
            where = f"3 decks, the best wins {100 * best:g} %, {pairs} pairs"
            play = _against_field(best, pairs)
            yield Case("meta", "against a field", where, play, cost=SLOW)
    for decks, best, pairs in product((3, 10, 30), (0.5, 0.9, 0.9999), (10, 50, 500)):
        where = f"{decks} decks, the best wins {100 * best:g} %, {pairs} pairs"
        play = _ratings(decks, best, pairs)
        yield Case("meta", "ratings", where, play, cost=decks * SLOW)
    for pairs in (10, 50, 500):
        for name, straight, round_, decks in CIRCLES:
            where = f"{name}, {pairs} pairs"
            play = _circles(straight, round_, decks, pairs)
            yield Case("meta", "circles", where, play, cost=SLOW)
            play = _missed(straight, round_, decks, pairs)
            yield Case("meta", "what ratings miss", where, play, cost=SLOW)
    for pairs in (20, 300):
        where = f"4 decks, {pairs} pairs"
        yield Case("solve", "most that a deck gains", where, _gain(pairs), cost=2)
        yield Case("balance", "rates of all decks", where, _gauges(pairs), cost=2)


def _weights(decks: int, pairs: int) -> Play:
    weights = [float(i + 1) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        meta = meta_of(field_of(chance, even(decks), pairs), weights, resamples=1)
        return ["more than any other" not in next(meta_answers(meta))]

    return play


def _ratings(decks: int, best: float, pairs: int) -> Play:
    """Decks of which each is better than the next, the best by `best` to the last."""
    strengths = ELO * np.linspace(0.0, log(best / (1 - best)), decks)

    def play(chance: Chance) -> Truths:
        field = field_of(chance, rates_by(strengths / ELO), pairs)
        ratings = [each.rating for each in meta_of(field, resamples=1).players]
        rated = [isfinite(rating.value) for rating in ratings]
        truths = strengths - (strengths[rated].mean() if any(rated) else 0.0)
        return [holds(r.interval, t) for r, t in zip(ratings, truths, strict=True)]

    return play


def _against_field(best: float, pairs: int) -> Play:
    """Three decks against a field that brings the last of them most."""
    rates = rates_by(np.linspace(0.0, log(best / (1 - best)), 3))
    weights = [3.0, 2.0, 1.0]

    def play(chance: Chance) -> Truths:
        meta = meta_of(field_of(chance, rates, pairs), weights, resamples=1)
        expected = [p.expected.interval for p in meta.players if p.expected]
        truths = rates @ weights / sum(weights)
        return [holds(i, truth) for i, truth in zip(expected, truths, strict=True)]

    return play


def _odds(straight: float, circles: float, decks: int) -> Any:
    """Log-odds from strengths and from circles."""
    drawn = np.random.default_rng(decks)
    strength = straight * drawn.standard_normal(decks)
    round_ = drawn.standard_normal((decks, decks))
    if decks == 3:
        round_ = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    return strength[:, None] - strength + circles * (round_ - round_.T) / 2


def _circles(straight: float, circles: float, decks: int, pairs: int) -> Play:
    odds = _odds(straight, circles, decks)
    rates = 1 / (1 + np.exp(-odds))
    edges = np.array([np.eye(decks)[a] - np.eye(decks)[b] for a, b in _pairs(decks)])
    true = np.array([odds[a, b] for a, b in _pairs(decks)])
    rest = true - edges @ np.linalg.pinv(edges) @ true
    share = float(rest @ rest / (true @ true))

    def play(chance: Chance) -> Truths:
        meta = meta_of(field_of(chance, rates, pairs), resamples=1)
        return [holds(meta.cycles.interval, share)]

    return play


def _missed(straight: float, circles: float, decks: int, pairs: int) -> Play:
    """What ratings miss that were fitted to the true win rates."""
    rates = 1 / (1 + np.exp(-_odds(straight, circles, decks)))
    true = [RatedPairing(a, b, rates[a, b], 0.0, MANY) for a, b in _pairs(decks)]
    expected = bradley_terry(decks, true).expected
    missed = [each.score - e for each, e in zip(true, expected, strict=True)]
    truth = float(np.sqrt(np.mean(np.square(missed))))

    def play(chance: Chance) -> Truths:
        meta = meta_of(field_of(chance, rates, pairs), resamples=1)
        return [meta.misfit.interval.low - 1e-4 <= truth <= meta.misfit.interval.high]

    return play


def _pairs(decks: int) -> list[tuple[int, int]]:
    return list(combinations(range(decks), 2))


def _gain(pairs: int) -> Play:
    """Six decks against a mix of four, the best of whom gains 2 points."""
    shares = (0.4, 0.3, 0.2, 0.1)
    level = level_of(6)

    def play(chance: Chance) -> Truths:
        ends = []
        for lead in (0.02, 0.02, 0.01, 0.0, -0.1, -0.3):
            met = [rate_of(pairs_of(chance, 0.5 + lead, pairs)) for _ in shares]
            ends.append(gain_of(met, shares).interval(level).high)
        return [max(0.0, *ends) >= 0.02]

    return play


def _gauges(pairs: int) -> Play:
    met = _pairs(4)
    rates = (0.9, 0.95, 0.97, 0.5, 0.6, 0.55)
    asked = gauges(["a", "b", "c", "d"], [None] * 4, [1.0, 2.0, 3.0, 4.0], met)

    def play(chance: Chance) -> Truths:
        scores = [pairs_of(chance, rate, pairs) for rate in rates]
        level = level_of(len(asked))
        estimates = [(g.estimate(scores, level), g.value(rates)) for g in asked]
        return [all(holds(e.interval, truth) for e, truth in estimates)]

    return play
