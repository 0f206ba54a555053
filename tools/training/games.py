"""Which games are played for training, and how players are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck.playing.table import new_states
from deckcheck.policies.players import SURE_CHANCE
from tools.training.courses import Course
from tools.training.fitting import Positions
from tools.training.recording import Noted, Plan, Who, record_games
from tools.training.tables import Tables, new_works, set_tables

__all__ = ["Club", "Score", "Settings", "Where", "mirrored", "plans_of", "score_of"]

Ints = npt.NDArray[np.int64]

FIRST, HEURISTIC, DUMMY = Who.FIRST, Who.HEURISTIC, Who.SANE_RANDOM
MEETINGS = (*[FIRST] * 5, *[HEURISTIC] * 4, DUMMY)
"""Whom the learned player meets, of how many games in turn."""


@dataclass(frozen=True)
class Where:
    """On sample or on random decks."""

    samples: bool

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
    """The share of points in game pairs, with half its interval of 95%."""

    share: float
    half: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.half:.1f}%"


class Club:
    """Decks and players that meet for training."""

    def __init__(self, course: Course, seed: int, decks: int, pairs: int) -> None:
        """Meet with sample decks, and with `pairs` tables of `decks` random decks."""
        self.course = course
        self.tables = set_tables(course, seed, decks, pairs)
        self.works = new_works(course)
        self.states = new_states(course.game, course.variant, 1)

    @property
    def features(self) -> int:
        """How many features a position has."""
        return int(self.works.features.shape[1])

    def positions(
        self, games: int, seed: int, learned: bool, how: Settings
    ) -> Positions:
        """Positions of games of the heuristic, or of the `learned` player.

        This one plays five of ten games against itself, the others against the
        heuristic and once against a random player, whose positions then do not count.
        """
        plans = plans_of(self.tables, games, seed)
        if learned:
            plans = self.meetings(games, seed)
        room = games * 20 * self.course.players * how.keep // 100
        rows = np.zeros((room, self.features), np.int16)
        notes = np.zeros((len(rows), len(Noted)), np.int64)
        used, _ = self._play(plans, seed, rows, notes, how)
        worth = (notes[:used, Noted.WORTH] / SURE_CHANCE).astype(np.float32)
        return Positions(rows[:used], worth, notes[:used, Noted.STAGE])

    def meetings(self, games: int, seed: int) -> Ints:
        """Games of the learned player, with the opponents of `MEETINGS` in turn.

        Against the heuristic the learned player has each side in turn.
        """
        plans = plans_of(self.tables, games, seed)
        number = np.arange(games)
        place = number % len(MEETINGS)
        opponent = np.array(MEETINGS)[place]
        sides = self.tables.sides[plans[:, Plan.CONTEXT]]
        last = sides.max(axis=1)
        turn = place - MEETINGS.index(HEURISTIC) + number // len(MEETINGS) * (last - 1)
        own = sides == (turn % (last + 1))[:, None]
        own |= (opponent == FIRST)[:, None]
        plans[:, Plan.FIRST_PLAYER :] = np.where(own, FIRST, opponent[:, None])
        plans[:, Plan.NOTED] = bits_of(own)
        return plans

    def compare(self, other: Who, tables: int, seed: int, where: Where) -> Score:
        """The score of the first weights: each table of decks, beginner and side."""
        plans = mirrored(self.tables, (FIRST, other), tables, seed, where)
        none = np.zeros((0, self.features), np.int16)
        how = Settings(0, 0, 100)
        notes = np.zeros((0, len(Noted)), np.int64)
        _, results = self._play(plans, seed, none, notes, how)
        return score_of(plans, results, FIRST)

    def _play(
        self, plans: Ints, seed: int, rows: Any, notes: Ints, how: Settings
    ) -> tuple[int, Ints]:
        results = np.zeros((len(plans), self.tables.sides.shape[1]), np.int64)
        settings = np.array([how.walk, how.keep, how.trust], np.int64)
        used = record_games(
            *(self.states, self.tables.contexts, self.works, seed),
            *(plans, results, rows, notes, settings),
        )
        return used, results


def plans_of(tables: Tables, games: int, seed: int) -> Ints:
    """Games of heuristics at tables by chance, half of them with sample decks."""
    chance = np.random.default_rng(seed)
    seats = tables.sides.shape[1]
    plans = np.zeros((games, Plan.FIRST_PLAYER + seats), np.int64)
    half = len(plans) // 2 + 1
    drawn = [tables.drawn(chance, half, samples) for samples in (True, False)]
    plans[:, Plan.CONTEXT] = chance.permutation(np.concatenate(drawn))[:games]
    plans[:, Plan.COUNTER] = np.arange(games)
    sides = tables.sides[plans[:, Plan.CONTEXT]]
    plans[:, Plan.BEGINNER] = chance.integers(0, (sides >= 0).sum(axis=1))
    plans[:, Plan.NOTED] = bits_of(sides >= 0)
    return plans


def mirrored(
    tables: Tables, players: tuple[int, int], count: int, seed: int, where: Where
) -> Ints:
    """Games at `count` tables: the first player has each side, others the rest."""
    first, other = players
    drawn = tables.drawn(np.random.default_rng(seed), count, where.samples)
    plans = []
    for number, context in enumerate(drawn):
        sides = tables.sides[context]
        for side in range(sides.max() + 1):
            seated = np.where(sides == side, first, other)
            for beginner in range((sides >= 0).sum()):
                plans.append([context, number, beginner, 0, *seated])
    return np.array(plans)


def score_of(plans: Ints, results: Ints, player: int) -> Score:
    """What `player` won in games that are `mirrored`, by the half-points of seats."""
    seat = (plans[:, Plan.FIRST_PLAYER :] == player).argmax(axis=1)
    own = results[np.arange(len(plans)), seat] / 2
    table = plans[:, Plan.COUNTER]
    share = np.bincount(table, own) / np.bincount(table)
    half = 1.96 * share.std() / len(share) ** 0.5
    return Score(float(share.mean()), float(half))


def bits_of(flags: npt.NDArray[np.bool_]) -> Ints:
    """A number for each row, with a bit for each of its columns."""
    return (flags << np.arange(flags.shape[1])).sum(axis=1)
