"""Results of tournament matches: match rates, first choices, decks."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.sim.results.performance import Performance
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Estimate


@dataclass(frozen=True, slots=True)
class SimulatedLineup:
    """A lineup of the run: its name, the names of its decks, how they were chosen."""

    name: str
    decks: tuple[str, ...]
    selection: str


@dataclass(frozen=True, slots=True)
class DeckInMatch:
    """A deck of a lineup in the matches against another.

    `opened` is in how many matches it was chosen for game 1, `games` in how many games
    it was played; `rate` is its win rate in these, None without any. Its interval
    counts the two games of a mirrored pair as one. `against[i]` are lost, drawn and won
    games against each deck.
    """

    name: str
    opened: int
    games: int
    wins: int
    draws: int
    rate: Estimate | None
    against: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """All matches of lineup `a` against lineup `b`.

    `table` counts matches as a table counts games: who chose first in game 1 is in seat
    0, points are games won, and a mirrored pair of matches is a set. `chose_first` is
    the win rate in single games of the side that chose first. `value` is what the
    chances promise a when both choose best, None where no chances were known.
    """

    table: TableResult
    games: int
    games_drawn: int
    chose_first: Estimate
    decks_a: tuple[DeckInMatch, ...]
    decks_b: tuple[DeckInMatch, ...]
    value: float | None

    @property
    def a(self) -> str:
        """The lineup named first."""
        return self.table.entrants[0]

    @property
    def b(self) -> str:
        """The other lineup."""
        return self.table.entrants[1]

    @property
    def matches(self) -> int:
        """All matches of the two."""
        return self.table.games

    @property
    def wins_a(self) -> int:
        """Matches that lineup a won."""
        return self.table.performances[0].wins

    @property
    def wins_b(self) -> int:
        """Matches that lineup b won."""
        return self.table.performances[1].wins

    @property
    def draws(self) -> int:
        """Matches that nobody won."""
        return self.table.draws

    @property
    def rate_a(self) -> Estimate:
        """The match win rate of a, a drawn match counts half; by mirrored pairs."""
        return _rate(self.table.performances[0])

    @property
    def a_first(self) -> Estimate:
        """The same for the matches in which a chose first in game 1."""
        return _rate(self.table.by_seat[0][0])

    @property
    def b_first(self) -> Estimate:
        """The same for the matches in which b chose first in game 1."""
        return _rate(self.table.by_seat[0][1])

    @property
    def first_choice(self) -> Estimate:
        """The match win rate of the side that chose first in game 1."""
        return _rate(self.table.seats[0])


def _rate(performance: Performance) -> Estimate:
    assert performance.win_share is not None
    return performance.win_share
