"""Observed figures of a card: the results of games in which it came up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Annotated

import numpy as np

from deckcheck.documents.records import Count, Share, one_of
from deckcheck.documents.records import Interval as IntervalDocument
from deckcheck.playing.kernel import Head, Ints, SeatColumns, Seen
from deckcheck.playing.redraws import HandSum as Moment
from deckcheck.playing.redraws import Watched
from deckcheck.playing.table import Table
from deckcheck.playing.versions import ROTATION, SCORE_COUNT, find_card_numbers
from deckcheck.sim.figures import ends, figure_value
from deckcheck.sim.records import Record, Shown
from deckcheck.stats import Interval
from deckcheck.stats.intervals import (
    DEFAULT_LEVEL,
    benjamini_hochberg,
    bounded_interval,
    normal_quantile,
)
from deckcheck.studies.swaps import MeasuredEffect

SEEN_WAYS = tuple(way.name.lower() for way in Seen)
"""How a game may see a card: opening, drawn, played, held."""

SURE_RATE = 0.05
MIN_OBSERVED_GAMES = 30
"""The fewest games on either side of a reported difference."""


@dataclass(frozen=True, slots=True)
class Observed(Record):
    """The games in which a card was seen in one way, compared with the others.

    False discovery rates are among all cards and ways (Benjamini-Hochberg).
    """

    KEYS = tuple("way games win_rate difference interval false_discovery_rate".split())
    card: str
    way: Annotated[str, one_of(SEEN_WAYS)]
    """Where the card was seen: in the opening hand, drawn, played, or held."""
    games: Count
    """The number of games in which the card was seen like that."""
    win_rate: Share | None
    """The win rate in these games, 0 to 1; null without games."""
    difference: Annotated[MeasuredEffect, Shown(figure_value, float)] | None
    """That win rate less the one in other games, -1 to 1; null with too few games."""
    false_discovery_rate: Share | None = None
    """The false discovery rate at which it is not chance, 0 to 1; null if unknown."""

    @property
    def interval(self) -> Annotated[Interval, Shown(ends, IntervalDocument)] | None:
        """The 95% interval of the difference; null with too few games."""
        return None if self.difference is None else self.difference.interval

    @property
    def is_sure(self) -> bool:
        """Whether it is hardly chance: a false discovery rate of at most 5%."""
        rate = self.false_discovery_rate
        return rate is not None and rate <= SURE_RATE


def watch_cards(
    table: Table, numbers: Mapping[str, int], cards: Sequence[str]
) -> Watched:
    """Return the table with the hand of its second player watched for these cards.

    They are ids, `numbers` their numbers in the engine.
    """
    value = find_card_numbers(table, numbers, cards)
    return Watched(table, tuple(value[card] for card in cards))


def measure_observed_cards(
    cards: Sequence[str], watched: Sequence[Watched], tallies: Sequence[Ints]
) -> tuple[Observed, ...]:
    """Return the result of every card in every way, over all opponents."""
    moments_by_opponent = []
    sets = total = squares = 0
    for table, tally in zip(watched, tallies, strict=True):
        moments_by_opponent.append(table.moments(tally))
        sets += int(tally[0, Head.SETS])
        for score in range(SCORE_COUNT):
            number = int(tally[1, SeatColumns.SHARES + score])
            total += score * number
            squares += score * score * number
    moments = np.sum(moments_by_opponent, axis=0)
    figures: list[Observed] = []
    chances: dict[int, float] = {}
    for i, card in enumerate(cards):
        for j, way in enumerate(SEEN_WAYS):
            cell = moments[i, j].tolist()
            figure = _measure_observed(card, way, cell, (sets, total, squares))
            if figure.difference is not None:
                chances[len(figures)] = _compute_chance(figure.difference)
            figures.append(figure)
    rates = benjamini_hochberg(list(chances.values()))
    for index, rate in zip(chances, rates, strict=True):
        figures[index] = replace(figures[index], false_discovery_rate=rate)
    return tuple(figures)


def _measure_observed(
    card: str, way: str, moments: list[int], whole: tuple[int, int, int]
) -> Observed:
    """Return the figures of a card that was seen in one way.

    `whole` has the number of all sets, the sum of their half-points and of the squares.
    The variance of the difference of two win rates is linearised: `moments` are the
    sums over sets of n, the games of a set that saw the card, of h, the half-points in
    them, of s, the half-points of the set, and of their products.
    """
    sets, total, squares = whole
    m = dict(zip(Moment, moments, strict=True))
    games, others = m[Moment.N], ROTATION * sets - m[Moment.N]
    if games == 0:
        return Observed(card, way, games, None, None)
    rate = m[Moment.H] / (2 * games)
    if min(games, others) < MIN_OBSERVED_GAMES:
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
    interval = bounded_interval(value, variance * fewer, fewer, fewer - 1)
    return Observed(card, way, games, rate, MeasuredEffect(value, interval))


def _compute_chance(difference: MeasuredEffect) -> float:
    """Return the probability of a difference at least as large by chance."""
    low, high = difference.interval
    value = difference.value
    half_width = value - low if value > 0 else high - value
    deviations = normal_quantile(DEFAULT_LEVEL) * abs(value) / half_width
    return 2 * NormalDist().cdf(-deviations)
