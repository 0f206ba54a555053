"""The next changes to try, by the effects of single changes; plays nothing itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from deckcheck.stats.choosing import Wanted, cheapest_choice
from deckcheck.stats.equilibrium import resampled_rates
from deckcheck.studies.balance.steps import Step, between
from deckcheck.studies.balance.targets import Aim, Scores

POINTS = 100
RESAMPLES = 200
STRENGTH_COST = 0.01
PENALTY = 4.0
"""How many changes a target is worth for each point by which it is missed."""

Effects = Mapping[Step, Sequence[float]]
"""By how much a step moves the rate of the first deck of each pair."""


@dataclass
class Search:
    """What was tried so far, and what may be tried.

    Rates are those of the first deck of each pair, by its `scores`, `margins` how far
    inside of its range each aim is to lie. `offered` are all steps, `effects` those of
    some of them: what lies between is taken to be in proportion.
    """

    aims: Sequence[Aim]
    margins: Sequence[float]
    most: int
    offered: Sequence[Step] = ()
    effects: Effects = field(default_factory=dict)
    scores: dict[tuple[Step, ...], Scores] = field(default_factory=dict)
    tried: dict[tuple[Step, ...], Sequence[float]] = field(default_factory=dict)
    last: tuple[Step, ...] = ()

    def add(
        self, steps: tuple[Step, ...], rates: Sequence[float], scores: Scores = ()
    ) -> None:
        """Record the result of some steps, none if the cards are as they were."""
        self.scores[steps] = scores
        self.tried[steps] = rates
        self.last = steps

    def next(self) -> set[Step]:
        """The cheapest steps that may do, by the effects and the last result."""
        groups: dict[tuple[str, str], list[int]] = {}
        for place, step in enumerate(self.offered):
            groups.setdefault((step.card, step.what), []).append(place)
        chosen = cheapest_choice(
            [_cost(step) for step in self.offered],
            list(groups.values()),
            self._wanted(),
            PENALTY,
            self.most,
        )
        return {self.offered[place] for place in chosen}

    @property
    def best(self) -> tuple[Step, ...]:
        """Of what was tried what misses least, for the fewest and smallest changes."""
        return min(self.tried, key=lambda steps: self._price(steps, self.tried[steps]))

    def choices(self, seed: int) -> list[tuple[tuple[Step, ...], float]]:
        """What would be chosen if games were drawn again, and in which part of that.

        Games with one set of changes are drawn apart from those with another one,
        though they have the same shuffles: so the choice is a little surer than this.
        """
        chance = np.random.default_rng(seed)
        choices: Counter[tuple[Step, ...]] = Counter()
        for _ in range(RESAMPLES):
            prices = {
                steps: self._price(steps, resampled_rates(scores, chance).tolist())
                for steps, scores in self.scores.items()
            }
            choices[min(prices, key=lambda steps: prices[steps])] += 1
        return [(steps, count / RESAMPLES) for steps, count in choices.most_common()]

    def beside(self, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
        """All but one of the steps; where they miss an aim, one a little other too.

        The effect of a step is not in proportion to it, so its neighbours may do.
        """
        is_missed = self.misses(self.tried[steps]) > 0
        for place, step in enumerate(steps):
            yield (*steps[:place], *steps[place + 1 :])
            for by in (step.by - 1, step.by + 1) if is_missed else ():
                other = replace(step, by=by)
                if other in self.offered:
                    yield (*steps[:place], other, *steps[place + 1 :])

    def misses(self, rates: Sequence[float]) -> float:
        """By how much the aims are missed together, with their margins, 0 to 1."""
        pairs = zip(self.aims, self.margins, strict=True)
        return sum(aim.missed_by(aim.gauge.value(rates), m) for aim, m in pairs)

    def _price(self, steps: tuple[Step, ...], rates: Sequence[float]) -> float:
        missed = PENALTY * POINTS * self.misses(rates)
        return round(missed + sum(map(_cost, steps)), 6)

    def _wanted(self) -> list[Wanted]:
        rates = self.tried[self.last]
        wanted = []
        for aim, margin in zip(self.aims, self.margins, strict=True):
            value = aim.gauge.value(rates)
            value -= sum(aim.gauge.shift(self._effect(step)) for step in self.last)
            low, high = aim.within(margin)
            moves = (aim.gauge.shift(self._effect(step)) for step in self.offered)
            wanted.append(
                Wanted(
                    POINTS * value,
                    tuple(POINTS * move for move in moves),
                    POINTS * low,
                    POINTS * high,
                )
            )
        return wanted

    def _effect(self, step: Step) -> list[float]:
        """The effect of a step on each pair, measured or between two that were."""
        if step in self.effects:
            return list(self.effects[step])
        alike = {
            other.by: effect
            for other, effect in self.effects.items()
            if (other.card, other.what) == (step.card, step.what)
        }
        pairs = range(len(next(iter(alike.values()))))
        return [
            between(step.by, {by: effect[pair] for by, effect in alike.items()})
            for pair in pairs
        ]


def _cost(step: Step) -> float:
    """One for each change, and a little for its size."""
    return 1 + STRENGTH_COST * abs(step.by)
