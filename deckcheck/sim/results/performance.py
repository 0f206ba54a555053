"""How an entrant did, or a seat: counts, and means with intervals from sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from deckcheck.playing.tally import Ints, Part
from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    anytime_mean_interval,
    mean_interval,
    mean_score,
)
from deckcheck.stats.bounded import bounded_mean_interval


class Sums(NamedTuple):
    """The sum of a figure over games, and of its squares over sets or games."""

    total: int
    squares: int


NOTHING = Sums(0, 0)


@dataclass(frozen=True)
class Performance:
    """How an entrant did, or a seat, or an entrant in one seat.

    `wins` are first places of its own, `shared` those shared with others. A win counts
    1 in the win share, split evenly among those who share it. `cards_left` is the mean
    number of cards in hand at the end of a game, None without any.
    `scores[i]` is how often a set brought `i` equal parts of the wins that it could
    bring (in a duel half-points); for an entrant in one seat, how often a game did.
    Each of these counts as `worth` independent ones. `anytime` says that the games were
    looked at before their number was known, for which intervals must be wider.
    `places` and `scored` are the sums of places and points in `observed` sets or games;
    places go up to `last_place`. What takes a moment is found on demand.
    """

    games: int
    wins: int
    shared: int
    scores: tuple[int, ...]
    cards_left: float | None = None
    worth: float = 1.0
    anytime: bool = False
    observed: int = 0
    places: Sums = NOTHING
    scored: Sums = NOTHING
    last_place: int = 2

    @cached_property
    def win_share(self) -> Estimate | None:
        """The win share; None without any game."""
        return self.share.estimate() if self.games else None

    @cached_property
    def share(self) -> Combination:
        """The win share as it goes into means and differences; needs a game."""
        return Combination.of(Sample(self.scores, self.games, self.worth, self.anytime))

    @property
    def variance(self) -> float:
        """The variance of the win share of one set."""
        squares = sum(n * i * i for i, n in enumerate(self.scores))
        steps, total = len(self.scores) - 1, sum(self.scores)
        return squares / (total * steps**2) - mean_score(self.scores) ** 2

    @property
    def points(self) -> Estimate | None:
        """The mean points of a game, by its rules; None without any game."""
        return self._mean(self.scored) if self.games else None

    @property
    def place(self) -> Estimate | None:
        """The mean place, from 1, equals share the better one; None without games."""
        if not self.games:
            return None
        place, observed = self._mean(self.places), self.observed
        total, squares = self.places
        spread = max(0.0, squares - total * total / observed) / max(1, observed - 1)
        per_game = observed / self.games
        low, high = bounded_mean_interval(
            place.value,
            spread * per_game**2,
            observed,
            self.worth,
            within=(1, self.last_place),
        )
        if self.anytime:
            low, high = min(low, place.interval.low), max(high, place.interval.high)
        return Estimate(place.value, Interval(low, high), self.games)

    def _mean(self, sums: Sums) -> Estimate:
        """The mean per game of what was summed over independent observations."""
        interval_of = anytime_mean_interval if self.anytime else mean_interval
        interval = interval_of(*sums, self.observed, self.worth)
        per_game = self.observed / self.games
        return Estimate(sums.total / self.games, interval.scaled(per_game), self.games)


def performance_of(
    row: Ints, cells: int, entrants: int, rotation: int, *, anytime: bool
) -> Performance:
    """What a row of the tally says; it counts sums over `rotation` games at a time.

    `cells` is the number of cells of shares, `entrants` that of places.
    """
    counts: list[int] = row.tolist()
    games, scores = counts[Part.GAMES], tuple(counts[Part.SHARES :][:cells])
    if games == 0:
        return Performance(0, 0, 0, scores, anytime=anytime)
    return Performance(
        games=games,
        wins=counts[Part.WINS],
        shared=counts[Part.SHARED],
        scores=scores,
        cards_left=counts[Part.CARDS_LEFT] / games,
        # An entrant that chooses who begins may sit in one seat several times in a set.
        # These games share their shuffles and are counted as if they always ended
        # alike, the worst case; in rows of whole sets this is the rule and changes
        # nothing.
        worth=games * rotation / counts[Part.GAMES_SQUARED],
        anytime=anytime,
        observed=games // rotation,
        places=Sums(counts[Part.PLACES], counts[Part.PLACES_SQUARED]),
        scored=Sums(counts[Part.POINTS], counts[Part.POINTS_SQUARED]),
        last_place=entrants,
    )
