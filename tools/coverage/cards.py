"""Cases of what a card is worth: caused, observed, and redrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil
from types import SimpleNamespace
from typing import Any

import numpy as np

from deckcheck.playing.kernel import GameOutcome, Head, Ints, Seen, new_tally
from deckcheck.playing.redraws import PlayedHands, Watched, compute_moments
from deckcheck.playing.table import Table
from deckcheck.playing.versions import ROTATION, VERSION_SEAT
from deckcheck.stats import Verdict, find_verdict
from deckcheck.studies.balance.impacts import MeasuredImpact, rank_cards
from deckcheck.studies.impact import CONTENDER_COUNT, ROUND_GROWTH
from deckcheck.studies.observed import measure_observed_cards
from deckcheck.studies.redraws_result import Redraw, measure_redraw
from deckcheck.studies.swaps import Race, Swap, Trial, TriedSwaps
from tools.coverage.cases import ALIKE, Case, Chance, Play, Truths, alike_games, holds

CHANGED = 0.1
UP = 0.7
WATCHED_CARDS = 20


def card_cases() -> Iterator[Case]:
    """What `impact` and `balance` say of cards."""
    for pairs, opponents in product((1, 2, 6, 50, 500), (1, 3)):
        where = f"{opponents} opponents, {pairs} pairs"
        yield Case("impact", "impact of a card", where, _worth(pairs, opponents))
    for changed, pairs in product((0.02, 0.1, 0.6), (6, 100, 2_000)):
        where = f"{100 * changed:g}% of pairs differ, {pairs} pairs"
        yield Case("impact", "gain by another card", where, _gain(pairs, changed))
    for pairs in (6, 100):
        yield Case("impact", "the card to cut", f"{pairs} pairs", _cut(pairs))
    for (worths, cards), pairs in product(RACES.items(), (10, 100)):
        where = f"{worths}, {pairs} pairs in the first round"
        yield Case("impact", "impacts in a race", where, _race(cards, pairs), cost=20)
    for rate in (0.02, 0.2, 0.5, 0.95):
        for part, pairs in ((0.1, 200), (0.1, 2_000), (0.5, 50), (0.5, 500)):
            where = f"{rate}, seen in {100 * part:g}%, {pairs} pairs"
            play = _observed(rate, part, pairs)
            yield Case("impact", "observed difference", where, play, cost=2)
    for pairs in (50, 500):
        where = f"{WATCHED_CARDS} cards without effect, {pairs} pairs"
        yield Case("impact", "observed and sure", where, _sure(pairs), cost=4)
    for pairs in (10, 200):
        where = f"{pairs} pairs"
        yield Case("balance", "card above its peers", where, _peers(pairs))


def _contrast(
    chance: Chance, pairs: int, changed: float = CHANGED, up: float = UP
) -> tuple[Any, Ints]:
    """Sums of a contrast in half-points, and a tally of `pairs` sets."""
    signs = np.where(chance.random(pairs) < up, 2, -2)
    by = np.where(chance.random(pairs) < changed, signs, 0)
    tally = new_tally(2, 2)
    tally[0, Head.SETS] = pairs
    sums = np.array([[by.sum()], [(by * by).sum()]])
    table: Any = SimpleNamespace(sums=lambda _: sums)
    return table, tally


def _worth(pairs: int, opponents: int) -> Play:
    """A card that changes one pair in ten, mostly for the better."""
    trial = Trial((), {"a": (Swap("a", "b"),)})

    def play(chance: Chance) -> Truths:
        drawn = [_contrast(chance, pairs) for _ in range(opponents)]
        tried = TriedSwaps(trial, *map(list, zip(*drawn, strict=True)))
        return [holds(tried.impact("a").interval, CHANGED * (2 * UP - 1) / 2)]

    return play


def _gain(pairs: int, changed: float) -> Play:
    swap = Swap("a", "b")
    trial = Trial((swap,), {})

    def play(chance: Chance) -> Truths:
        table, tally = _contrast(chance, pairs, changed)
        gain = TriedSwaps(trial, [table], [tally]).gain(swap)
        return [holds(gain.interval, changed * (2 * UP - 1) / 2)]

    return play


def _cut(pairs: int) -> Play:
    """Cards that are all worth the same: to say which to cut is wrong."""
    swap = Swap("a", "b")

    def play(chance: Chance) -> Truths:
        effects = []
        for trial in (Trial((), {"a": (swap,)}), Trial((swap,), {})):
            table, tally = _contrast(chance, pairs, up=0.5)
            tried = TriedSwaps(trial, [table], [tally])
            effects.append(tried.gain(swap) if trial.swaps else tried.impact("a"))
        worth, gain = effects
        words = find_verdict(worth.interval), find_verdict(gain.interval)
        return [words[0] is not Verdict.WORSE and words[1] is not Verdict.BETTER]

    return play


RACED_ROUNDS = 8
RACES = {
    "20 equal cards": [0.0] * 20,
    "20 cards of different worth": [number / 500 - 0.01 for number in range(20)],
    "one weak card of 20": [-0.02, *[0.01] * 19],
}


def _race(worths: Sequence[float], pairs: int) -> Play:
    """Race cards, whose intervals are to be true in every round."""
    truths = {str(number): worth for number, worth in enumerate(worths)}
    cards = {card: (Swap(card, "average"),) for card in truths}

    def play(chance: Chance) -> Truths:
        race, is_true = Race(Trial.of(cards), "", adaptive=True), True
        for number in range(RACED_ROUNDS):
            names = list(race.open.means)
            if len(names) <= CONTENDER_COUNT:
                break
            sets = ceil(pairs * ROUND_GROWTH**number)
            ups = [0.5 + truths[card] / CHANGED for card in names]
            drawn = [_contrast(chance, sets, up=up) for up in ups]
            columns = np.hstack([table.sums(tally) for table, tally in drawn])
            sums = np.hstack([columns, columns])  # of the swaps, then of the cards
            table: Any = SimpleNamespace(sums=lambda _, sums=sums: sums)
            race = race.after(TriedSwaps(race.open, [table], [drawn[0][1]]))
            for card in names:
                is_true &= holds(race.impact(card).interval, truths[card])
        return [is_true]

    return play


class Drawn(Watched):
    """A table at which games fall by chance, and cards are seen by chance.

    Both games of a pair begin with the same hand, so that they see the same cards.
    """

    def __init__(
        self, chance: Chance, cards: int, rates: tuple[float, float], part: float
    ) -> None:
        table = Table(
            "made up", "two", (b"",), entrant_in=((VERSION_SEAT, 0),), streams=4
        )
        super().__init__(table, tuple(range(cards)))
        self.__dict__.update(chance=chance, rates=rates, part=part)

    def watch(self, seed: int, games: Ints) -> PlayedHands:
        chance: Chance = self.__dict__["chance"]
        sets = len(games) // ROTATION
        shape = (sets, len(self.cards), len(Seen))
        seen = (chance.random(shape) < self.__dict__["part"]).repeat(ROTATION, axis=0)
        without, with_it = self.__dict__["rates"]
        rates = np.where(seen[:, 0, 0], with_it, without)
        shared = chance.random(sets).repeat(ROTATION)
        alike = (chance.random(sets) < ALIKE).repeat(ROTATION)
        won = np.where(alike, shared, chance.random(len(games))) < rates
        outcomes = np.zeros((len(games), GameOutcome.PLACE + 8), np.int64)
        outcomes[:, GameOutcome.PLACE + VERSION_SEAT] = np.where(won, 1, 2)
        outcomes[:, GameOutcome.PLACE + 1 - VERSION_SEAT] = np.where(won, 2, 1)
        outcomes[:, GameOutcome.PLACE + 5] = 1
        none = np.zeros((len(games), 0), np.int64)
        return PlayedHands(outcomes, seen.astype(np.int64), dealt=none, redrawn=none)


def _observed(rate: float, part: float, pairs: int) -> Play:
    """A card with which a deck wins a little more often."""
    with_it = rate + 0.03

    def play(chance: Chance) -> Truths:
        watched = Drawn(chance, 1, (rate, with_it), part)
        observed = measure_observed_cards(
            ["a"], [watched], [watched.play(1, 0, 0, pairs)]
        )
        # Only the opening hand, the first way to see a card, goes with winning.
        truths = (with_it - rate, *[0.0] * (len(observed) - 1))
        return [
            holds(own.difference.interval, truth)
            for own, truth in zip(observed, truths, strict=True)
            if own.difference is not None
        ]

    return play


def _sure(pairs: int) -> Play:
    """Cards that change nothing: of those marked sure, all are chance."""
    names = [str(i) for i in range(WATCHED_CARDS)]

    def play(chance: Chance) -> Truths:
        watched = Drawn(chance, len(names), (0.5, 0.5), 0.4)
        observed = measure_observed_cards(
            names, [watched], [watched.play(1, 0, 0, pairs)]
        )
        return [not any(card.is_sure for card in observed)]

    return play


def _peers(pairs: int) -> Play:
    """Eight cards of two decks, all worth the same, one of them measured again."""
    ids = [f"card {i}" for i in range(8)]
    cards = {id: SimpleNamespace(name=id, kind="unit") for id in ids}
    database: Any = SimpleNamespace(cards=cards)
    trial = Trial((), {"a": (Swap("a", "b"),)})

    def worth(chance: Chance, deck: int, count: int) -> MeasuredImpact:
        table, tally = _contrast(chance, count)
        effect = TriedSwaps(trial, [table], [tally]).impact("a")
        low, high = effect.interval
        return MeasuredImpact(effect, {deck: (high - low) / 2})

    def play(chance: Chance) -> Truths:
        worths = {id: worth(chance, i % 2, pairs) for i, id in enumerate(ids)}
        again = {ids[0]: worth(chance, 0, 4 * pairs)}
        [place] = rank_cards(worths, again, database, [1.0, 1.0])
        return [holds(place.above.interval, 0.0)]

    return play


DEALT = 0.35
"""How many of the hands have a card."""

DIFFERS = 0.15
"""How often a redraw changes the course of a game at all."""


def redraw_cases() -> Iterator[Case]:
    """What `impact --redraws` says of cards."""
    for pairs in (6, 50, 1_000):
        for rate, other in ((0.5, 0.5), (0.5, 0.8), (0.95, 0.9), (0.02, 0.05)):
            where = f"{rate}, {other} where it matters, {pairs} pairs"
            play = _redraw(rate, other, pairs)
            yield Case("impact", "gain from a redraw", where, play)
    for pairs in (50, 500):
        where = f"{WATCHED_CARDS} cards without effect, {pairs} pairs"
        yield Case("impact", "gains from all redraws", where, _redraws(pairs), cost=4)


def drawn(
    chance: Chance, rate: float, other: float, pairs: int, together: int
) -> Redraw:
    """A card with which games are won at a rate, and in some at another without it."""
    is_dealt = chance.random(pairs) < DEALT
    is_dealt[0] = True  # where no hand has it nothing is said of it
    counts = is_dealt.repeat(ROTATION)
    kept = alike_games(chance, rate, pairs).ravel()
    differs = (chance.random(pairs) < DIFFERS).repeat(ROTATION)
    redrawn = np.where(differs, alike_games(chance, other, pairs).ravel(), kept)
    moments = compute_moments(counts, ~counts, 2 * kept, 2 * redrawn)
    return measure_redraw(Redraw, ("card",), ("Card",), moments.tolist(), together)


def _redraw(rate: float, other: float, pairs: int) -> Play:
    def play(chance: Chance) -> Truths:
        redraw = drawn(chance, rate, other, pairs, 1)
        return [holds(redraw.gain.interval, DIFFERS * (other - rate))]

    return play


def _redraws(pairs: int) -> Play:
    """Cards that may as well be kept: every one that is named is named wrongly."""

    def play(chance: Chance) -> Truths:
        redraws = [
            drawn(chance, 0.5, 0.5, pairs, WATCHED_CARDS) for _ in range(WATCHED_CARDS)
        ]
        return [all(holds(redraw.gain.interval, 0.0) for redraw in redraws)]

    return play
