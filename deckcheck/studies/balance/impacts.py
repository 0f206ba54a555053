"""The impact of cards on win rates, and the cards above or below their peers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot
from statistics import fmean
from typing import Annotated, TypeAlias

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.documents.records import Ordinal, Share, ShownAs
from deckcheck.formats import Format
from deckcheck.playing.kernel import Ints
from deckcheck.playing.versions import ROTATION, Versions
from deckcheck.sim.documents import EffectDocument
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.stats import Interval
from deckcheck.studies.swaps import (
    MeasuredEffect,
    Swap,
    Trial,
    TriedSwaps,
    choose_average_cards,
    choose_average_swaps,
)

AVERAGE_CARD_COUNT = 3
"""The number of cards that together are an average card."""
MIN_PEERS = 3
"""The fewest cards of a kind that a card is compared with, instead of all cards."""
SORT_DIGITS = 9
"""The digits by which cards are ranked, so that noise in sums changes nothing."""


@dataclass(frozen=True, slots=True)
class CardPlaceDocument:
    """A card compared with its peers, the other cards of its kind in the field."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    kind: str
    """The kind of the card."""
    decks: Ordinal
    """The number of decks that hold it."""
    use: Share
    """The share of the field that holds it, 0 to 1."""
    impact: Annotated[MeasuredEffect, ShownAs(EffectDocument)]
    """The gain of decks from one copy instead of an average card."""
    peers: float
    """The mean impact of its peers, -1 to 1."""
    above: Annotated[MeasuredEffect, ShownAs(EffectDocument)]
    """The impact of the card less that of its peers."""


@dataclass(frozen=True)
class CardTrial:
    """Cards of each deck of a field, each replaced by average cards.

    Decks are numbered by their order in `entrants`.
    """

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]
    swaps: Sequence[Sequence[Swap]]
    """The legal swaps of each deck."""
    cards: frozenset[str]
    """The ids of the cards to try, all cards if there are none."""

    def jobs(self, first: int, games: int) -> list[Job]:
        """Return a job for each deck and opponent, numbered from `first` on.

        Each version of a deck plays at least `games`, over all its opponents.
        """
        sets = ceil(games / ROTATION / (len(self.entrants) - 1))
        jobs = []
        for deck, tables in self.tables.items():
            entrant = self.entrants[deck]
            for other, table in tables.items():
                opponent = self.entrants[other]
                job = Job(
                    self._number_job(first, deck, other),
                    f"cards of {entrant.name} against {opponent.name}",
                    table,
                    (opponent.policy, entrant.policy, "cards"),
                    sets,
                    ROTATION * len(table.patches),
                    names=(entrant.name, opponent.name),
                )
                jobs.append(job)
        return jobs

    def _number_job(self, first: int, deck: int, opponent: int) -> int:
        """Return the number of the job of a deck and an opponent."""
        return first + deck * len(self.entrants) + opponent

    @cached_property
    def trials(self) -> Mapping[int, Trial]:
        """The swaps to try by deck, only of decks that have such cards."""
        trials = {}
        for deck, entrant in enumerate(self.entrants):
            trial = self._make_trial(entrant.deck, self.swaps[deck])
            if trial.swaps:
                trials[deck] = trial
        return trials

    @cached_property
    def tables(self) -> Mapping[int, Mapping[int, Versions]]:
        """The tables of each of these decks by opponent."""
        tables: dict[int, dict[int, Versions]] = {}
        for deck, trial in self.trials.items():
            tables[deck] = {}
            for other, opponent in enumerate(self.entrants):
                if other != deck:
                    tables[deck][other] = trial.make_table(
                        self.format, self.database, self.entrants[deck], opponent
                    )
        return tables

    def collect(self, first: int, tallies: Mapping[int, Ints]) -> dict[int, TriedSwaps]:
        """Return the results of the jobs from `first` on, by deck."""
        results = {}
        for deck, tables in self.tables.items():
            numbers = [self._number_job(first, deck, other) for other in tables]
            tallies_of_deck = [tallies[number] for number in numbers]
            results[deck] = TriedSwaps(
                self.trials[deck], list(tables.values()), tallies_of_deck
            )
        return results

    def _make_trial(self, deck: Deck, swaps: Sequence[Swap]) -> Trial:
        """Return the trial of the cards of a deck."""
        average = choose_average_cards(deck, swaps, self.database, AVERAGE_CARD_COUNT)
        tried = [c for c in deck.counts() if not self.cards or c in self.cards]
        return Trial.of(choose_average_swaps(tried, average, swaps))


@dataclass(frozen=True, slots=True)
class MeasuredImpact:
    """The impact of a card over the decks that hold it."""

    effect: MeasuredEffect
    reaches: Mapping[int, float]
    """The part of each deck in half the width of the interval."""

    @property
    def decks(self) -> list[int]:
        """The decks that hold it."""
        return list(self.reaches)


