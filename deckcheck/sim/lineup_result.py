"""What came of tournament matches: match rates, first choices, decks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deckcheck.sim.result import Matchup, SimulatedDeck
from deckcheck.stats import Estimate

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DeckInMatch", "LineupResult", "PlayedMatch", "SimulatedLineup"]


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
    it was played; `rate` is its win rate in these, None without any. The interval takes
    games as independent. `against[i]` are lost, drawn and won games against each deck.
    """

    name: str
    opened: int
    games: int
    wins: int
    draws: int
    rate: Estimate | None
    against: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """All matches of lineup `a` against lineup `b`.

    `rate_a` is the match win rate of a, a drawn match counts half; its interval is that
    of mirrored pairs. `a_first` and `b_first` are the same for matches in which that
    lineup chose first in game 1. `first_choice` is the match win rate of whoever chose
    first in game 1, `chose_first` the win rate in single games of whoever chose first
    there. `games_won` are the mean games won per match. `value` is what the chances
    promise a when both choose best, None where no chances were known.
    """

    a: str
    b: str
    matches: int
    wins_a: int
    wins_b: int
    draws: int
    rate_a: Estimate
    a_first: Estimate
    b_first: Estimate
    first_choice: Estimate
    chose_first: Estimate
    games: int
    games_drawn: int
    games_won: tuple[float, float]
    decks_a: tuple[DeckInMatch, ...]
    decks_b: tuple[DeckInMatch, ...]
    value: float | None


@dataclass(frozen=True, slots=True)
class LineupResult:
    """A finished simulation of tournament matches.

    `games` is the number of matches for each pair of lineups. `matchups` are the decks
    against each other as they were measured before, empty if that was not needed;
    `chances_from` is the file that took its place, if one was given. Checksum and
    digest are as in `SimulationResult`.
    """

    format: str
    snapshot: str
    decks: tuple[SimulatedDeck, ...]
    lineups: tuple[SimulatedLineup, ...]
    games: int
    seed: int
    matches: tuple[PlayedMatch, ...]
    matchups: tuple[Matchup, ...]
    chances_from: str | None
    checksum: str
    digest: str
    seconds: float
    jobs: int

    @property
    def games_played(self) -> int:
        """The games of all matches together, and those of measuring."""
        measured = sum(matchup.games for matchup in self.matchups)
        return measured + sum(match.games for match in self.matches)

    @property
    def games_per_second(self) -> float:
        """Games played per second of wall time, the start of workers included."""
        return self.games_played / self.seconds if self.seconds else 0.0

    @property
    def illegal(self) -> tuple[SimulatedDeck, ...]:
        """The decks that played although they are illegal."""
        return tuple(deck for deck in self.decks if not deck.legal)

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data, as `--output-format json` prints it."""
        from deckcheck.sim.lineup_document import as_dict

        return as_dict(self)

    def to_rows(self) -> list[dict[str, str | int | float | None]]:
        """Return one flat row for each deck of each match, for csv and frames."""
        from deckcheck.sim.lineup_document import as_rows

        return as_rows(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each deck; columns as in `--output-format csv`."""
        from deckcheck.sim.frames import frame_of

        return frame_of(self.to_rows())
