"""Plays many candidate decks on the same shuffles and counts the scores of each.

Where `versions` and `contrasts` say how much a few decks differ, here hundreds are
measured at once, to find good ones among them. Cards that decks have in common lie in
the same places before the shuffle, hence after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deckcheck.playing.counting import count_sets
from deckcheck.playing.host.cells import TableWithCells, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import Table, play_listed
from deckcheck.playing.host.versions import (
    ENTRANT_IN,
    ROTATION,
    SCORES,
    VERSION,
    deck_of,
    put_in_place,
    scores_of,
    set_deck,
)
from deckcheck.playing.kernel import Game
from deckcheck.playing.tally import Ints, new_tally, whole

TWO = 2
DECKS_AT_ONCE = 32  # contexts in memory at once
SETS_AT_ONCE = 256


@dataclass(frozen=True)
class OpenSeat:
    """A table whose second player gets another deck, with the same leader.

    `offset` is what the game adds to the numbers of that player's cards.
    """

    table: Table
    offset: int


@dataclass(frozen=True)
class Candidates(TableWithCells):
    """Open seats, and decks to sit there: the place of the seat and the cards of each.

    The table has a context for each seat. A tally is that of all decks together, with
    the checksum of all games, and below it how often a set brought each deck 0 to 4
    half-points.
    """

    decks: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def cells(self) -> int:
        """A count of each score, for each deck."""
        return len(self.decks) * SCORES

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each deck; tallies are added by `+`.

        `log` gets a row for each game. Raises CrashedGame for a game that could not be
        played to its end.
        """
        head = new_tally(TWO, ROTATION)
        counts = np.zeros((len(self.decks), SCORES), np.int64)
        end = first_set + sets
        for place in range(0, len(self.decks), DECKS_AT_ONCE):
            decks = self.decks[place : place + DECKS_AT_ONCE]
            table = self._table(decks)
            for first in range(first_set, end, SETS_AT_ONCE):
                which = np.arange(first, min(first + SETS_AT_ONCE, end))
                games = _games(table, number, which, len(decks))
                outcomes = _play(table, seed, games, place, head, log)
                scores = scores_of(outcomes).reshape(len(decks), len(which))
                for i, own in enumerate(scores):
                    counts[place + i] += np.bincount(own, minlength=SCORES)
        return with_cells(head, counts)

    def counts(self, tally: Ints) -> Ints:
        """How often a set brought each deck 0 to 4 half-points: a row for each."""
        return self.cells_of(tally).reshape(-1, SCORES)

    def _table(self, decks: Sequence[tuple[int, tuple[int, ...]]]) -> Table:
        """A table with a context for each of these decks."""
        contexts = self.table.read_contexts()[[place for place, _ in decks]]
        for context, (_, deck) in zip(contexts, decks, strict=True):
            set_deck(context, VERSION, deck)
        return replace(self.table, contexts=tuple(x.tobytes() for x in contexts))


def open_seat(
    table: Table, numbers: Mapping[str, int], deck: Mapping[str, int]
) -> OpenSeat:
    """The seat of the second player, at whose table `deck` sits, by counts of ids.

    `numbers` are those of the cards in the engine.
    """
    own = min(numbers[card] for card, count in deck.items() if count)
    return OpenSeat(table, int(min(deck_of(table.read_contexts()[0]))) - own)


def seat_candidates(
    seats: Sequence[OpenSeat],
    numbers: Mapping[str, int],
    decks: Sequence[tuple[int, Mapping[str, int]]],
) -> Candidates:
    """Seat each deck, by counts of ids, at the open seat whose place it names.

    Cards that a deck shares with the first one lie in the same places.
    """
    lists = [
        (place, [numbers[card] for card, n in deck.items() for _ in range(n)])
        for place, deck in decks
    ]
    order = sorted(lists[0][1])
    placed = [
        (
            place,
            tuple(
                card + seats[place].offset for card in put_in_place(deck, order) if card
            ),
        )
        for place, deck in lists
    ]
    contexts = tuple(context for seat in seats for context in seat.table.contexts)
    return Candidates(replace(seats[0].table, contexts=contexts), tuple(placed))


def _games(table: Table, number: int, sets: Ints, decks: int) -> Ints:
    """The games of these sets, deck by deck; a row with the columns of `Game` each."""
    games = np.empty((decks * len(sets) * ROTATION, len(Game)), np.int64)
    games_of_each = len(sets) * ROTATION
    games[:, Game.CONTEXT] = np.repeat(np.arange(decks), games_of_each)
    games[:, Game.STREAM] = number * table.streams
    games[:, Game.COUNTER] = np.tile(np.repeat(sets, ROTATION), decks)
    games[:, Game.BEGINNER] = np.tile(np.arange(ROTATION), decks * len(sets))
    return games


def _play(
    table: Table,
    seed: int,
    games: Ints,
    place: int,
    head: Ints,
    log: GameLog | None,
) -> Ints:
    """Play games and count them in `head`; the first deck has this place of all."""
    if log is not None:
        of_set = (place + games[:, Game.CONTEXT]) * ROTATION + games[:, Game.BEGINNER]
        log.begin(games, of_set)
    outcomes = play_listed(table, seed, games)
    if log is not None:
        log.end(outcomes)
    who = np.tile(np.array(ENTRANT_IN, np.int64), (len(games), 1))
    full, sums = whole(TWO), np.zeros_like(head)
    of_games = np.ascontiguousarray(games[:, Game.COUNTER])
    count_sets(outcomes, who, of_games, ROTATION, full, head, sums)
    return outcomes