MeasuredImpacts: TypeAlias = dict[str, MeasuredImpact]
"""Impacts by the id of the card."""


def measure_impacts(
    tried: Mapping[int, TriedSwaps], weights: Sequence[float]
) -> MeasuredImpacts:
    """Return the impact of each card over the decks that hold it.

    Decks count by their `weights`, all alike if these are 0.
    """
    effects: dict[str, dict[int, MeasuredEffect]] = {}
    for deck, results in tried.items():
        for card in results.trial.means:
            effects.setdefault(card, {})[deck] = results.impact(card)
    impacts = {}
    for card, effect_by_deck in effects.items():
        impacts[card] = _average_effects(effect_by_deck, weights)
    return impacts


def _average_effects(
    effects: Mapping[int, MeasuredEffect], weights: Sequence[float]
) -> MeasuredImpact:
    """Return the weighted mean of effects that are independent of each other.

    With the weights `w`, which add up to 1, it is the sum of `w * value`. It is above
    its lower end by the root of the sum of `(w * (value - low))^2`, likewise at the
    upper end.
    """
    parts = [weights[deck] for deck in effects]
    if not any(parts):
        parts = [1.0] * len(effects)
    total = sum(parts)
    terms, below, above = [], [], []
    reaches = {}
    for (deck, effect), part in zip(effects.items(), parts, strict=True):
        low, high = effect.interval
        terms.append(part * effect.value)
        below.append(part * (effect.value - low))
        above.append(part * (high - effect.value))
        reaches[deck] = part * (high - low) / 2 / total
    value = sum(terms) / total
    interval = Interval(value - hypot(*below) / total, value + hypot(*above) / total)
    return MeasuredImpact(MeasuredEffect(value, interval), reaches)


def rank_cards(
    impacts: MeasuredImpacts,
    again: MeasuredImpacts,
    database: CardDatabase,
    weights: Sequence[float],
) -> list[CardPlaceDocument]:
    """Return the cards of `again` compared with their peers, in the order of `impacts`.

    The first card is most clearly above its peers, by the lower end of its interval,
    and the last card most clearly below, by the upper end.
    """
    above, below = [], []
    for card in again:
        place = _compare_with_peers(card, impacts, impacts, database, weights)
        low, high = place.above.interval
        if place.above.value >= 0:
            above.append((-round(low, SORT_DIGITS), card))
        else:
            below.append((-round(high, SORT_DIGITS), card))
    ranked = []
    for group in (above, below):
        group.sort(key=lambda entry: entry[0])
        for _, card in group:
            place = _compare_with_peers(card, impacts, again, database, weights)
            ranked.append(place)
    return ranked


def _compare_with_peers(
    card: str,
    impacts: MeasuredImpacts,
    measured: MeasuredImpacts,
    database: CardDatabase,
    weights: Sequence[float],
) -> CardPlaceDocument:
    """Return a card, whose impact is in `measured`, compared with its peers."""
    effect, decks = measured[card].effect, measured[card].decks
    kind = database.cards[card].kind
    others = [id for id in impacts if id != card]
    peers = [id for id in others if database.cards[id].kind == kind]
    if len(peers) < MIN_PEERS:
        peers = others
    mean = 0.0
    if peers:
        mean = fmean(impacts[id].effect.value for id in peers)
    reach = _compute_mean_reach([impacts[id] for id in peers])
    return CardPlaceDocument(
        card,
        database.cards[card].name,
        kind,
        len(decks),
        sum(weights[deck] for deck in decks) / sum(weights),
        effect,
        mean,
        _subtract_peers(effect, mean, reach),
    )


def _compute_mean_reach(impacts: Sequence[MeasuredImpact]) -> float:
    """Return the precision of the mean impact of several cards.

    Cards of one deck were tried in the same games: at worst their errors are equal.
    Cards of different decks played other games.
    """
    by_deck: dict[int, float] = {}
    for impact in impacts:
        for deck, reach in impact.reaches.items():
            by_deck[deck] = by_deck.get(deck, 0.0) + reach / len(impacts)
    return hypot(*by_deck.values())


def _subtract_peers(
    effect: MeasuredEffect, peers: float, reach: float
) -> MeasuredEffect:
    """Return by how much a card exceeds its peers, who are known within `reach`.

    Source: G. Y. Zou and A. Donner (2008), Construction of confidence limits about
    effect measures: a general approach, Statistics in Medicine 27.
    """
    low, high = effect.interval
    value = effect.value - peers
    below, above = hypot(effect.value - low, reach), hypot(high - effect.value, reach)
    return MeasuredEffect(value, Interval(value - below, value + above))
