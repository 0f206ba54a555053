"""Observed figures of a card: the results of games in which it came up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from deckcheck.playing.host.table import Table
from deckcheck.playing.host.versions import ROTATION, SCORES, numbers_of
from deckcheck.playing.host.watched import Moment, Watched
from deckcheck.playing.tally import Head, Ints, Part
from deckcheck.playing.watching import Seen
from deckcheck.stats.bounded import bounded_interval
from deckcheck.stats.multiple import benjamini_hochberg
from deckcheck.studies.impact.trial import Effect

WAYS = tuple(way.name.lower() for way in Seen)
"""How a game may see a card: opening, drawn, played, held."""

SURE = 0.05
LEVEL = 0.95
FEWEST = 30
"""The fewest games on either side of a reported difference."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A card by its id, seen in one of WAYS: the win rate in these games and in others.

    `games` saw it. `difference` is that of the two win rates, None where one side has
    hardly any games; `rate` is the false discovery rate at which it is sure, among all
    cards and ways (Benjamini-Hochberg).
    """

    card: str
    way: str
    games: int
    win_rate: float | None
    difference: Effect | None
    rate: float | None = None

    @property
    def is_sure(self) -> bool:
        """Whether the difference is no chance, as far as 5 % allow."""
        return self.rate is not None and self.rate <= SURE


def watched_table(
    table: Table, numbers: Mapping[str, int], cards: Sequence[str]
) -> Watched:
    """The table with the hand of its second player watched for these cards, its own.

    They are ids, `numbers` those of the engine.
    """
    value = numbers_of(table, numbers, cards)
    return Watched(table, tuple(value[card] for card in cards))


def observations(
    cards: Sequence[str], watched: Sequence[Watched], tallies: Sequence[Ints]
) -> tuple[Observed, ...]:
    """Every card in every way, over all opponents together."""
    pairs = zip(watched, tallies, strict=True)
    moments = np.sum([table.moments(tally) for table, tally in pairs], axis=0)
    sets = sum(int(tally[0, Head.SETS]) for tally in tallies)
    counts = [
        sum(int(tally[1, Part.SHARES + score]) for tally in tallies)
        for score in range(SCORES)
    ]
    total = sum(score * n for score, n in enumerate(counts))
    squares = sum(score * score * n for score, n in enumerate(counts))
    figures = [
        _observed(card, way, moments[i, j].tolist(), (sets, total, squares))
        for i, card in enumerate(cards)
        for j, way in enumerate(WAYS)
    ]
    compared = [i for i, figure in enumerate(figures) if figure.difference is not None]
    rates = benjamini_hochberg([_chance(figures[i].difference) for i in compared])
    for i, rate in zip(compared, rates, strict=True):
        figures[i] = replace(figures[i], rate=rate)
    return tuple(figures)


def _observed(
    card: str, way: str, moments: list[int], whole: tuple[int, int, int]
) -> Observed:
    """The difference of two win rates, and its variance by linearisation over sets."""
    sets, total, squares = whole
    m = dict(zip(Moment, moments, strict=True))
    games, others = m[Moment.N], ROTATION * sets - m[Moment.N]
    rate = m[Moment.H] / (2 * games) if games else None
    if rate is None or min(games, others) < FEWEST:
        return Observed(card, way, games, rate, None)
    rest = (total - m[Moment.H]) / (2 * others)
    seen, unseen = 1 / (2 * games), 1 / (2 * others)
    # A set weighs h * a + n * b + s * c + d in the difference.
    a, b = seen + unseen, -2 * (rate * seen + rest * unseen)
    c, d = -unseen, 2 * ROTATION * rest * unseen
    variance = (
        a * a * m[Moment.HH]
        + b * b * m[Moment.NN]
        + c * c * squares
        + d * d * sets
        + 2 * (a * b * m[Moment.NH] + a * c * m[Moment.HS] + b * c * m[Moment.NS])
        + 2 * d * (a * m[Moment.H] + b * m[Moment.N] + c * total)
    )
    value = rate - rest
    fewer = min(games, others) // ROTATION
    ends = bounded_interval(value, variance * fewer, fewer, fewer - 1)
    effect = Effect(value, ends)
    return Observed(card, way, games, rate, effect)


def _chance(effect: Effect | None) -> float:
    """The chance of a difference at least as large where there is none."""
    assert effect is not None
    low, high = effect.interval
    reach = effect.value - low if effect.value > 0 else high - effect.value
    deviations = abs(effect.value) / reach * NormalDist().inv_cdf((1 + LEVEL) / 2)
    return 2 * NormalDist().cdf(-deviations)
