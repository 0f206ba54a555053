"""Win rates with a card of the dealt hand kept and sent back, in the same games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deckcheck.playing.host.redraws import Moment, Redraws
from deckcheck.playing.tally import Ints
from deckcheck.stats import Estimate
from deckcheck.stats.bounded import bounded_interval, bounded_mean_interval
from deckcheck.studies.impact.trial import Effect

LEVEL = 0.95
WHOLE = 2
"""The half-points of a won game."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """A card by its id, over the `games` that dealt it; "" for the player's own choice.

    In `by_player` of them the player sends it back unasked. `kept` and `sent` are win
    rates, and `gain` is what sending it back gains.
    """

    card: str
    games: int
    by_player: int
    kept: Estimate
    sent: Estimate
    gain: Effect

    @property
    def share(self) -> float:
        """How often the player sends it back unasked."""
        return self.by_player / self.games


def redraws_of(
    cards: Sequence[str],
    tables: Sequence[Redraws],
    tallies: Sequence[Ints],
    together: int,
) -> tuple[Redraw, ...]:
    """Each of `cards` that was dealt, over all opponents, and last the player's choice.

    The intervals of `together` gains hold together (Bonferroni).
    """
    pairs = zip(tables, tallies, strict=True)
    moments = np.sum([table.moments(tally) for table, tally in pairs], axis=0)
    return tuple(
        redraw_of(card, row.tolist(), together)
        for card, row in zip((*cards, ""), moments, strict=True)
        if row[Moment.N]
    )


def redraw_of(card: str, moments: Sequence[int], together: int) -> Redraw:
    """The figures of a card by its moments; variances by linearisation over sets."""
    m = dict(zip(Moment, moments, strict=True))
    games, sets = m[Moment.N], m[Moment.SETS]
    kept = m[Moment.K] / (WHOLE * games)
    sent = m[Moment.R] / (WHOLE * games)
    # A set weighs k or r, less the mean times its games.
    of_kept = _variance(m, 1, 0, kept)
    of_sent = _variance(m, 0, 1, sent)
    of_gain = _variance(m, -1, 1, sent - kept)
    level = 1 - (1 - LEVEL) / together
    ends = bounded_interval(sent - kept, of_gain, sets, sets - 1, level=level)
    return Redraw(
        card,
        games,
        m[Moment.BY_PLAYER],
        _rate(kept, of_kept, sets, games),
        _rate(sent, of_sent, sets, games),
        Effect(sent - kept, ends),
    )


def _variance(m: dict[Moment, int], k: int, r: int, mean: float) -> float:
    """The variance of one set's part in the mean of `k` times K plus `r` times R."""
    n = -WHOLE * mean
    total = (
        k * k * m[Moment.KK]
        + r * r * m[Moment.RR]
        + n * n * m[Moment.NN]
        + 2 * (k * r * m[Moment.KR] + k * n * m[Moment.NK] + r * n * m[Moment.NR])
    )
    sets, games = m[Moment.SETS], m[Moment.N]
    per_set = WHOLE * games / sets
    return max(0.0, total) / per_set**2 / max(1, sets - 1)


def _rate(value: float, variance: float, sets: int, games: int) -> Estimate:
    ends = bounded_mean_interval(value, variance, sets, within=(0.0, 1.0))
    return Estimate(value, ends, games)
