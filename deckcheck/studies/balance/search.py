"""Changes of cards worth trying, and the next to try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, hypot, sqrt
from statistics import fmean
from typing import Annotated

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.documents.records import Ordinal, Share, ShownAs
from deckcheck.formats import Format
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import DUEL_STREAMS, Table, seat, set_table
from deckcheck.playing.versions import ROTATION, Versions, retune_table
from deckcheck.sim.documents import EffectDocument
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.sim.seating import Pairing, pair_up
from deckcheck.stats import Interval, mean_score
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import Wanted, cheapest_choice, resampled_rates
from deckcheck.studies.balance.targets import (
    Aim,
    CardStep,
    Scores,
    TargetBounds,
    apply_steps,
    choose_measured_steps,
    fit_deck,
    interpolate_effect,
    list_card_steps,
)
from deckcheck.studies.swaps import (
    MeasuredEffect,
    Swap,
    Trial,
    TriedSwaps,
    choose_average_cards,
    choose_average_swaps,
)

# The next changes to try, by the effects of single changes; plays nothing itself


POINTS_PER_RATE = 100
RESAMPLE_COUNT = 200
STRENGTH_COST = 0.01
POINT_PENALTY = 4.0
"""How many changes a target is worth for each point by which it is missed."""

Effects = Mapping[CardStep, Sequence[float]]
"""By how much a step moves the rate of the first deck of each pair."""


@dataclass
class BalanceSearch:
    """The state of the search: the steps tried so far, and all steps."""

    aims: Sequence[Aim]
    margins: Sequence[float]
    """How far inside of its range each aim is to lie."""
    most: int
    offered: Sequence[CardStep] = ()
    """All steps."""
    effects: Effects = field(default_factory=dict)
    """The effects of some steps. Those between are taken to be in proportion."""
    scores: dict[tuple[CardStep, ...], Scores] = field(default_factory=dict)
    """The scores of each pair of decks after some steps."""
    tried: dict[tuple[CardStep, ...], Sequence[float]] = field(default_factory=dict)
    """The rates of the first deck of each pair after some steps."""
    last: tuple[CardStep, ...] = ()

    def add(
        self,
        steps: tuple[CardStep, ...],
        rates: Sequence[float],
        scores: Scores = (),
    ) -> None:
        """Record the result of some steps, none if the cards are as they were."""
        self.scores[steps] = scores
        self.tried[steps] = rates
        self.last = steps

    def next(self) -> set[CardStep]:
        """Return the cheapest steps that may do, by the effects and the last result."""
        groups: dict[tuple[str, str], list[int]] = {}
        for index, step in enumerate(self.offered):
            groups.setdefault((step.card, step.field), []).append(index)
        chosen = cheapest_choice(
            [_compute_cost(step) for step in self.offered],
            list(groups.values()),
            self._find_wanted(),
            POINT_PENALTY,
            self.most,
        )
        return {self.offered[index] for index in chosen}

    @property
    def best(self) -> tuple[CardStep, ...]:
        """Of what was tried what misses least, for the fewest and smallest changes."""
        return min(
            self.tried, key=lambda steps: self._compute_price(steps, self.tried[steps])
        )

    def choices(self, seed: int) -> list[tuple[tuple[CardStep, ...], float]]:
        """Return the choices if games were drawn again, each with its share of
        resamples.

        Games with different sets of changes are drawn independently, though they have
        the same shuffles: so the choice is a little surer than this.
        """
        chance = np.random.default_rng(seed)
        choices: Counter[tuple[CardStep, ...]] = Counter()
        for _ in range(RESAMPLE_COUNT):
            prices = {
                steps: self._compute_price(
                    steps, resampled_rates(scores, chance).tolist()
                )
                for steps, scores in self.scores.items()
            }
            choices[min(prices, key=lambda steps: prices[steps])] += 1
        return [
            (steps, count / RESAMPLE_COUNT) for steps, count in choices.most_common()
        ]

    def beside(self, steps: tuple[CardStep, ...]) -> Iterator[tuple[CardStep, ...]]:
        """Yield all but one of the steps, or with a step changed a little if an aim is
        missed.

        The effect of a step is not in proportion to it, so its neighbours may do.
        """
        is_missed = self.misses(self.tried[steps]) > 0
        for index, step in enumerate(steps):
            yield (*steps[:index], *steps[index + 1 :])
            for by in (step.by - 1, step.by + 1):
                other = replace(step, by=by)
                if is_missed and other in self.offered:
                    yield (*steps[:index], other, *steps[index + 1 :])

    def misses(self, rates: Sequence[float]) -> float:
        """Return by how much the aims are missed together, with their margins, 0 to
        1.
        """
        pairs = zip(self.aims, self.margins, strict=True)
        return sum(aim.measure_miss(aim.gauge.value(rates), m) for aim, m in pairs)

    def _compute_price(
        self, steps: tuple[CardStep, ...], rates: Sequence[float]
    ) -> float:
        missed = POINT_PENALTY * POINTS_PER_RATE * self.misses(rates)
        return round(missed + sum(map(_compute_cost, steps)), 6)

    def _find_wanted(self) -> list[Wanted]:
        rates = self.tried[self.last]
        wanted = []
        for aim, margin in zip(self.aims, self.margins, strict=True):
            value = aim.gauge.value(rates)
            value -= sum(
                aim.gauge.shift(self._estimate_effect(step)) for step in self.last
            )
            low, high = aim.narrow_range(margin)
            moves = (
                aim.gauge.shift(self._estimate_effect(step)) for step in self.offered
            )
            wanted.append(
                Wanted(
                    POINTS_PER_RATE * value,
                    tuple(POINTS_PER_RATE * move for move in moves),
                    POINTS_PER_RATE * low,
                    POINTS_PER_RATE * high,
                )
            )
        return wanted

    def _estimate_effect(self, step: CardStep) -> list[float]:
        """Return the effect of a step on each pair, measured or between two measured
        steps.
        """
        if step in self.effects:
            return list(self.effects[step])
        alike = {}
        for other, effect in self.effects.items():
            if (other.card, other.field) == (step.card, step.field):
                alike[other.by] = effect
        pairs = zip(*alike.values(), strict=True)
        return [
            interpolate_effect(step.by, dict(zip(alike, e, strict=True))) for e in pairs
        ]


def _compute_cost(step: CardStep) -> float:
    """Return one for each change, and a little for its size."""
    return 1 + STRENGTH_COST * abs(step.by)


# Cards of a field above or below their peers: use, and caused impact


AVERAGE_CARD_COUNT = 3
"""How many cards stand together for an average one."""

FEWEST_PEERS = 3


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


def above_peers(effect: MeasuredEffect, peers: float, reach: float) -> MeasuredEffect:
    """Return by how much a card exceeds its peers, who are known within `reach`.

    Source: G. Y. Zou and A. Donner (2008), Construction of confidence limits about
    effect measures: a general approach, Statistics in Medicine 27.
    """
    low, high = effect.interval
    value = effect.value - peers
    below, above = hypot(effect.value - low, reach), hypot(high - effect.value, reach)
    return MeasuredEffect(value, Interval(value - below, value + above))


@dataclass(frozen=True)
class CardTrial:
    """Cards of each deck of a field, each replaced by average cards.

    `swaps` are the legal ones of each deck. `cards` are those that are tried, by id,
    all of them if there are none.
    """

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]
    swaps: Sequence[Sequence[Swap]]
    cards: frozenset[str] = frozenset()

    def jobs(self, first: int, games: int) -> list[Job]:
        """Return a job for each deck and opponent, numbered from `first` on.

        Each version of a deck plays at least `games`, over all its opponents.
        """
        sets = ceil(games / ROTATION / (len(self.entrants) - 1))
        jobs = []
        for i, tables in self.tables.items():
            entrant = self.entrants[i]
            for o, table in tables.items():
                opponent = self.entrants[o]
                job = Job(
                    first + i * len(self.entrants) + o,
                    f"cards of {entrant.name} against {opponent.name}",
                    table,
                    (opponent.policy, entrant.policy, "cards"),
                    sets,
                    ROTATION * len(table.patches),
                    names=(entrant.name, opponent.name),
                )
                jobs.append(job)
        return jobs

    @cached_property
    def trials(self) -> Mapping[int, Trial]:
        """What is tried of each deck, by its place; not of those without such cards."""
        trials = {}
        for i, entrant in enumerate(self.entrants):
            trial = self._make_trial(entrant.deck, self.swaps[i])
            if trial.swaps:
                trials[i] = trial
        return trials

    @cached_property
    def tables(self) -> Mapping[int, Mapping[int, Versions]]:
        """The tables of each of these decks, by the place of the opponent."""
        tables: dict[int, dict[int, Versions]] = {}
        for i, trial in self.trials.items():
            tables[i] = {}
            for o, opponent in enumerate(self.entrants):
                if o != i:
                    tables[i][o] = trial.make_table(
                        self.format, self.database, self.entrants[i], opponent
                    )
        return tables

    def tried(self, first: int, tallies: Mapping[int, Ints]) -> dict[int, TriedSwaps]:
        """Return the results of the jobs from `first` on, for each deck."""
        results = {}
        for i, tables in self.tables.items():
            start = first + i * len(self.entrants)
            of_deck = [tallies[start + o] for o in tables]
            results[i] = TriedSwaps(self.trials[i], list(tables.values()), of_deck)
        return results

    def _make_trial(self, deck: Deck, swaps: Sequence[Swap]) -> Trial:
        average = choose_average_cards(deck, swaps, self.database, AVERAGE_CARD_COUNT)
        tried = [c for c in deck.counts() if not self.cards or c in self.cards]
        return Trial.of(choose_average_swaps(tried, average, swaps))


@dataclass(frozen=True, slots=True)
class MeasuredImpact:
    """The impact of a card over the decks that hold it, by their places.

    `reaches` are the parts that each of them has in the reach of the interval.
    """

    effect: MeasuredEffect
    reaches: Mapping[int, float]

    @property
    def decks(self) -> list[int]:
        """The decks that hold it."""
        return list(self.reaches)


MeasuredImpacts = dict[str, MeasuredImpact]
"""What cards are worth, by id."""


def measure_impacts(
    tried: Mapping[int, TriedSwaps], weights: Sequence[float]
) -> MeasuredImpacts:
    """Return the impact of each card. Decks count by their `weights`, alike if all are
    0.
    """
    holders: dict[str, list[int]] = {}
    for i, trial in tried.items():
        for card in trial.trial.means:
            holders.setdefault(card, []).append(i)
    impacts: MeasuredImpacts = {}
    for card, decks in holders.items():
        parts = [weights[i] for i in decks]
        if not any(parts):
            parts = [1.0] * len(decks)
        effects = [tried[i].impact(card) for i in decks]
        total = sum(parts)
        pairs = list(zip(parts, effects, strict=True))
        value = sum(part * e.value for part, e in pairs) / total
        below = hypot(*(part * (e.value - e.interval.low) for part, e in pairs)) / total
        above = hypot(*(part * (e.interval.high - e.value) for part, e in pairs))
        effect = MeasuredEffect(value, Interval(value - below, value + above / total))
        reaches = {}
        for deck, (part, e) in zip(decks, pairs, strict=True):
            reaches[deck] = part * (e.interval.high - e.interval.low) / 2 / total
        impacts[card] = MeasuredImpact(effect, reaches)
    return impacts


def named_cards(
    impacts: MeasuredImpacts,
    again: MeasuredImpacts,
    database: CardDatabase,
    weights: Sequence[float],
) -> list[CardPlaceDocument]:
    """Return the cards of `again` compared with their peers, in the order of `impacts`.

    First comes the card that is most clearly above its peers: by the lower end of the
    interval, the last by the upper end.
    """
    places = {card: _place(card, impacts, impacts, database, weights) for card in again}
    above = [c for c in again if places[c].above.value >= 0]
    below = [c for c in again if places[c].above.value < 0]
    above.sort(key=lambda c: -round(places[c].above.interval.low, 9))
    below.sort(key=lambda c: -round(places[c].above.interval.high, 9))
    return [
        _place(card, impacts, again, database, weights) for card in (*above, *below)
    ]


def _place(
    card: str,
    impacts: MeasuredImpacts,
    measured: MeasuredImpacts,
    database: CardDatabase,
    weights: Sequence[float],
) -> CardPlaceDocument:
    effect, decks = measured[card].effect, measured[card].decks
    kind = database.cards[card].kind
    others = [id for id in impacts if id != card]
    peers = [id for id in others if database.cards[id].kind == kind]
    if len(peers) < FEWEST_PEERS:
        peers = others
    mean = fmean(impacts[id].effect.value for id in peers) if peers else 0.0
    reach = _compute_mean_reach([impacts[id] for id in peers])
    return CardPlaceDocument(
        card,
        database.cards[card].name,
        kind,
        len(decks),
        sum(weights[i] for i in decks) / sum(weights),
        effect,
        mean,
        above_peers(effect, mean, reach),
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


# A field whose decks meet with their cards as they are, and with cards changed


Steps = tuple[CardStep, ...]


@dataclass(frozen=True)
class BalancedField:
    """Decks that all meet each other; jobs and results are in the order of `pairs`."""

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]

    @cached_property
    def pairs(self) -> list[Pairing]:
        """Each pair of decks."""
        return pair_up(len(self.entrants))

    @cached_property
    def table(self) -> Table:
        """The table of the first two decks, with the cards as they are."""
        decks = [entrant.deck for entrant in self.entrants]
        return self._make_table(self.pairs[0], (), decks)

    @cached_property
    def holders(self) -> Mapping[str, tuple[int, ...]]:
        """The decks that hold a card, by its id, in the order of the database."""
        counts = [entrant.deck.counts() for entrant in self.entrants]
        holders = {}
        for card in self.database.cards:
            decks = tuple(i for i, cards in enumerate(counts) if cards[card])
            if decks:
                holders[card] = decks
        return holders

    def decks(self, steps: Steps) -> list[Deck] | None:
        """Return the decks after some steps, without copies that are not allowed any
        more.

        None if no legal card can complete a deck then.
        """
        limited = [step.card for step in steps if step.field == "copies"]
        database = apply_steps(self.database, steps)
        decks = []
        for entrant in self.entrants:
            deck = fit_deck(entrant.deck, self.format, database, limited)
            if deck is None:
                return None
            decks.append(deck)
        return decks

    def jobs(
        self,
        first: int,
        stream: int,
        games: int,
        versions: Sequence[Steps],
        label: str,
    ) -> list[Job]:
        """Return all pairs with each version of the cards, the first of which is the
        base.

        Jobs are numbered from `first` on. From one `stream` come the same games.
        """
        seated = [self._seat_deck(steps) for steps in versions]
        return [
            self._make_job(
                first + i, retune_table(base, others, stream + i), pair, games, label
            )
            for i, (pair, (base, *others)) in enumerate(
                zip(self.pairs, zip(*seated, strict=True), strict=True)
            )
        ]

    def scores(self, jobs: Sequence[Job], tallies: Mapping[int, Ints]) -> list[Scores]:
        """Count, for each version, the scores of the first deck of each pair."""
        scores = [_get_versions(job).scores(tallies[job.number]) for job in jobs]
        return [list(version) for version in zip(*scores, strict=True)]

    def effect_jobs(
        self, first: int, games: int, steps: Sequence[CardStep]
    ) -> list[Job]:
        """Return every pair with each step that changes one of its decks, in stream 0.

        Jobs are numbered from `first` on.
        """
        base = self._seat_deck(())
        after = {step: self.decks((step,)) for step in steps}
        jobs: list[Job] = []
        for i, pair in enumerate(self.pairs):
            touching = self._find_touching_steps(steps, i)
            tables = [
                self._make_table(pair, (step,), after[step] or []) for step in touching
            ]
            if tables:
                table = retune_table(base[i], tables, i)
                number = first + len(jobs)
                jobs.append(self._make_job(number, table, pair, games, "cards changed"))
        return jobs

    def effects(
        self,
        steps: Sequence[CardStep],
        jobs: Sequence[Job],
        tallies: Mapping[int, Ints],
    ) -> dict[CardStep, list[float]]:
        """Return by how much each step moves the rate of the first deck of each pair.

        `jobs` are those of `effect_jobs`.
        """
        effects = {step: [0.0] * len(self.pairs) for step in steps}
        for job in jobs:
            table = _get_versions(job)
            pair = table.stream
            assert pair is not None
            base_score, *others = map(mean_score, table.scores(tallies[job.number]))
            touching = self._find_touching_steps(steps, pair)
            for step, rate in zip(touching, others, strict=True):
                effects[step][pair] = rate - base_score
        return effects

    def _find_touching_steps(
        self, steps: Sequence[CardStep], pair: int
    ) -> list[CardStep]:
        both = {self.pairs[pair].a, self.pairs[pair].b}
        return [step for step in steps if both & set(self.holders[step.card])]

    def _seat_deck(self, steps: Steps) -> list[Table]:
        decks = self.decks(steps) or []
        return [self._make_table(pair, steps, decks) for pair in self.pairs]

    def _make_table(self, pair: Pairing, steps: Steps, decks: Sequence[Deck]) -> Table:
        seats = [seat(decks[i], self.entrants[i].policy) for i in (pair.a, pair.b)]
        database = apply_steps(self.database, steps)
        return set_table(self.format, database, seats, streams=DUEL_STREAMS)

    def _make_job(
        self, number: int, table: Versions, pair: Pairing, games: int, label: str
    ) -> Job:
        both = (self.entrants[pair.a], self.entrants[pair.b])
        names = tuple(entrant.name for entrant in both)
        return Job(
            number,
            f"{label}: {names[0]} against {names[1]}",
            table,
            tuple(entrant.policy for entrant in both),
            ceil(games / ROTATION),
            ROTATION * len(table.patches),
            names=names,
        )


def _get_versions(job: Job) -> Versions:
    assert isinstance(job.table, Versions)
    return job.table


# Changes of cards that a search may try, and its margin inside of targets


CANDIDATE_COUNT = 12
"""How many cards are tried, unless a plan names them."""

ONE_SIGMA = 0.6827
"""The level of an interval that reaches one standard error."""


def compute_margins(
    aims: Sequence[Aim], scores: Scores, validation: int
) -> list[float]:
    """Return how far inside of its range each aim has to be so that it can be shown.

    It is the reach of the interval of the validation games, which has `validation`
    times the games of `scores`, and the standard error of these.
    """
    level = joint_level(len(aims))
    return [
        _reach(aim, scores, level) / sqrt(validation) + _reach(aim, scores, ONE_SIGMA)
        for aim in aims
    ]


def standing_out(
    places: Sequence[CardPlaceDocument], impacts: MeasuredImpacts, search: BalanceSearch
) -> list[str]:
    """Return the cards farthest above their peers in decks that are too strong, or
    below.
    """
    rates = search.tried[()]
    leaning: dict[int, int] = {}
    for aim, margin in zip(search.aims, search.margins, strict=True):
        low, high = aim.narrow_range(margin)
        value = aim.gauge.value(rates)
        if low <= value <= high:
            continue
        for i in aim.gauge.members:
            leaning[i] = leaning.get(i, 0) + (1 if value > high else -1)
    leanings = {}
    for index in places:
        sign = sum(leaning.get(i, 0) for i in impacts[index.id].decks)
        if sign:
            leanings[index.id] = index.above.value * (1 if sign > 0 else -1)
    ranked = sorted(leanings, key=lambda card: -round(leanings[card], 9))
    return ranked[:CANDIDATE_COUNT]


def offered(
    field: BalancedField, bounds: TargetBounds, cards: Sequence[str]
) -> list[CardStep]:
    """Return all steps of these cards within the bounds."""
    largest, every = field.database.game.sizes.strength, field.database.cards
    return [
        step
        for card in cards
        for step in list_card_steps(
            every[card], bounds.strength, largest, bounds.limits
        )
        if _is_relevant(field, step)
    ]


def list_measured_steps(steps: Sequence[CardStep]) -> list[CardStep]:
    """Return the steps that are played, in their order."""
    played: set[CardStep] = set()
    for card in dict.fromkeys(step.card for step in steps):
        played.update(
            choose_measured_steps([step for step in steps if step.card == card])
        )
    return [step for step in steps if step in played]


def _is_relevant(field: BalancedField, step: CardStep) -> bool:
    """Report whether a step changes a card's strength or a deck, and leaves all
    legal.
    """
    if step.field == "strength":
        return True
    limit = field.database.cards[step.card].copies + step.by
    decks = [field.entrants[i].deck for i in field.holders[step.card]]
    holds_more = any(deck.counts()[step.card] > limit for deck in decks)
    return holds_more and field.decks((step,)) is not None


def _reach(aim: Aim, scores: Scores, level: float) -> float:
    low, high = aim.gauge.estimate(scores, level).interval
    return (high - low) / 2
