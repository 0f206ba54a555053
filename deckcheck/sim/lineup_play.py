"""Plays tournament matches game by game with the engine.

Matches come in mirrored pairs: the same chances, once with each side first to choose.
Where both matches of a pair come to the same decks in the same game, the shuffles are
the same and the other side starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckcheck.engine.match import Table, play_block
from deckcheck.engine.tally import CHECKSUM_MASK, Field
from deckcheck.sim.lineup_rules import (
    DRAWN,
    LONGEST,
    MatchRules,
    Stand,
    after_game,
    begin,
    winner_of,
)
from deckcheck.sim.lineup_tally import Count, cell_of, new_counts, opened
from deckcheck.sim.selection import Plan, choose, random_number

__all__ = ["LineupTable", "play_match_block"]

HASH = 2654435761  # Knuth's multiplicative hash, below 2**32


@dataclass(frozen=True)
class LineupTable:
    """Two lineups that meet: what a worker needs, and can be pickled.

    `table` has a context for each deck of side 0 against each of side 1, row by row.
    `selections` says how each side chooses, `plans` has the best choices where one of
    them needs these, `rules` are those of the match.
    """

    table: Table
    sizes: tuple[int, int]
    selections: tuple[str, str]
    plans: Mapping[Stand, Plan]
    rules: MatchRules


def play_match_block(
    table: LineupTable, seed: int, number: int, first_pair: int, pairs: int
) -> npt.NDArray[np.int64]:
    """Play `pairs` mirrored pairs of matches from `first_pair` on; see `lineup_tally`.

    Every match is a pure function of (table, seed, number, pair). Raises CrashedGame
    for a game that cannot be played to its end.
    """
    counts = new_counts(table.sizes)
    for pair in range(first_pair, first_pair + pairs):
        _play_pair(_Games(table, seed, number, pair), counts)
    return np.array(counts, np.int64)


class _Games:
    """The games of a mirrored pair of matches, played as they come up."""

    def __init__(self, table: LineupTable, seed: int, number: int, pair: int) -> None:
        self.table = table
        self.place = (seed, number, pair)
        self._chance = random_number(seed, number, pair)
        self._played: dict[tuple[int, int, int], tuple[list[int], int]] = {}

    def random(self, *words: int) -> int:
        """A random number of this pair of matches."""
        return random_number(*words, start=self._chance)

    def outcome(self, game: int, a: int, b: int, mirrored: int) -> tuple[int, int]:
        """Half-points of side 0 from a game of two decks, and a hash of it.

        The engine plays both games of a mirrored pair; `mirrored` says which counts.
        """
        key = (game, a, b)
        if key not in self._played:
            self._played[key] = self._play(game, a, b)
        points, hashed = self._played[key]
        return points[mirrored ^ (self.random(game) & 1)], hashed

    def _play(self, game: int, a: int, b: int) -> tuple[list[int], int]:
        seed, number, pair = self.place
        at = a * self.table.sizes[1] + b
        stream = (number * len(self.table.table.contexts) + at) * LONGEST + game
        tally = play_block(self.table.table, seed, stream, pair, 1, at).tolist()
        points = []
        for began in range(2):
            points += [2] * tally[Field.WINS_A + began]
            points += [1] * tally[Field.DRAWS + began]
            points += [0] * tally[Field.WINS_B + began]
        return points, tally[Field.CHECKSUM]


def _play_pair(games: _Games, counts: list[int]) -> None:
    scores = []
    for coin in range(2):
        score = _play_match(games, coin, counts)
        counts[Count.MATCHES + coin] += 1
        result = (Count.LOST, Count.DRAWN, Count.WON)[score]
        counts[result + coin] += 1
        scores.append(score)
    counts[Count.PAIR_SCORE + sum(scores)] += 1
    counts[Count.FIRST_SCORE + scores[0] + 2 - scores[1]] += 1


def _play_match(games: _Games, coin: int, counts: list[int]) -> int:
    """Play a match and count its games; returns the half-points of side 0."""
    stand, game, sizes = begin(coin), 0, games.table.sizes
    while winner_of(stand) is None and game < LONGEST:
        decks = _choose(games, stand, game, coin)
        if game == 0:
            for side in range(2):
                counts[opened(sizes, side, decks[side])] += 1
        points, hashed = games.outcome(game, *decks, coin)
        _count_game(counts, sizes, decks, stand.first, points)
        hashed ^= HASH * (9 * game + 3 * coin + points + 1)
        counts[Count.CHECKSUM] = (counts[Count.CHECKSUM] + hashed) & CHECKSUM_MASK
        winner = (1, DRAWN, 0)[points]
        stand = after_game(stand, winner, decks, games.table.rules)
        game += 1
    return {None: 1, 0: 2, 1: 0}[winner_of(stand)]


def _choose(games: _Games, stand: Stand, game: int, coin: int) -> tuple[int, int]:
    """The decks of both sides: first one side chooses, then the other."""
    table = games.table
    decks = [0, 0]
    opposing = None
    for side in (stand.first, 1 - stand.first):
        size, selection = table.sizes[side], table.selections[side]
        number = games.random(coin, game, side) if selection == "random" else 0
        decks[side] = opposing = choose(
            *(selection, stand, side, size),
            opposing=opposing,
            number=number,
            plans=table.plans,
        )
    return decks[0], decks[1]


def _count_game(
    counts: list[int],
    sizes: tuple[int, int],
    decks: tuple[int, int],
    first: int,
    points: int,
) -> None:
    """Add a game that brought side 0 `points` half-points."""
    counts[Count.GAMES] += 1
    if points == 1:
        counts[Count.GAMES_DRAWN] += 1
    else:
        counts[Count.GAMES_WON + (points == 0)] += 1
    counts[Count.CHOSE_FIRST + (points if first == 0 else 2 - points)] += 1
    counts[cell_of(sizes, *decks) + points] += 1
