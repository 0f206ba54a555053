"""How an entrant did, or a seat: counts, and means with intervals from sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from deckcheck.playing.kernel import (
    Ints,
    SeatColumns,
)
from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    anytime_mean_interval,
    mean_interval,
    mean_score,
)
from deckcheck.stats.intervals import bounded_mean_interval

# How an entrant did, or a seat: counts, and means with intervals from sums.


class Sums(NamedTuple):
    """The sum of a figure over games, and of its squares over sets or games."""

    total: int
    squares: int


NO_SUMS = Sums(0, 0)


@dataclass(frozen=True)
class Performance:
    """The results of an entrant, of a seat, or of an entrant in one seat.

    A win counts 1 in the win share, split evenly among entrants who share first place.
    Statistics that take a moment are computed on demand.
    """

    games: int
    wins: int
    """First places that nobody shared."""
    shared: int
    """First places shared with others."""
    scores: tuple[int, ...]
    """How often a set brought `i` equal parts of the wins that it could bring, in a
    duel half-points. For an entrant in one seat, how often a game did.
    """
    cards_left: float | None = None
    """The mean number of cards in hand at the end of a game, None without any."""
    worth: float = 1.0
    """The number of independent observations that each set is worth."""
    anytime: bool = False
    """Whether the games were looked at before their number was known, which makes
    intervals wider.
    """
    observed: int = 0
    """The number of sets or games behind `places` and `scored`."""
    places: Sums = NO_SUMS
    """The sums of places."""
    scored: Sums = NO_SUMS
    """The sums of points."""
    last_place: int = 2
    """The largest place."""

    @cached_property
    def win_share(self) -> Estimate | None:
        """The win share, or None without any game."""
        return self.share.estimate() if self.games else None

    @cached_property
    def share(self) -> Combination:
        """The win share for means and differences, which needs a game."""
        return Combination.of(Sample(self.scores, self.games, self.worth, self.anytime))

    @property
    def variance(self) -> float:
        """The variance of the win share of a set."""
        squares = sum(n * i * i for i, n in enumerate(self.scores))
        steps, total = len(self.scores) - 1, sum(self.scores)
        return squares / (total * steps**2) - mean_score(self.scores) ** 2

    @property
    def points(self) -> Estimate | None:
        """The mean points of a game by its rules, or None without any game."""
        return self._mean(self.scored) if self.games else None

    @property
    def place(self) -> Estimate | None:
        """The mean place from 1, where equals share the better place, or None without
        games.
        """
        if not self.games:
            return None
        mean_place, observed = self._mean(self.places), self.observed
        total, squares = self.places
        spread = max(0.0, squares - total * total / observed) / max(1, observed - 1)
        per_game = observed / self.games
        low, high = bounded_mean_interval(
            mean_place.value,
            spread * per_game**2,
            observed,
            self.worth,
            within=(1, self.last_place),
        )
        if self.anytime:
            low = max(1.0, min(low, mean_place.interval.low))
            high = min(self.last_place, max(high, mean_place.interval.high))
        return Estimate(mean_place.value, Interval(low, high), self.games)

    def _mean(self, sums: Sums) -> Estimate:
        """Return the mean per game of a sum over independent observations."""
        interval_of = anytime_mean_interval if self.anytime else mean_interval
        interval = interval_of(*sums, self.observed, self.worth)
        per_game = self.observed / self.games
        return Estimate(sums.total / self.games, interval.scale(per_game), self.games)


def read_performance(
    row: Ints, cells: int, entrants: int, rotation: int, *, anytime: bool
) -> Performance:
    """Return the performance in a row of the tally, with sums over `rotation` games.

    `cells` is the number of cells of shares, `entrants` the number of cells of places.
    """
    counts: list[int] = row.tolist()
    games = counts[SeatColumns.GAMES]
    scores = tuple(counts[SeatColumns.SHARES :][:cells])
    if games == 0:
        return Performance(0, 0, 0, scores, anytime=anytime)
    return Performance(
        games=games,
        wins=counts[SeatColumns.WINS],
        shared=counts[SeatColumns.SHARED],
        scores=scores,
        cards_left=counts[SeatColumns.CARDS_LEFT] / games,
        # An entrant that chooses who begins may sit in one seat several times in a set.
        # These games share their shuffles and are counted as if they always ended
        # alike, the worst case; in rows of whole sets this is the rule and changes
        # nothing.
        worth=games * rotation / counts[SeatColumns.GAMES_SQUARED],
        anytime=anytime,
        observed=games // rotation,
        places=Sums(counts[SeatColumns.PLACES], counts[SeatColumns.PLACES_SQUARED]),
        scored=Sums(counts[SeatColumns.POINTS], counts[SeatColumns.POINTS_SQUARED]),
        last_place=entrants,
    )
