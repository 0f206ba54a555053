"""Swaps that are tried in the same games, and the effect of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from deckcheck.playing.host.contrasts import Contrast, Contrasts
from deckcheck.playing.host.versions import ROTATION
from deckcheck.playing.tally import Head, Ints
from deckcheck.stats import Interval
from deckcheck.stats.bounded import bounded_interval
from deckcheck.studies.impact.swaps import Swap

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
    """The tallies of a trial, one for each opponent with the same number of sets.

    `weights` are those of the opponents, in any unit; () for all alike.
    """

    trial: Trial
    tables: Sequence[Contrasts]
    tallies: Sequence[Ints]
    weights: Sequence[float] = ()

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
        """The mean of a contrast that is `times` too large.

        Its variance is that within the sets of each opponent, where there are several;
        among single sets with each what opponents differ by counts as chance.
        """
        which = range(len(self.tables)) if opponent is None else [opponent]
        scale = times * HALF_POINTS
        rows = [self._sums(place, i, scale) for i in which]
        is_weighed = opponent is None and self.weights
        weights = [self.weights[i] if is_weighed else 1.0 for i in which]
        shares = [weight / sum(weights) for weight in weights]
        means = [total / sets for sets, total, _ in rows]
        value = fmean(means, shares if is_weighed else None)
        count = sum(sets for sets, _, _ in rows)
        if max(sets for sets, _, _ in rows) == 1:
            rows = [(count, count * value, sum(squares for _, _, squares in rows))]
            shares = [1.0]
        freedom = sum(sets - 1 for sets, _, _ in rows)
        variance = sum(
            share**2 * (squares - total**2 / sets) / max(1, sets - 1) / sets
            for share, (sets, total, squares) in zip(shares, rows, strict=True)
        )
        return Effect(value, bounded_interval(value, variance * count, count, freedom))

    def _sums(self, place: int, opponent: int, scale: int) -> tuple[int, float, float]:
        """The sets with an opponent, and the sums of a contrast and of its squares."""
        tally = self.tallies[opponent]
        total, squares = self.tables[opponent].sums(tally)[:, place].tolist()
        return int(tally[0, Head.SETS]), total / scale, squares / scale**2
