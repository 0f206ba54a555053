"""What a simulation found: matchups with intervals, and how they were played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deckcheck.stats import Estimate, Interval, mean_estimate

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Matchup", "SimulatedDeck", "SimulationResult", "Split", "Standing"]


@dataclass(frozen=True, slots=True)
class SimulatedDeck:
    """A deck of the run: its name there, its source, who played it, and its verdict.

    `name` is unique within the run. `findings` counts the errors that make the deck
    illegal; it is 0 for a legal deck.
    """

    name: str
    path: str
    index: int
    faction: str | None
    leader: str | None
    policy: str
    findings: int

    @property
    def legal(self) -> bool:
        """Whether the deck is legal in the format of the run."""
        return self.findings == 0


@dataclass(frozen=True, slots=True)
class Split:
    """The games of a matchup that one of the two decks started.

    `win_rate_a` counts a draw half. It and its interval are None when the deck never
    started: a deck that may choose who begins can see to that.
    """

    games: int
    wins_a: int
    wins_b: int
    draws: int
    win_rate_a: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Matchup:
    """All games of deck `a` against deck `b`, counted from the side of `a`.

    `win_rate_a` counts a draw half; its `interval` is that of mirrored pairs.
    `pairs[i]` is how many pairs brought deck a `i` half-points: 0 lost both games, 4
    won both. Means are per game; cards left are those in hand at the end.
    """

    a: str
    b: str
    games: int
    wins_a: int
    wins_b: int
    draws: int
    win_rate_a: float
    interval: Interval
    a_starts: Split
    b_starts: Split
    pairs: tuple[int, int, int, int, int]
    rounds_mean: float
    cards_left_a_mean: float
    cards_left_b_mean: float
    turns_mean: float

    def win_rate(self, deck: str) -> Estimate:
        """Return the win rate of `deck`, which is one of the two."""
        if deck == self.a:
            return Estimate(self.win_rate_a, self.interval, self.games)
        low, high = self.interval
        return Estimate(1 - self.win_rate_a, Interval(1 - high, 1 - low), self.games)

    def points(self, deck: str) -> tuple[int, int, int]:
        """Return wins, losses and draws of `deck`, which is one of the two."""
        if deck == self.a:
            return self.wins_a, self.wins_b, self.draws
        return self.wins_b, self.wins_a, self.draws


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


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """A finished simulation.

    `games` is the number of games of each matchup. `checksum` depends on every game
    played and on nothing else: the same decks, format, policies, seed and games give
    the same one on any machine. `digest` is a short hash of rules and card data.
    """

    format: str
    snapshot: str
    decks: tuple[SimulatedDeck, ...]
    games: int
    seed: int
    matchups: tuple[Matchup, ...]
    checksum: str
    digest: str
    seconds: float
    jobs: int

    @property
    def games_played(self) -> int:
        """The games of all matchups together."""
        return sum(matchup.games for matchup in self.matchups)

    @property
    def games_per_second(self) -> float:
        """Games played per second of wall time, the start of workers included."""
        return self.games_played / self.seconds if self.seconds else 0.0

    @property
    def policies(self) -> Mapping[str, str]:
        """Who played each deck."""
        return {deck.name: deck.policy for deck in self.decks}

    @property
    def illegal(self) -> tuple[SimulatedDeck, ...]:
        """The decks that played although they are illegal."""
        return tuple(deck for deck in self.decks if not deck.legal)

    def matchup(self, a: str, b: str) -> Matchup:
        """Return the games of decks `a` and `b`, named in any order.

        Raises KeyError when the two did not meet.
        """
        for matchup in self.matchups:
            if {matchup.a, matchup.b} == {a, b}:
                return matchup
        raise KeyError(f"`{a}` and `{b}` did not meet")

    def standings(self) -> list[Standing]:
        """Return the decks by mean win rate, the best first."""
        table = [_standing(deck.name, self.matchups) for deck in self.decks]
        met = [standing for standing in table if standing is not None]
        return sorted(met, key=lambda standing: -standing.win_rate)

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data, as `--output-format json` prints it."""
        from deckcheck.sim.document import as_dict

        return as_dict(self)

    def to_rows(self) -> list[dict[str, str | int | float | None]]:
        """Return one flat row for each matchup, in the order they were played."""
        from deckcheck.sim.document import as_row

        return [as_row(matchup) for matchup in self.matchups]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each matchup; columns as in `--output-format csv`."""
        from deckcheck.sim.frames import frame_of

        return frame_of(self.to_rows())

    def to_matrix(self) -> pd.DataFrame:
        """Return win rates, the deck of the row against the deck of the column."""
        from deckcheck.sim.frames import matrix_frame

        return matrix_frame(self)

    def to_standings(self) -> pd.DataFrame:
        """Return the standings, one row for each deck, the best first."""
        from deckcheck.sim.frames import standings_frame

        return standings_frame(self)


def _standing(deck: str, matchups: tuple[Matchup, ...]) -> Standing | None:
    met = [m for m in matchups if deck in (m.a, m.b) and m.a != m.b]
    if not met:
        return None
    mean = mean_estimate([m.win_rate(deck) for m in met])
    wins, losses, draws = (
        sum(column) for column in zip(*(m.points(deck) for m in met), strict=True)
    )
    return Standing(deck, mean.value, mean.interval, mean.games, wins, losses, draws)
