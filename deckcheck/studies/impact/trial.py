"""Swaps that are tried in the same games, and what came of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from deckcheck.playing.host.contrasts import Contrast, Contrasts
from deckcheck.playing.host.versions import ROTATION
from deckcheck.playing.tally import Head, Ints
from deckcheck.stats import Interval
from deckcheck.studies.impact.swaps import Swap

__all__ = ["Effect", "Trial", "Tried"]

LEVEL = 0.95
HALF_POINTS = 2 * ROTATION


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference of win rates, from -1 to 1, and its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class Trial:
    """Swaps to be tried, and for some cards those whose mean is their worth."""

    swaps: tuple[Swap, ...]
    means: Mapping[str, tuple[Swap, ...]]

    @property
    def contrasts(self) -> list[Contrast]:
        """What each swap gains, then what each card is worth."""
        place = {swap: 1 + i for i, swap in enumerate(self.swaps)}
        gains: list[Contrast] = [((place[s], 1), (0, -1)) for s in self.swaps]
        worths: list[Contrast] = [
            ((0, len(swaps)), *((place[swap], -1) for swap in swaps))
            for swaps in self.means.values()
        ]
        return gains + worths


@dataclass(frozen=True)
class Tried:
    """The tallies of a trial, one for each opponent with the same number of sets."""

    trial: Trial
    tables: Sequence[Contrasts]
    tallies: Sequence[Ints]

    def gain(self, swap: Swap) -> Effect:
        """What the deck gains by a swap, over the field."""
        return self._effect(self.trial.swaps.index(swap), 1)

    def worth(self, card: str) -> Effect:
        """By how much the deck is better with a card than with an average one."""
        return self._effect(*self._worth(card))

    def worth_against(self, card: str, opponent: int) -> Effect:
        """The same against one opponent."""
        return self._effect(*self._worth(card), opponent)

    def _worth(self, card: str) -> tuple[int, int]:
        place = len(self.trial.swaps) + list(self.trial.means).index(card)
        return place, len(self.trial.means[card])

    def _effect(self, place: int, times: int, opponent: int | None = None) -> Effect:
        """The mean of a contrast that is `times` too large."""
        which = range(len(self.tables)) if opponent is None else [opponent]
        found = [self._mean(place, i) for i in which]
        scale = times * HALF_POINTS * len(found)
        value = sum(mean for mean, _ in found) / scale
        reach = sqrt(sum(variance for _, variance in found)) / scale
        reach *= NormalDist().inv_cdf((1 + LEVEL) / 2)
        # No difference of win rates is larger, however little is known.
        return Effect(
            value, Interval(max(-1.0, value - reach), min(1.0, value + reach))
        )

    def _mean(self, place: int, opponent: int) -> tuple[float, float]:
        """The mean over sets, and its variance."""
        tally = self.tallies[opponent]
        total, squares = self.tables[opponent].sums(tally)[:, place].tolist()
        sets = int(tally[0, Head.SETS])
        if sets < 2:
            return total / sets, float("inf")
        mean = total / sets
        return mean, max(0.0, squares - total * mean) / (sets - 1) / sets
