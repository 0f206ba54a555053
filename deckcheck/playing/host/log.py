"""A row for each game, where somebody wants to know them one by one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from deckcheck.playing.kernel import Game
from deckcheck.playing.tally import Ints


@dataclass(slots=True)
class GameLog:
    """The games of some sets, in the order in which they were played.

    Of a game that crashed only what was to be played is there.
    """

    _begun: list[Ints] = field(default_factory=list)
    _of_set: list[Ints] = field(default_factory=list)
    _outcomes: list[Ints] = field(default_factory=list)

    def begin(self, games: Ints, of_set: Ints) -> None:
        """Note games that begin; `of_set` says which of their set they belong to."""
        self._begun.append(games)
        self._of_set.append(of_set)

    def end(self, outcomes: Ints) -> None:
        """Record the outcomes of the games that began last."""
        self._outcomes.append(outcomes)

    def begun_last(self, at: int) -> int:
        """Which game of its set game `at` is of those that began last; 0 for none."""
        return int(self._of_set[-1][at]) if self._of_set else 0

    @property
    def games(self) -> Ints:
        """What was played: a row with the columns of `Game` for each."""
        return np.concatenate(self._begun)

    @property
    def of_set(self) -> Ints:
        """Which game of a set each is, or belongs to where matches are counted."""
        return np.concatenate(self._of_set)

    def rows(self) -> Ints:
        """All games that ended, set by set: `of_set`, then `games`, then `outcomes`.

        Those of one match stay in the order in which they were played.
        """
        games, of_set = self.games, self.of_set
        order = np.lexsort((of_set, games[:, Game.COUNTER]))
        joined: Ints = np.column_stack((of_set, games, self.outcomes))
        return joined[order]

    def last_outcomes(self, games: int) -> Ints:
        """The outcomes of the last `games` games that ended."""
        first, outcomes = len(self._outcomes), 0
        while outcomes < games:
            first -= 1
            outcomes += len(self._outcomes[first])
        return np.concatenate(self._outcomes[first:])[outcomes - games :]

    @property
    def outcomes(self) -> Ints:
        """The outcome of each game that ended: a row with the columns of `Outcome`."""
        return np.concatenate(self._outcomes)
