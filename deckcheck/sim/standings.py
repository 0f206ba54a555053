"""Matchups of two decks or lineups, and standings by their mean win rates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deckcheck.sim.documents import Split
from deckcheck.sim.figures import Row, low_high, round_figure
from deckcheck.sim.performances import Performance
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Combination, Estimate, Interval, average


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two entrants at a table alone, in games or matches."""

    table: TableResult
    """Their games, or their matches counted as games."""

    @property
    def a(self) -> str:
        """The first entrant."""
        return self.table.entrants[0]

    @property
    def b(self) -> str:
        """The second entrant."""
        return self.table.entrants[1]

    @property
    def wins_a(self) -> int:
        """The wins of the first entrant."""
        return self.table.first.wins

    @property
    def wins_b(self) -> int:
        """The wins of the second entrant."""
        return self.table.games - self.wins_a - self.draws

    @property
    def draws(self) -> int:
        """The drawn games or matches."""
        return self.table.draws

    def win_rate(self, name: str) -> Estimate:
        """Return the win rate of `name`, one of the two."""
        share = self.table.first.win_share
        assert share is not None
        return share if name == self.a else share.opposite()

    def share(self, name: str) -> Combination:
        """Return the win rate of `name` for means and differences."""
        share = self.table.first.share
        return share if name == self.a else share.opposite()

    def count_results(self, name: str) -> tuple[int, int, int]:
        """Return wins, losses and draws of `name`, one of the two."""
        if name == self.a:
            return self.wins_a, self.wins_b, self.draws
        return self.wins_b, self.wins_a, self.draws


@dataclass(frozen=True, slots=True)
class Matchup(Meeting):
    """Two decks at a table of their own, counted from the side of the first."""

    @property
    def games(self) -> int:
        """All games of the two."""
        return self.table.games

    @property
    def win_rate_a(self) -> float:
        """The win rate of deck a, where a draw counts half."""
        return self.table.first.share.value

    @property
    def interval(self) -> Interval:
        """The interval of `win_rate_a`, by game pairs."""
        return self.win_rate(self.a).interval

    @property
    def a_starts(self) -> Split:
        """The games that deck a started."""
        return _split(self.table.in_seat(0, 0))

    @property
    def b_starts(self) -> Split:
        """The games that deck b started."""
        return _split(self.table.in_seat(0, 1))

    @property
    def pairs(self) -> tuple[int, ...]:
        """How many pairs brought deck a 0, 1, 2, 3 and 4 half-points."""
        return self.table.first.scores

    @property
    def rounds_mean(self) -> float:
        """Rounds per game."""
        return self.table.rounds_mean

    @property
    def turns_mean(self) -> float:
        """Moves per game, of both players."""
        return self.table.turns_mean

    @property
    def cards_left_a_mean(self) -> float:
        """Cards in the hand of deck a at the end, per game."""
        return self.table.first.cards_left or 0.0

    @property
    def cards_left_b_mean(self) -> float:
        """Cards in the hand of deck b at the end, per game."""
        return self.table.performances[1].cards_left or 0.0

    def swap_sides(self) -> Matchup:
        """Return the games counted from the opponent's side."""
        return Matchup(self.table.swap_sides())


MIN_GAMES_FOR_INTERVAL = 30
"""Games with one deck starting, below which an interval of the rate is too narrow."""


def _split(a: Performance) -> Split:
    """Return the games of deck a in one seat, where a shared place is a draw."""
    win_rate, interval = None, None
    if a.win_share is not None and a.games >= MIN_GAMES_FOR_INTERVAL:
        win_rate, interval = a.win_share.value, a.win_share.interval
    return Split(
        games=a.games,
        wins_a=a.wins,
        wins_b=a.games - a.wins - a.shared,
        draws=a.shared,
        win_rate_a=win_rate,
        interval=interval,
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """A deck's place in a round robin: its mean win rate over all opponents.

    Every opponent weighs the same. Games of the deck against itself do not count.
    """

    deck: str
    win_rate: float
    interval: Interval
    games: int
    wins: int
    losses: int
    draws: int
    mean: Combination = field(repr=False, compare=False, default_factory=Combination)
    """The mean win rate for differences, since two decks share their own matchup."""

    @property
    def row(self) -> Row:
        """The standing as a row of a table of standings."""
        return {
            "deck": self.deck,
            "win_rate": round_figure(self.win_rate),
            **low_high(self.interval),
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
        }

    @property
    def estimate(self) -> Estimate:
        """The mean win rate with its interval."""
        return Estimate(self.win_rate, self.interval, self.games)


def rank_entrants(names: Iterable[str], matchups: Sequence[Meeting]) -> list[Standing]:
    """Return the decks, or lineups, by mean win rate, the best first.

    Those that met no other are left out.
    """
    by_name: dict[str, list[Meeting]] = defaultdict(list)
    for matchup in matchups:
        if matchup.a != matchup.b:
            by_name[matchup.a].append(matchup)
            by_name[matchup.b].append(matchup)
    table = [_make_standing(name, by_name[name]) for name in names if by_name[name]]
    return sorted(table, key=lambda standing: -standing.win_rate)


def _make_standing(name: str, matchups: Sequence[Meeting]) -> Standing:
    wins = losses = draws = 0
    for matchup in matchups:
        won, lost, drawn = matchup.count_results(name)
        wins += won
        losses += lost
        draws += drawn
    mean = average([matchup.share(name) for matchup in matchups])
    rate = mean.estimate()
    return Standing(
        name, rate.value, rate.interval, rate.games, wins, losses, draws, mean
    )
