"""Versions of a deck that play the same games: common random numbers.

Every version meets the same opponent in the same sets. The opponent is the first
player, so its deck is shuffled alike whatever the version holds, and cards that
versions have in common lie in the same places before the shuffle, hence after it.
Versions of different sizes have as many places, some of them empty, and shuffle these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.seat import Seat
from deckcheck.formats import Format
from deckcheck.playing.host.cells import cells_below, rows_of, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import DUEL_STREAMS, Table, set_table
from deckcheck.playing.kernel import Outcome
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints, new_tally

VERSION = 1
"""The player who has the version; the other one has the opponent."""

ROTATION = 2
SCORES = 2 * ROTATION + 1
"""How many scores a set can have: 0 to 4 half-points."""

Pair: TypeAlias = tuple[int, int]
"""Two versions by their places."""

_CELLS = SCORES * SCORES
ENTRANT_IN = ((VERSION, 0),)
"""The entrants in the order of a game: the version is the first entrant."""


@dataclass(frozen=True)
class Versions:
    """The tables at which versions of a deck meet one opponent; may be pickled.

    Of each of `pairs` the scores are counted jointly. A tally has that of each version
    below that of the one before, and then the joint counts.
    """

    tables: tuple[Table, ...]
    pairs: tuple[Pair, ...]

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return self.tables[0].engine

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The entrants in the order of a game: the version is the first entrant."""
        return ENTRANT_IN

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        rows, columns = self.tables[0].tally_shape
        joint = rows_of(len(self.pairs) * _CELLS, columns)
        return len(self.tables) * rows + joint, columns

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each version; tallies are added by `+`.

        `log` gets a row for each game, version by version. Raises CrashedGame for a
        game that could not be played to its end.
        """
        log = GameLog() if log is None else log
        tallies, scores = [], []
        for table in self.tables:
            tallies.append(table.play(seed, number, first_set, sets, log))
            scores.append(scores_of(log.last_outcomes(sets * ROTATION)))
        joint = [
            np.bincount(scores[a] * SCORES + scores[b], minlength=_CELLS)
            for a, b in self.pairs
        ]
        return with_cells(np.concatenate(tallies), np.array(joint, np.int64))

    def tallies(self, tally: Ints) -> list[Ints]:
        """The tallies of the versions, as those of tables of their own."""
        rows = len(new_tally(2, ROTATION))
        return [tally[i * rows :][:rows] for i in range(len(self.tables))]

    def joint(self, tally: Ints) -> dict[Pair, Ints]:
        """How often a set brought a pair `[i, j]` half-points, for each of `pairs`."""
        rows = len(new_tally(2, ROTATION)) * len(self.tables)
        cells = cells_below(tally, rows, len(self.pairs) * _CELLS)
        counts = cells.reshape(-1, SCORES, SCORES)
        return dict(zip(self.pairs, counts, strict=True))

    def checksum(self, tally: Ints) -> int:
        """The sum of the hashes of all games."""
        sums = (int(tally[0, Head.CHECKSUM]) for tally in self.tallies(tally))
        return sum(sums) & CHECKSUM_MASK


def seat_version(
    fmt: Format, database: CardDatabase, opponent: Seat, version: Seat
) -> Table:
    """The table of one version and an opponent, who is the first player."""
    seats = [opponent, version]
    return set_table(fmt, database, seats, entrant_in=ENTRANT_IN, streams=DUEL_STREAMS)


def seat_versions(
    fmt: Format,
    database: CardDatabase,
    opponent: Seat,
    versions: Sequence[Seat],
    pairs: Iterable[Pair],
) -> Versions:
    """Seat each version with the opponent, their common cards in the same places.

    Raises EngineError for what the engine cannot play.
    """
    tables = [seat_version(fmt, database, opponent, version) for version in versions]
    return Versions(tuple(_with_aligned_decks(tables)), tuple(pairs))


def aligned(decks: Sequence[Sequence[int]]) -> list[list[int]]:
    """The decks with the cards that the first one shares with another in its places.

    A card that takes the place of another one lies where that was, one more at the end.
    All have as many places as the largest; 0 stands for one that is empty.
    """
    shared = reduce(lambda a, b: a & b, (Counter(deck) for deck in decks))
    rest = Counter(decks[0]) - shared
    order = [*sorted(shared.elements()), *sorted(rest.elements())]
    placed = [put_in_place(deck, order) for deck in decks]
    places = max(len(deck) for deck in decks)
    return [(deck + [0] * places)[:places] for deck in placed]


def put_in_place(deck: Sequence[int], order: Sequence[int]) -> list[int]:
    """The deck with its cards in the places that they have in `order`.

    Others take the places of those of `order` that it lacks, then come at the end. A
    place that nothing takes is 0.
    """
    left = Counter(deck)
    own = []
    for card in order:
        has = left[card] > 0
        left[card] -= has
        own.append(card if has else 0)
    new = sorted(left.elements(), reverse=True)
    filled = [card or (new.pop() if new else 0) for card in own]
    return filled + new[::-1]


def _with_aligned_decks(tables: Sequence[Table]) -> Iterable[Table]:
    """The tables with the decks of the versions aligned in their contexts."""
    contexts = [table.read_contexts() for table in tables]
    align_decks([x[0] for x in contexts], VERSION)
    for table, x in zip(tables, contexts, strict=True):
        yield replace(table, contexts=(x.tobytes(),))


def align_decks(contexts: Sequence[npt.NDArray[np.void]], player: int) -> None:
    """Align the decks that a player has in several contexts."""
    decks = aligned([deck_of(x, player).tolist() for x in contexts])
    for x, deck in zip(contexts, decks, strict=True):
        set_deck(x, player, deck, by_place=any(0 in deck for deck in decks))


def set_deck(
    context: npt.NDArray[np.void],
    player: int,
    deck: Sequence[int],
    *,
    by_place: bool = False,
) -> None:
    """Give a player a deck; `by_place` when its places are to be shuffled."""
    context["n_deck"][player] = len(deck)
    context["deck"][player, : len(deck)] = deck
    context["deck"][player, len(deck) :] = 0
    context["by_place"][player] = by_place


def deck_of(
    context: npt.NDArray[np.void], player: int = VERSION
) -> npt.NDArray[np.int64]:
    """The places of a deck in a context, that of the version, as part of it."""
    size = int(context["n_deck"][player])
    deck: npt.NDArray[np.int64] = context["deck"][player, :size]
    return deck


def numbers_of(
    table: Table, numbers: Mapping[str, int], cards: Iterable[str]
) -> dict[str, int]:
    """The numbers in a game of all cards of the version's deck, by id.

    `numbers` are those of the engine; a game may number the cards of its second player
    from another start.
    """
    held = sorted({int(card) for card in deck_of(table.read_contexts()[0])})
    ids = sorted(cards, key=lambda card: numbers[card])
    return dict(zip(ids, held, strict=True))


def scores_of(outcomes: Ints, *, by_game: bool = False) -> Ints:
    """The half-points of the version in each set, or in `each` game."""
    own = outcomes[:, Outcome.PLACE + VERSION] == 1
    other = outcomes[:, Outcome.PLACE + 1 - VERSION] == 1
    points: Ints = np.where(own, np.where(other, 1, 2), 0)
    if by_game:
        return points
    scores: Ints = points.reshape(-1, ROTATION).sum(axis=1)
    return scores
