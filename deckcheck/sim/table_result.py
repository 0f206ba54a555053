"""What came of games at tables: win shares, places and points, also by seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deckcheck.sim.result import SimulatedDeck
from deckcheck.stats import Estimate

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PlayedTable", "Showing", "TableResult"]


@dataclass(frozen=True, slots=True)
class Showing:
    """How an entrant did, or a seat, or an entrant in one seat.

    `wins` are first places of its own, `shared` those shared with others. A win counts
    1 in the win share, split evenly among those who share it. Places count from 1,
    equals share the better one; points are those of the game's rules. All three are
    means per game, None without any game.
    """

    games: int
    wins: int
    shared: int
    win_share: Estimate | None
    place: Estimate | None
    points: Estimate | None


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """All games of one table.

    `entrants` are the names of who can win: decks, teams, or a deck and the automa.
    `showings` are theirs, `seats` those of the seats (0 began), and `by_seat[i][k]` is
    what entrant i did in seat k. A set is the same shuffles once with each seat
    beginning, and the unit of all intervals. `draws` are games in which all shared the
    first place.
    """

    entrants: tuple[str, ...]
    games: int
    sets: int
    draws: int
    showings: tuple[Showing, ...]
    seats: tuple[Showing, ...]
    by_seat: tuple[tuple[Showing, ...], ...]
    rounds_mean: float
    turns_mean: float

    @property
    def even_share(self) -> float:
        """The win share of entrants that are all alike."""
        return 1 / len(self.entrants)


@dataclass(frozen=True, slots=True)
class TableResult:
    """A finished simulation of games at tables.

    `games` is the number for each table, `rotation` how many make a set. `policies` are
    those of the players, each named once. Checksum and digest are as in
    `SimulationResult`.
    """

    format: str
    snapshot: str
    decks: tuple[SimulatedDeck, ...]
    games: int
    rotation: int
    seed: int
    policies: tuple[str, ...]
    tables: tuple[PlayedTable, ...]
    checksum: str
    digest: str
    seconds: float
    jobs: int

    @property
    def games_played(self) -> int:
        """The games of all tables together."""
        return sum(table.games for table in self.tables)

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
        from deckcheck.sim.table_document import as_dict

        return as_dict(self)

    def to_rows(self) -> list[dict[str, str | int | float | None]]:
        """Return one flat row for each entrant of each table, for csv and frames."""
        from deckcheck.sim.table_document import as_rows

        return as_rows(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each entrant; columns as in `--output-format csv`."""
        from deckcheck.sim.frames import frame_of

        return frame_of(self.to_rows())
