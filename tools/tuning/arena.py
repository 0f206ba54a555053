"""Many deck pairs in one compiled call, with any figures on either side.

A *field* is a list of decks; each meets each, itself too, in mirrored pairs of games.
The same seed gives the same shuffles with any figures, so that two candidates
differ by how they play and hardly by luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

import deckcheck
from deckcheck.decks.model import Deck
from deckcheck.engine.gwent.weights import Figures, figures_of, fill_figures
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.generating import Generator
from deckcheck.playing.kernel import GameOutcome, ListedGame, play_games
from deckcheck.playing.table import NO_MOVES, new_states, open_workspace, seat
from deckcheck.policies.registry import read_policy
from deckcheck.policies.workspace import extra_players
from deckcheck.validation import Validator

__all__ = ["FORMAT", "Arena", "Score", "Side", "random_decks", "sample_decks"]

FORMAT = "gwent/standard"
SAMPLES = "decks/gwent/standard"
STREAMS = 4
"""Random streams of a deck pair: chance, and the players' own in two games."""


@dataclass(frozen=True)
class Side:
    """Who plays one side: a policy, and the figures if its heuristic has others."""

    policy: str
    figures: Figures | None = None


@dataclass(frozen=True)
class Score:
    """Share of the points, a draw being half, and half of its 95 % interval.

    The interval is over mirrored pairs, whose two games have the same shuffles.
    """

    share: float
    margin: float
    games: int

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.margin:.1f} % ({self.games})"


def sample_decks() -> list[Deck]:
    """The fifteen sample decks of `gwent/standard`."""
    return list(deckcheck.read(SAMPLES))


def random_decks(count: int, seed: int = 1) -> list[Deck]:
    """That many random legal decks, from the same generator as `generate`."""
    fmt = load_format(FORMAT)
    generator = Generator(fmt, Validator(FORMAT))
    texts = [generator.file(seed, number) for number in range(count)]
    return [deckcheck.parse(text) for text in texts]


class Arena:
    """Contexts for each ordered pair of decks, filled once."""

    def __init__(self, decks: Sequence[Deck], most_pairs: int = 0) -> None:
        """All pairs of `decks`, or `most_pairs` of them drawn at random."""
        fmt = load_format(FORMAT)
        database = database_of(fmt)
        game = load_game(fmt.game)
        seats = [seat(deck, "heuristic") for deck in decks]
        pairs = list(product(range(len(decks)), repeat=2))
        if most_pairs and most_pairs < len(pairs):
            chance = np.random.default_rng(7)
            chosen = chance.choice(len(pairs), most_pairs, replace=False)
            pairs = [pairs[i] for i in sorted(chosen)]
        self.pairs = pairs
        single = [
            game.fill_context(database, fmt, [seats[i], seats[j]]) for i, j in pairs
        ]
        self.contexts: Any = np.concatenate(single).view(np.recarray)
        self.states = new_states(fmt.game, "two", 1)

    def seat(self, player: int, side: Side) -> None:
        """Let a side take this seat in all pairs."""
        who = read_policy(side.policy)
        self.contexts.policy[:, player] = who.policy
        self.contexts.budget[:, player] = who.budget
        figures = side.figures or figures_of(who.heuristic)
        fill_figures(self.contexts[0], player, figures)
        self.contexts.figures[:, player] = self.contexts.figures[0, player]

    def play(self, seed: int, sets: int, first: int = 0) -> npt.NDArray[np.int64]:
        """Play `sets` mirrored pairs of each deck pair; returns `GameOutcome` rows."""
        count = len(self.pairs)
        games = np.empty((count * sets * 2, len(ListedGame)), np.int64)
        pair = np.repeat(np.arange(count), sets * 2)
        games[:, ListedGame.CONTEXT] = pair
        games[:, ListedGame.STREAM] = pair * STREAMS
        games[:, ListedGame.COUNTER] = np.tile(
            np.repeat(np.arange(first, first + sets), 2), count
        )
        games[:, ListedGame.BEGINNER] = np.tile([0, 1], count * sets)
        outcomes = np.empty((len(games), GameOutcome.PLACE + 8), np.int64)
        play_games(
            self.states,
            self.contexts,
            self.workspace(),
            seed,
            games,
            outcomes,
            NO_MOVES,
            np.zeros(1, np.int64),
        )
        return outcomes

    def workspace(self) -> Any:
        """The workspace of the players who are seated now."""
        policies = np.unique(self.contexts.policy).tolist()
        return open_workspace("gwent", "two", extra_players(policies, "gwent", "two"))

    def match(
        self, one: Side, other: Side, seed: int, sets: int, first: int = 0
    ) -> Score:
        """The points of `one` against `other`, in each seat for half of the sets."""
        by_pair = np.concatenate(
            [
                self.points(pair, seed, sets // 2, first + own * (sets // 2), own)
                for own, pair in enumerate([(one, other), (other, one)])
            ]
        )
        margin = 1.96 * float(by_pair.std()) / sqrt(len(by_pair))
        return Score(float(by_pair.mean()), margin, 2 * len(by_pair))

    def points(
        self, sides: tuple[Side, Side], seed: int, sets: int, first: int, own: int
    ) -> npt.NDArray[np.float64]:
        """The share that the player of seat `own` wins in each mirrored pair."""
        for player, side in enumerate(sides):
            self.seat(player, side)
        places = self.play(seed, sets, first)[
            :, GameOutcome.PLACE : GameOutcome.PLACE + 2
        ]
        won = (np.sign(places[:, 1 - own] - places[:, own]) + 1) / 2
        return won.reshape(-1, 2).mean(1)
