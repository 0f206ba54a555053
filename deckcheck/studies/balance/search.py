"""The search for changes of cards: which to try, and the best of those tried.

It plays nothing itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np

from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import Wanted, cheapest_choice, resampled_rates
from deckcheck.studies.balance.field import BalancedField
from deckcheck.studies.balance.impacts import (
    SORT_DIGITS,
    CardPlaceDocument,
    MeasuredImpacts,
)
from deckcheck.studies.balance.steps import (
    CardStep,
    Steps,
    choose_measured_steps,
    interpolate_effect,
    list_card_steps,
)
from deckcheck.studies.balance.targets import Aim, Scores, TargetBounds

POINTS_PER_RATE = 100
RESAMPLE_COUNT = 200
"""The number of resamples for the shares of choices."""
STRENGTH_COST = 0.01
"""The cost of each point of strength that is changed, in changes of a card."""
POINT_PENALTY = 4.0
"""The cost of each point by which a target is missed, in changes of a card."""
PRICE_DIGITS = 6
"""The digits of prices, so that noise in the last digits of sums changes nothing."""


@dataclass
class BalanceSearch:
    """The state of the search: the steps to choose from, and the steps tried so far."""

    aims: Sequence[Aim]
    margins: Sequence[float]
    """The least distance of each win rate from the ends of its range, inside of it."""
    max_changes: int
    offered: Sequence[CardStep] = ()
    """The steps to choose from."""
    effects: Mapping[CardStep, Sequence[float]] = field(default_factory=dict)
    """The change of the rate of the first deck of each pair by some of the steps."""
    scores: dict[Steps, Scores] = field(default_factory=dict)
    """The scores of each pair of decks after some steps."""
    tried: dict[Steps, Sequence[float]] = field(default_factory=dict)
    """The rates of the first deck of each pair after some steps."""
    last: Steps = ()
    """The steps that were tried last."""

    def record(self, steps: Steps, rates: Sequence[float], scores: Scores = ()) -> None:
        """Record the result of some steps, none if the cards are as they were."""
        self.scores[steps] = scores
        self.tried[steps] = rates
        self.last = steps

    def choose_steps(self) -> set[CardStep]:
        """Return the cheapest steps that may do, by the effects and the last result."""
        groups: dict[tuple[str, str], list[int]] = {}
        for index, step in enumerate(self.offered):
            groups.setdefault((step.card, step.field), []).append(index)
        chosen = cheapest_choice(
            [_compute_cost(step) for step in self.offered],
            list(groups.values()),
            self._find_wanted(),
            POINT_PENALTY,
            self.max_changes,
        )
        return {self.offered[index] for index in chosen}

    @property
    def best(self) -> Steps:
        """The steps tried with the lowest price: for misses, and for changes."""
        prices = {}
        for steps, rates in self.tried.items():
            prices[steps] = self._compute_price(steps, rates)
        return min(prices, key=prices.__getitem__)

    def resample_choices(self, seed: int) -> list[tuple[Steps, float]]:
        """Return the best steps if games were drawn again, with shares of resamples.

        Games with different sets of changes are drawn independently, though they have
        the same shuffles. So the choice is a little surer than these shares.
        """
        generator = np.random.default_rng(seed)
        counts: Counter[Steps] = Counter()
        for _ in range(RESAMPLE_COUNT):
            prices = {}
            for steps, scores in self.scores.items():
                rates = resampled_rates(scores, generator).tolist()
                prices[steps] = self._compute_price(steps, rates)
            counts[min(prices, key=prices.__getitem__)] += 1
        choices = []
        for steps, count in counts.most_common():
            choices.append((steps, count / RESAMPLE_COUNT))
        return choices

    def list_neighbours(self, steps: Steps) -> Iterator[Steps]:
        """Yield all but one of the steps, each in turn.

        If an aim is missed, also yield them with a step changed a little. The effect of
        a step is not in proportion to it, so its neighbours may do.
        """
        is_missed = self.measure_misses(self.tried[steps]) > 0
        for index, step in enumerate(steps):
            before, after = steps[:index], steps[index + 1 :]
            yield (*before, *after)
            for by in (step.by - 1, step.by + 1):
                other = replace(step, by=by)
                if is_missed and other in self.offered:
                    yield (*before, other, *after)

    def measure_misses(self, rates: Sequence[float]) -> float:
        """Return by how much the aims are missed together, with their margins.

        The unit is that of win rates, 0 to 1.
        """
        misses = []
        for aim, margin in zip(self.aims, self.margins, strict=True):
            misses.append(aim.measure_miss(aim.gauge.value(rates), margin))
        return sum(misses)

    def _compute_price(self, steps: Steps, rates: Sequence[float]) -> float:
        """Return the price of some steps with their misses, in changes of a card."""
        penalty = POINT_PENALTY * POINTS_PER_RATE * self.measure_misses(rates)
        return round(penalty + sum(map(_compute_cost, steps)), PRICE_DIGITS)

    def _find_wanted(self) -> list[Wanted]:
        """Return the win rates that have aims, in points, as steps change them.

        Their values are those without any step: the last result less the effects of
        its steps.
        """
        rates = self.tried[self.last]
        wanted = []
        for aim, margin in zip(self.aims, self.margins, strict=True):
            shifts = {}
            for step in (*self.offered, *self.last):
                shifts[step] = aim.gauge.shift(self._estimate_effect(step))
            value = aim.gauge.value(rates) - sum(shifts[step] for step in self.last)
            low, high = aim.narrow_range(margin)
            figure = Wanted(
                value=POINTS_PER_RATE * value,
                effects=tuple(POINTS_PER_RATE * shifts[step] for step in self.offered),
                low=POINTS_PER_RATE * low,
                high=POINTS_PER_RATE * high,
            )
            wanted.append(figure)
        return wanted

    def _estimate_effect(self, step: CardStep) -> list[float]:
        """Return the effect of a step on each pair.

        It was measured, or is in proportion between two steps that were.
        """
        if step in self.effects:
            return list(self.effects[step])
        measured = {}
        for other, effect in self.effects.items():
            if (other.card, other.field) == (step.card, step.field):
                measured[other.by] = effect
        estimate = []
        for effects in zip(*measured.values(), strict=True):
            effect_by_size = dict(zip(measured, effects, strict=True))
            estimate.append(interpolate_effect(step.by, effect_by_size))
        return estimate


def _compute_cost(step: CardStep) -> float:
    """Return one for each change, and a little for its size."""
    return 1 + STRENGTH_COST * abs(step.by)


# The steps to try, and the margins of the aims

CANDIDATE_COUNT = 12
"""The number of cards that are tried, unless a plan names them."""
ONE_SIGMA = 0.6827
"""The level of an interval that reaches one standard error."""


def compute_margins(
    aims: Sequence[Aim], scores: Scores, validation: int
) -> list[float]:
    """Return how far inside of its range each aim has to be so that it can be shown.

    It is the reach of the interval of the validation games, which has `validation`
    times the games of `scores`, and the standard error of these scores.
    """
    level = joint_level(len(aims))
    margins = []
    for aim in aims:
        reach = _measure_reach(aim, scores, level) / sqrt(validation)
        margins.append(reach + _measure_reach(aim, scores, ONE_SIGMA))
    return margins


def _measure_reach(aim: Aim, scores: Scores, level: float) -> float:
    """Return half the width of the interval of a win rate."""
    low, high = aim.gauge.estimate(scores, level).interval
    return (high - low) / 2


def choose_cards(
    places: Sequence[CardPlaceDocument], impacts: MeasuredImpacts, search: BalanceSearch
) -> list[str]:
    """Return the cards to try: far above their peers in decks that are too strong.

    In decks that are too weak, cards far below their peers are tried.
    """
    rates = search.tried[()]
    # The aims above which each deck is, less those below which it is.
    excess: Counter[int] = Counter()
    for aim, margin in zip(search.aims, search.margins, strict=True):
        low, high = aim.narrow_range(margin)
        value = aim.gauge.value(rates)
        for deck in aim.gauge.members:
            if value > high:
                excess[deck] += 1
            elif value < low:
                excess[deck] -= 1
    blame = {}
    for place in places:
        total = sum(excess[deck] for deck in impacts[place.id].decks)
        if total > 0:
            blame[place.id] = place.above.value
        elif total < 0:
            blame[place.id] = -place.above.value
    ranked = sorted(blame, key=lambda card: -round(blame[card], SORT_DIGITS))
    return ranked[:CANDIDATE_COUNT]


def list_steps(
    field: BalancedField, bounds: TargetBounds, cards: Sequence[str]
) -> list[CardStep]:
    """Return all steps of these cards within the bounds."""
    database = field.database
    largest = database.game.sizes.strength
    steps = []
    for id in cards:
        card = database.cards[id]
        for step in list_card_steps(card, bounds.strength, largest, bounds.limits):
            if _is_relevant(field, step):
                steps.append(step)
    return steps


def list_measured_steps(steps: Sequence[CardStep]) -> list[CardStep]:
    """Return the steps that are played, in their order."""
    steps_by_card: dict[str, list[CardStep]] = {}
    for step in steps:
        steps_by_card.setdefault(step.card, []).append(step)
    measured: set[CardStep] = set()
    for steps_of_card in steps_by_card.values():
        measured.update(choose_measured_steps(steps_of_card))
    return [step for step in steps if step in measured]


def _is_relevant(field: BalancedField, step: CardStep) -> bool:
    """Report whether a step changes a card of a deck, and leaves all decks legal."""
    if step.field == "strength":
        return True
    limit = field.database.cards[step.card].copies + step.by
    decks = [field.entrants[i].deck for i in field.holders[step.card]]
    holds_more = any(deck.counts()[step.card] > limit for deck in decks)
    return holds_more and field.apply((step,)) is not None
