"""Plays tournament matches, all of a block at once: game 1 of each, game 2 of each, ...

Matches come in mirrored pairs: the same chances, once with each side first to choose.
Where both matches of a pair come to the same decks in the same game, the shuffles are
the same and the other side starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from deckcheck.playing.counting import count_sets
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import Table, play_listed
from deckcheck.playing.kernel import Game, Outcome
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints, whole
from deckcheck.sim.matches.mixing import Random, mixed
from deckcheck.sim.matches.selection import MatchRules, MatchState, Plans, choices
from deckcheck.sim.matches.tally import Cell, Chosen, cell_row, chosen_row, new_tally

LONGEST = 500
"""Games after which a match that nobody has won is drawn, drawn games counted."""

HASH = 2654435761  # Knuth's multiplicative hash, below 2**32
PAIRS_AT_ONCE = 4096  # bounds the memory of a block
SIDES = 2
DRAWN = -1
UNCHOSEN = -1
WIDEST = 1 << 12  # more than there are decks in a lineup

T = TypeVar("T")


@dataclass(frozen=True)
class MatchTable:
    """Two lineups that meet: what a worker needs, and can be pickled.

    `table` has a context for each deck of side 0 against each of side 1, row by row.
    `selections` says how each side chooses, `plans` has the best choices where one of
    them needs these, `rules` are those of the match.
    """

    table: Table
    sizes: tuple[int, int]
    selections: tuple[str, str]
    plans: Plans
    rules: MatchRules

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The decks in the order of a game: that of the sides."""
        return self.table.entrant_in

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        rows, columns = new_tally(self.sizes).shape
        return rows, columns

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` mirrored pairs of matches; returns their tally, see `tally`.

        Every match is a pure function of (table, seed, number, pair, coin). `log` gets
        a row for each of their games.

        Raises:
            CrashedGame: a game could not be played to its end.
        """
        tally = new_tally(self.sizes)
        end = first_set + sets
        for first in range(first_set, end, PAIRS_AT_ONCE):
            pairs = np.arange(first, min(first + PAIRS_AT_ONCE, end))
            tally += _Matches(self, seed, number, pairs, log).play()
        return tally


class _Matches:
    """Mirrored pairs of matches under way, as arrays with an element for each match."""

    def __init__(
        self,
        table: MatchTable,
        seed: int,
        number: int,
        pairs: Ints,
        log: GameLog | None = None,
    ) -> None:
        self.table = table
        self.log = log
        self.seed, self.number = seed, number
        self.pair = np.repeat(pairs, SIDES)
        self.coin = np.tile(np.arange(SIDES), len(pairs))
        chances = mixed(np.zeros(len(pairs), np.uint64), seed, number, pairs)
        self.chance: Random = np.repeat(chances, SIDES)
        self.course = _Course(table)
        self.state = self.course.begin(self.coin)
        self.outcomes = np.zeros((len(self.pair), Outcome.PLACE + 4 * SIDES), np.int64)
        self.tally = new_tally(table.sizes)

    def play(self) -> Ints:
        """Play all matches to their end and return their tally."""
        for game in range(LONGEST):
            going = np.flatnonzero(self.course.winner(self.state) == DRAWN)
            if not len(going):
                break
            self._play_game(going, game)
        self._count_matches()
        return self.tally

    def _play_game(self, going: Ints, game: int) -> None:
        """Play game number `game` of the matches `going`, from 0."""
        decks = self._choose(going, game)
        half_points, history = self._outcomes(going, decks, game)
        self._count_games(going, decks, half_points, game)
        coin = self.coin[going]
        # Each game counts with its place in the match and with its result.
        place = HASH * (9 * game + 3 * coin + half_points + 1)
        hashes = (history ^ place) & CHECKSUM_MASK
        self.outcomes[going, Outcome.HISTORY] += hashes
        self.state[going] = self.course.after(self.state[going], decks, half_points)

    def _choose(self, going: Ints, game: int) -> Ints:
        """The decks of both sides: first one side chooses, then the other."""
        state, coin = self.state[going], self.coin[going]
        first = self.course.first(state)
        decks = np.empty((SIDES, len(going)), np.int64)
        opposing = np.full(len(going), UNCHOSEN)
        matches = np.arange(len(going))
        for step in range(SIDES):
            side = first ^ step
            number = np.zeros(len(going), np.uint64)
            if "random" in self.table.selections:
                number = mixed(self.chance[going], coin, game, side)
            opposing = self.course.choose(state, side, opposing, number)
            decks[side, matches] = opposing
        return decks

    def _outcomes(self, going: Ints, decks: Ints, game: int) -> tuple[Ints, Ints]:
        """Half-points of side 0 in a game of each match, and the game's own hash.

        Chance decides which match of the pair gets which game of the mirrored ones.
        """
        cells = self.table.sizes[0] * self.table.sizes[1]
        at = decks[0] * self.table.sizes[1] + decks[1]
        flip = (mixed(self.chance[going], game) & np.uint64(1)).astype(int)
        games = np.empty((len(going), len(Game)), np.int64)
        stream = (self.number * cells + at) * LONGEST + game
        games[:, Game.CONTEXT] = at
        games[:, Game.STREAM] = stream * self.table.table.streams
        games[:, Game.COUNTER] = self.pair[going]
        games[:, Game.BEGINNER] = self.coin[going] ^ flip
        if self.log is not None:
            self.log.begin(games, self.coin[going])
        outcomes = play_listed(self.table.table, self.seed, games)
        if self.log is not None:
            self.log.end(outcomes)
        won = outcomes[:, Outcome.PLACE : Outcome.PLACE + SIDES] == 1
        return 1 + won[:, 0] - won[:, 1], outcomes[:, Outcome.HISTORY]

    def _count_games(
        self, going: Ints, decks: Ints, half_points: Ints, game: int
    ) -> None:
        """Add games to the matches, and to the rows of the decks."""
        rounds, points = Outcome.ROUNDS, Outcome.PLACE + SIDES
        self.outcomes[going, rounds] += 1
        for side in range(SIDES):
            won = half_points == (2, 0)[side]
            self.outcomes[going, points + side] += won
        row = self.tally[chosen_row()]
        first = self.course.first(self.state[going])
        by_first = np.where(first == 0, half_points, 2 - half_points)
        row[Chosen.LOST : Chosen.WON + 1] += np.bincount(by_first, minlength=3)
        row[Chosen.GAMES] += len(going)
        row[Chosen.GAMES_DRAWN] += (half_points == 1).sum()
        cells = cell_row(self.table.sizes, decks[0], decks[1])
        np.add.at(self.tally, (cells, Cell.LOST + half_points), 1)
        if game == 0:
            np.add.at(self.tally[:, Cell.OPENED], cells, 1)

    def _count_matches(self) -> None:
        """Count matches as a table counts games: see `tally`."""
        winner = self.course.winner(self.state)
        for side in range(SIDES):
            place, seat = Outcome.PLACE + side, Outcome.PLACE + 2 * SIDES + side
            self.outcomes[:, place] = 1 + (winner == 1 - side)
            self.outcomes[:, seat] = self.coin ^ side
        who = np.tile(np.arange(SIDES), (len(self.pair), 1))
        rows = self.tally[: chosen_row()]
        numbers = np.zeros_like(self.pair)
        sums = np.zeros_like(rows)
        count_sets(self.outcomes, who, numbers, SIDES, whole(SIDES), rows, sums)
        self.tally[0, Head.CHECKSUM] &= CHECKSUM_MASK


class _Course:
    """The states of matches, numbered as they come up, and what leads on from them."""

    def __init__(self, table: MatchTable) -> None:
        self.table = table
        self.states: list[MatchState] = []
        self.numbers: dict[MatchState, int] = {}

    def begin(self, coin: Ints) -> Ints:
        """The states before game 1."""
        numbers = [self._number(self.table.rules.begin(side)) for side in range(SIDES)]
        return np.array(numbers)[coin]

    def first(self, states: Ints) -> Ints:
        """The sides that choose first."""
        return np.array([state.first for state in self.states])[states]

    def winner(self, states: Ints) -> Ints:
        """The sides that have won, -1 where the match goes on."""
        winners = [self.table.rules.winner_of(state) for state in self.states]
        results = [DRAWN if winner is None else winner for winner in winners]
        return np.array(results)[states]

    def choose(self, states: Ints, side: Ints, opposing: Ints, number: Random) -> Ints:
        """The decks that the sides choose; `number` decides where several may be."""
        decks, at = _for_each(self._choices, states, side, opposing)
        lengths = np.array([len(open) for open in decks], np.uint64)[at]
        widest = max(len(open) for open in decks)
        padded = np.array([open + [0] * (widest - len(open)) for open in decks])
        chosen: Ints = padded[at, (number % lengths).astype(np.int64)]
        return chosen

    def after(self, states: Ints, decks: Ints, half_points: Ints) -> Ints:
        """The states after games of `decks`."""
        after, at = _for_each(self._after, states, *decks, half_points)
        return np.array(after)[at]

    def _number(self, state: MatchState) -> int:
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def _choices(self, state: int, side: int, opposing: int) -> list[int]:
        table = self.table
        return choices(
            table.selections[side],
            table.rules,
            self.states[state],
            side,
            table.sizes[side],
            opposing=None if opposing == UNCHOSEN else opposing,
            plans=table.plans,
        )

    def _after(self, state: int, a: int, b: int, half_points: int) -> int:
        winner = (1, DRAWN, 0)[half_points]
        after = self.table.rules.after_game(self.states[state], winner, (a, b))
        return self._number(after)


def _for_each(function: Callable[..., T], *columns: Ints) -> tuple[list[T], Ints]:
    """Call `function` once for each different row of `columns`.

    Returns what it returned, and for each row which of these is its own.
    """
    key = np.zeros_like(columns[0])
    for column in columns:
        key = key * WIDEST + column + 1
    _, first, at = np.unique(key, return_index=True, return_inverse=True)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    return [function(*row) for row in rows], at
