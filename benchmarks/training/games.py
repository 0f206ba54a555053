"""Which games are played for training, and how players are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.training.fitting import Positions
from benchmarks.training.recording import PLANS, Noted, Plan, Who, record_games
from benchmarks.training.tables import GAME, VARIANT, contexts, new_works, sample_pairs
from deckcheck.playing.host.table import new_states
from deckcheck.policies.learned.network import ONE

__all__ = ["Club", "Score", "Settings"]

Ints = npt.NDArray[np.int64]

BOTH, FIRST, SECOND = 3, 1, 2  # whose positions are noted
SAMPLES = 0.5  # of the games are of sample decks


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
        self.contexts = contexts(seed, decks, pairs)
        self.samples = sample_pairs()
        self.works = new_works()
        self.states = new_states(GAME, VARIANT, 1)

    def positions(
        self, games: int, seed: int, learned: bool, how: Settings
    ) -> Positions:
        """Positions of games of the heuristic, or of the `learned` player.

        This one plays six of ten games against itself, the others against the
        heuristic, whose positions then do not count.
        """
        plans = self._plans(games, seed)
        if learned:
            plans[:, Plan.FIRST_PLAYER :] = Who.FIRST, Who.FIRST, BOTH
            plans[6::10, Plan.FIRST_PLAYER :] = Who.FIRST, Who.HEURISTIC, FIRST
            plans[7::10, Plan.FIRST_PLAYER :] = Who.HEURISTIC, Who.FIRST, SECOND
            plans[8::10, Plan.FIRST_PLAYER :] = Who.FIRST, Who.HEURISTIC, FIRST
            plans[9::10, Plan.FIRST_PLAYER :] = Who.HEURISTIC, Who.FIRST, SECOND
        features = self.works.features.shape[1]
        rows = np.zeros((games * 40 * how.keep // 100, features), np.int16)
        notes = np.zeros((len(rows), len(Noted)), np.int64)
        used, _ = self._play(plans, seed, rows, notes, how)
        worth = (notes[:used, Noted.WORTH] / ONE).astype(np.float32)
        return Positions(rows[:used], worth, notes[:used, Noted.STAGE])

    def compare(self, a: Who, b: Who, pairs: int, seed: int, samples: bool) -> Score:
        """The score of `a` against `b`: each pair of decks, beginner and side."""
        chance = np.random.default_rng(seed)
        low, high = (0, self.samples) if samples else (self.samples, len(self.contexts))
        plans = np.zeros((4 * pairs, PLANS), np.int64)
        plans[:, Plan.CONTEXT] = np.repeat(chance.integers(low, high, pairs), 4)
        plans[:, Plan.COUNTER] = np.repeat(np.arange(pairs), 4)
        plans[:, Plan.BEGINNER] = np.tile([0, 1, 0, 1], pairs)
        plans[:, Plan.FIRST_PLAYER] = np.tile([a, a, b, b], pairs)
        plans[:, Plan.SECOND_PLAYER] = np.tile([b, b, a, a], pairs)
        features = self.works.features.shape[1]
        none = np.zeros((0, features), np.int16), np.zeros((0, len(Noted)), np.int64)
        _, results = self._play(plans, seed, *none, Settings(0, 0, 100))
        own = np.where(plans[:, Plan.FIRST_PLAYER] == a, results, 2 - results) / 2
        share = own.reshape(pairs, 4).mean(axis=1)
        return Score(float(share.mean()), float(1.96 * share.std() / pairs**0.5))

    def _plans(self, games: int, seed: int) -> Ints:
        """Games of heuristics at tables by lot."""
        chance = np.random.default_rng(seed)
        plans = np.zeros((games, PLANS), np.int64)
        sample = chance.integers(0, self.samples, games)
        other = chance.integers(self.samples, len(self.contexts), games)
        plans[:, Plan.CONTEXT] = np.where(chance.random(games) < SAMPLES, sample, other)
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
            *(self.states, self.contexts, self.works, seed),
            *(plans, results, rows, notes, settings),
        )
        return used, results
