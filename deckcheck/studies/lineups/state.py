"""What the choice of a lineup knows while it is under way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from deckcheck.sim.matches.selection import Values
from deckcheck.stats import Combination, Interval
from deckcheck.studies.lineups.choice import Choice
from deckcheck.studies.lineups.pool import Members, Pool


@dataclass(frozen=True, slots=True)
class Opening:
    """How to choose for game 1, by places in the pool.

    That is the deck to choose first, and pairs of a deck of the opponent with the reply
    to it.
    """

    first: int
    replies: tuple[tuple[int, int], ...]


@dataclass
class LineupsState:
    """What a run knows so far.

    `chances` are those of the decks, see `chances_of`. `rates` and `confirmed` are
    those of fresh matches, by the places of both lineups in `named` and in `opponents`;
    `deck_games` are the games in those of the best lineup, by the decks that met.
    """

    pool: Pool
    chances: Values = field(default_factory=lambda: np.empty((0, 0)))
    choice: Choice = field(default_factory=lambda: Choice({}, {}))
    opponents: list[Members] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    share_intervals: dict[int, Interval] = field(default_factory=dict)
    rates: dict[tuple[int, int], Combination] = field(default_factory=dict)
    confirmed: dict[tuple[int, int], Combination] = field(default_factory=dict)
    deck_games: dict[tuple[int, int], int] = field(default_factory=dict)
    pair_games: int = 0
    matches: int = 0
    games_played: int = 0

    @property
    def named(self) -> list[Members]:
        """The lineups that are measured in fresh matches."""
        return [self.pool.own[i] for i in self.choice.promised]

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """Who plays fresh matches, by the places in `named` and in `opponents`.

        A lineup of the mix does not play itself, and two of them play once.
        """
        mixed = len(self.choice.shares)
        return [
            (row, column)
            for row in range(len(self.named))
            for column in range(len(self.opponents))
            if not mixed or column < min(row, mixed)
        ]
