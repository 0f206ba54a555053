"""Which games are played for training, and how players are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.training.fitting import Positions
from benchmarks.training.recording import PLANS, Noted, Plan, Who, record_games
from benchmarks.training.tables import (
    GAME,
    HEURISTICS,
    VARIANT,
    new_works,
    set_tables,
)
from deckcheck.playing.host.table import new_states
from deckcheck.policies.learned.network import ONE

__all__ = ["Club", "Score", "Settings", "Where"]

Ints = npt.NDArray[np.int64]

FIRST, HEURISTIC, DUMMY = Who.FIRST, Who.HEURISTIC, Who.SANE_RANDOM
ONE_SEAT, OTHER_SEAT, BOTH = 1, 2, 3  # whose positions are noted
MEETINGS = (
    *[(FIRST, FIRST, BOTH)] * 5,
    *[(FIRST, HEURISTIC, ONE_SEAT), (HEURISTIC, FIRST, OTHER_SEAT)] * 2,
    (FIRST, DUMMY, ONE_SEAT),
)
"""Of how many games in turn: who sits where, and whose positions are noted."""


@dataclass(frozen=True)
class Where:
    """On sample or on random decks, and by which of the heuristics."""

    samples: bool
    heuristic: int = 0

    def __str__(self) -> str:
        return f"{'sample' if self.samples else 'random'} decks"


@dataclass(frozen=True)
class Settings:
    """How games are played for their positions, in per cent.

    `walk` of the moves are at random in games that begin so, `keep` of the positions
    are kept, and `trust` is put in the end of a game against the values found on the
    way.
    """

    walk: int
    keep: int
    trust: int


@dataclass(frozen=True)
class Score:
    """The share of points in mirrored games, with half its interval of 95 %."""

    share: float
    half: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.half:.1f} %"


class Club:
    """Decks and players that meet for training."""

    def __init__(self, seed: int, decks: int, pairs: int) -> None:
        """Meet with sample decks, and so many pairs of so many random decks."""
        self.tables = set_tables(seed, decks, pairs)
        self.works = new_works()
        self.states = new_states(GAME, VARIANT, 1)

    def positions(
        self, games: int, seed: int, learned: bool, how: Settings
    ) -> Positions:
        """Positions of games of the heuristics, or of the `learned` player.

        This one plays five of ten games against itself, the others against heuristics
        and once against a random player, whose positions then do not count.
        """
        plans = self.meetings(games, seed) if learned else self._plans(games, seed)
        features = self.works.features.shape[1]
        rows = np.zeros((games * 40 * how.keep // 100, features), np.int16)
        notes = np.zeros((len(rows), len(Noted)), np.int64)
        used, _ = self._play(plans, seed, rows, notes, how)
        worth = (notes[:used, Noted.WORTH] / ONE).astype(np.float32)
        return Positions(rows[:used], worth, notes[:used, Noted.STAGE])

    def meetings(self, games: int, seed: int) -> Ints:
        """Games of the learned player, with the opponents of `MEETINGS` in turn."""
        plans = self._plans(games, seed)
        for place, meeting in enumerate(MEETINGS):
            plans[place :: len(MEETINGS), Plan.FIRST_PLAYER :] = meeting
        return plans

    def compare(self, other: Who, pairs: int, seed: int, where: Where) -> Score:
        """The score of the first weights: each pair of decks, beginner and side."""
        chance = np.random.default_rng(seed)
        plans = np.zeros((4 * pairs, PLANS), np.int64)
        tables = self.tables.drawn(chance, pairs, where.samples, where.heuristic)
        plans[:, Plan.CONTEXT] = np.repeat(tables, 4)
        plans[:, Plan.COUNTER] = np.repeat(np.arange(pairs), 4)
        plans[:, Plan.BEGINNER] = np.tile([0, 1, 0, 1], pairs)
        plans[:, Plan.FIRST_PLAYER] = np.tile([FIRST, FIRST, other, other], pairs)
        plans[:, Plan.SECOND_PLAYER] = np.tile([other, other, FIRST, FIRST], pairs)
        features = self.works.features.shape[1]
        none = np.zeros((0, features), np.int16), np.zeros((0, len(Noted)), np.int64)
        _, results = self._play(plans, seed, *none, Settings(0, 0, 100))
        own = np.where(plans[:, Plan.FIRST_PLAYER] == FIRST, results, 2 - results) / 2
        share = own.reshape(pairs, 4).mean(axis=1)
        return Score(float(share.mean()), float(1.96 * share.std() / pairs**0.5))

    def _plans(self, games: int, seed: int) -> Ints:
        """Games of heuristics at tables by lot."""
        chance = np.random.default_rng(seed)
        plans = np.zeros((games, PLANS), np.int64)
        half = len(plans) // (2 * len(HEURISTICS)) + 1
        drawn = [
            self.tables.drawn(chance, half, samples, heuristic)
            for heuristic in range(len(HEURISTICS))
            for samples in (True, False)
        ]
        plans[:, Plan.CONTEXT] = chance.permutation(np.concatenate(drawn))[:games]
        plans[:, Plan.COUNTER] = np.arange(games)
        plans[:, Plan.BEGINNER] = chance.integers(0, 2, games)
        plans[:, Plan.NOTED] = BOTH
        return plans

    def _play(
        self, plans: Ints, seed: int, rows: Any, notes: Ints, how: Settings
    ) -> tuple[int, Ints]:
        results = np.zeros(len(plans), np.int64)
        settings = np.array([how.walk, how.keep, how.trust], np.int64)
        used = record_games(
            *(self.states, self.tables.contexts, self.works, seed),
            *(plans, results, rows, notes, settings),
        )
        return used, results
