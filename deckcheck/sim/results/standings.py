"""The decks of a round robin, ranked by their mean win rate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deckcheck.sim.results.figures import Row, low_high, rounded
from deckcheck.sim.results.played import Matchup
from deckcheck.stats import Combination, Estimate, Interval, mean_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A deck's place in a round robin: its mean win rate over all opponents.

    Every opponent weighs the same. Games of the deck against itself do not count.
    `mean` is the rate as it goes into differences: two decks share their own matchup.
    """

    deck: str
    win_rate: float
    interval: Interval
    games: int
    wins: int
    losses: int
    draws: int
    mean: Combination = field(repr=False, compare=False, default_factory=Combination)

    @property
    def row(self) -> Row:
        """The standing as a row of a table of standings."""
        return {
            "deck": self.deck,
            "win_rate": rounded(self.win_rate),
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


def standings(decks: Iterable[str], matchups: Sequence[Matchup]) -> list[Standing]:
    """Return the decks that met another, the best first."""
    of_deck: dict[str, list[Matchup]] = defaultdict(list)
    for matchup in matchups:
        if matchup.a != matchup.b:
            of_deck[matchup.a].append(matchup)
            of_deck[matchup.b].append(matchup)
    table = [_standing(deck, of_deck[deck]) for deck in decks]
    met = [standing for standing in table if standing is not None]
    return sorted(met, key=lambda standing: -standing.win_rate)


def _standing(deck: str, met: Sequence[Matchup]) -> Standing | None:
    if not met:
        return None
    mean = mean_of([m.share(deck) for m in met])
    rate = mean.estimate()
    wins, losses, draws = (
        sum(column) for column in zip(*(m.points(deck) for m in met), strict=True)
    )
    return Standing(
        deck, rate.value, rate.interval, rate.games, wins, losses, draws, mean
    )
