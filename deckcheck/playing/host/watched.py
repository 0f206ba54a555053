"""A table at which the hand of the second player is watched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from deckcheck.engine.errors import CrashedGame, GameDoesNotEnd, UnplayedCode
from deckcheck.playing.counting import count_sets
from deckcheck.playing.host.cells import TableWithCells, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import records_of
from deckcheck.playing.host.versions import ROTATION, VERSION, scores_of
from deckcheck.playing.kernel import Game, Outcome
from deckcheck.playing.tally import Ints, new_tally, whole
from deckcheck.playing.watching import Seen, watch_games

CARDS = 4096  # no game has as many


class Moment(IntEnum):
    """What is summed over sets, of a card and a way to see it.

    N are the games of a set that saw it, H the half-points in these, S all of the set.
    """

    N = 0
    H = 1
    NN = 2
    NH = 3
    HH = 4
    NS = 5
    HS = 6


@dataclass(frozen=True)
class Watched(TableWithCells):
    """A table of two, and the cards of its second player that are watched, by number.

    A tally is that of the table, and below it the moments of each card and way.
    """

    cards: tuple[int, ...]

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return f"{self.table.engine}-watched"

    @property
    def cells(self) -> int:
        """The moments of each card and way."""
        return len(self.cards) * len(Seen) * len(Moment)

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets from `first_set` on; tallies are added by `+`.

        Raises CrashedGame for a game that could not be played to its end.
        """
        numbers = np.arange(first_set, first_set + sets)
        games = self.table.games_of_sets(number, numbers)
        if log is not None:
            log.begin(games, games[:, Game.BEGINNER])
        outcomes, seen = self._watch(seed, games)
        if log is not None:
            log.end(outcomes)
        tally = new_tally(2, ROTATION)
        who = np.array(self.entrant_in, np.int64)[games[:, Game.CONTEXT]]
        sums = np.zeros_like(tally)
        of_set = games[:, Game.COUNTER]
        count_sets(outcomes, who, of_set, ROTATION, whole(2), tally, sums)
        return with_cells(tally, _moments(seen, outcomes))

    def moments(self, tally: Ints) -> Ints:
        """The sums `[card, way, moment]` of a tally."""
        return self.cells_of(tally).reshape(-1, len(Seen), len(Moment))

    def _watch(self, seed: int, games: Ints) -> tuple[Ints, Ints]:
        outcomes = np.empty((len(games), Outcome.PLACE + 8), np.int64)
        seen = np.zeros((len(games), len(self.cards), len(Seen)), np.int64)
        slots = np.full(CARDS, -1, np.int64)
        slots[list(self.cards)] = np.arange(len(self.cards))
        held = np.zeros((2, len(self.cards)), np.int64)
        at = np.zeros(1, np.int64)
        try:
            with records_of(self.table) as records:
                watch_games(
                    *(*records, seed, games, outcomes),
                    *(VERSION, slots, seen, held, at),
                )
        except (IndexError, GameDoesNotEnd, UnplayedCode) as error:
            raise CrashedGame(f"a game crashed ({error})", int(at[0])) from error
        return outcomes, seen


def _moments(seen: Ints, outcomes: Ints) -> Ints:
    """The moments of whole sets, one after the other in `seen` and `outcomes`."""
    cards, ways = seen.shape[1:]
    points = scores_of(outcomes, by_game=True)
    flagged = seen.reshape(-1, ROTATION, cards, ways)
    scored = points.reshape(-1, ROTATION)
    n = flagged.sum(axis=1)
    h = (flagged * scored[:, :, None, None]).sum(axis=1)
    s = scored.sum(axis=1)[:, None, None]
    columns = [n, h, n * n, n * h, h * h, n * s, h * s]
    return np.stack([column.sum(axis=0) for column in columns], axis=-1)
