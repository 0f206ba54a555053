"""Versions of a deck on common shuffles: candidates, contrasts, retuned cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.engine.registry import Seat
from deckcheck.formats import Format
from deckcheck.playing.kernel import (
    CHECKSUM_MASK,
    GameOutcome,
    Head,
    Ints,
    ListedGame,
    SeatColumns,
    new_tally,
    whole,
)
from deckcheck.playing.table import (
    DUEL_STREAMS,
    SETS_AT_ONCE,
    GameLog,
    Table,
    TableWithCells,
    cells_below,
    play_listed,
    rows_of,
    set_table,
    with_cells,
)

# -----------------------------------------------------------------------------
# A table of which more is counted than sums: rounds, margins, and scores by groups.
#
# They are counted from the outcomes of games, here and not in compiled code, which
# costs less than a hundredth of the time that the fastest players take.

MOST_ROUNDS = 31
MOST_MARGIN = 200
_ROUNDS = MOST_ROUNDS + 1
_HISTOGRAM_CELLS = _ROUNDS + 2 * MOST_MARGIN + 1
TWO = 2
GROUPS = 128
"""Sets whose numbers leave the same rest are a group: runs can be paired by groups."""


class Counts(NamedTuple):
    """Histograms of the rounds of games, and of their margins.

    `rounds[n]` are games of n rounds, `margins[MOST_MARGIN + m]` those with a margin of
    m: where two can win, the lead of the first entrant on the board at the end; where
    more can, the points by which the first is ahead of the second, never negative. The
    last cells of both, and the first of margins, have all that is beyond, too.
    `groups[i, k]` are the shares of entrant i in the sets whose numbers leave the rest
    k: equal numbers have equal shuffles in all runs with the same seed.
    """

    rounds: Ints
    margins: Ints
    groups: Ints


@dataclass(frozen=True)
class Counted(TableWithCells):
    """A table whose tallies have `Counts` below their rows."""

    @property
    def cells(self) -> int:
        """The histograms, and the shares of each entrant by groups."""
        return _HISTOGRAM_CELLS + len(self.entrant_in[0]) * GROUPS

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play as the table does; see `Table.play`."""
        table, end = self.table, first_set + sets
        tally = new_tally(len(table.entrant_in[0]), table.rotation)
        cells = np.zeros(self.cells, np.int64)
        for first in range(first_set, end, SETS_AT_ONCE):
            count = min(SETS_AT_ONCE, end - first)
            kept = GameLog() if log is None else log
            tally += table.play(seed, number, first, count, kept)
            numbers = np.arange(first, first + count)
            cells += self._count(
                numbers, kept.last_outcomes(count * table.games_of_set)
            )
        return with_cells(tally, cells)

    def _count(self, sets: Ints, outcomes: Ints) -> Ints:
        rounds = np.minimum(outcomes[:, GameOutcome.ROUNDS], MOST_ROUNDS)
        margins = self._margins(sets, outcomes).clip(-MOST_MARGIN, MOST_MARGIN)
        return np.concatenate(
            [
                np.bincount(rounds, minlength=_ROUNDS),
                np.bincount(margins + MOST_MARGIN, minlength=2 * MOST_MARGIN + 1),
                self._groups(sets, outcomes).ravel(),
            ]
        )

    def _groups(self, sets: Ints, outcomes: Ints) -> Ints:
        """The shares of each entrant by the groups of the sets."""
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        won = outcomes[:, GameOutcome.PLACE : GameOutcome.PLACE + entrants] == 1
        full = whole(entrants) * self.table.rotation // self.table.games_of_set
        shares = won * (full // won.sum(axis=1))[:, None]
        of_game = sets.repeat(self.table.games_of_set)
        who = entrant_in[of_game % len(entrant_in)]
        cells = who * GROUPS + (of_game % GROUPS)[:, None]
        counted = np.bincount(
            cells.ravel(), weights=shares.ravel(), minlength=entrants * GROUPS
        )
        groups: Ints = counted.astype(np.int64).reshape(entrants, GROUPS)
        return groups

    def _margins(self, sets: Ints, outcomes: Ints) -> Ints:
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        if entrants == TWO:
            # The lead is that of the first seat.
            signs = np.where(entrant_in[:, 0] == 0, 1, -1)[sets % len(entrant_in)]
            of_games = signs.repeat(self.table.games_of_set)
            led: Ints = outcomes[:, GameOutcome.LEAD] * of_games
            return led
        points = outcomes[
            :, GameOutcome.PLACE + entrants : GameOutcome.PLACE + 2 * entrants
        ]
        best = np.sort(points, axis=1)
        ahead: Ints = best[:, -1] - best[:, -2]
        return ahead


def counts_in(tally: Ints, entrants: int) -> Counts | None:
    """The counts in a tally of `entrants`; None if there are none."""
    cells = _HISTOGRAM_CELLS + entrants * GROUPS
    rows = 1 + 2 * entrants + entrants * entrants
    below = cells_below(tally, rows, cells)
    if len(below) < cells:
        return None
    groups = below[_HISTOGRAM_CELLS:].reshape(entrants, GROUPS)
    return Counts(below[:_ROUNDS], below[_ROUNDS:_HISTOGRAM_CELLS], groups)


def with_counts(rows: Ints, counts: Counts) -> Ints:
    """A tally with these rows, and the counts below."""
    return with_cells(rows, np.concatenate([part.ravel() for part in counts]))


# -----------------------------------------------------------------------------
# Versions of a deck that play the same games: common random numbers.
#
# Every version meets the same opponent in the same sets. The opponent is the first
# player, so its deck is shuffled alike whatever the version holds, and cards that
# versions have in common lie in the same places before the shuffle, hence after it.
# Versions of different sizes have as many places, some of them empty, and shuffle
# these.

VERSION = 1
"""The player who has the version; the other one has the opponent."""

ROTATION = 2
SCORES = 2 * ROTATION + 1
"""How many scores a set can have: 0 to 4 half-points."""

Pair: TypeAlias = tuple[int, int]
"""Two versions by their places."""

_JOINT_CELLS = SCORES * SCORES
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
        joint = rows_of(len(self.pairs) * _JOINT_CELLS, columns)
        return len(self.tables) * rows + joint, columns

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each version in turn; see `Table.play`."""
        log = GameLog() if log is None else log
        tallies, scores = [], []
        for table in self.tables:
            tallies.append(table.play(seed, number, first_set, sets, log))
            scores.append(scores_of(log.last_outcomes(sets * ROTATION)))
        joint = [
            np.bincount(scores[a] * SCORES + scores[b], minlength=_JOINT_CELLS)
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
        cells = cells_below(tally, rows, len(self.pairs) * _JOINT_CELLS)
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
    own = outcomes[:, GameOutcome.PLACE + VERSION] == 1
    other = outcomes[:, GameOutcome.PLACE + 1 - VERSION] == 1
    points: Ints = np.where(own, np.where(other, 1, 2), 0)
    if by_game:
        return points
    scores: Ints = points.reshape(-1, ROTATION).sum(axis=1)
    return scores


# -----------------------------------------------------------------------------
# Plays many candidate decks on the same shuffles and counts the scores of each.
#
# Where `versions` and `contrasts` say how much a few decks differ, here hundreds are
# measured at once, to find good ones among them. Cards that decks have in common lie in
# the same places before the shuffle, hence after it.

DECKS_AT_ONCE = 32  # contexts in memory at once
CANDIDATE_SETS_AT_ONCE = 256


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
        """Play `sets` sets with each deck in turn; see `Table.play`."""
        head = new_tally(TWO, ROTATION)
        counts = np.zeros((len(self.decks), SCORES), np.int64)
        end = first_set + sets
        for place in range(0, len(self.decks), DECKS_AT_ONCE):
            decks = self.decks[place : place + DECKS_AT_ONCE]
            table = self._table(decks)
            for first in range(first_set, end, CANDIDATE_SETS_AT_ONCE):
                which = np.arange(first, min(first + CANDIDATE_SETS_AT_ONCE, end))
                games = _games(table, number, which, len(decks))
                outcomes = _play(table, seed, games, place, log)
                head += table.counted(games, outcomes, ROTATION)
                scores = scores_of(outcomes).reshape(len(decks), len(which))
                for i, own in enumerate(scores):
                    counts[place + i] += np.bincount(own, minlength=SCORES)
        head[0, Head.CHECKSUM] &= CHECKSUM_MASK
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
    """The games of these sets, deck by deck; a `ListedGame` row each."""
    games = np.empty((decks * len(sets) * ROTATION, len(ListedGame)), np.int64)
    games_of_each = len(sets) * ROTATION
    games[:, ListedGame.CONTEXT] = np.repeat(np.arange(decks), games_of_each)
    games[:, ListedGame.STREAM] = number * table.streams
    games[:, ListedGame.COUNTER] = np.tile(np.repeat(sets, ROTATION), decks)
    games[:, ListedGame.BEGINNER] = np.tile(np.arange(ROTATION), decks * len(sets))
    return games


def _play(
    table: Table, seed: int, games: Ints, place: int, log: GameLog | None
) -> Ints:
    """Play games, of which those of the first deck have this place of all."""
    if log is not None:
        of_set = (place + games[:, ListedGame.CONTEXT]) * ROTATION + games[
            :, ListedGame.BEGINNER
        ]
        log.begin(games, of_set)
    outcomes = play_listed(table, seed, games)
    if log is not None:
        log.end(outcomes)
    return outcomes


# -----------------------------------------------------------------------------
# Many versions of a deck that play the same games, and sums of what they differ by.
#
# Where `versions` counts the scores of two versions jointly, here weighted sums over
# versions are taken: one swap against the deck as it is, or the mean of several swaps.

Contrast: TypeAlias = tuple[tuple[int, int], ...]
"""Versions by their places, 0 the deck as it is, each with a whole weight."""


@dataclass(frozen=True)
class Contrasts(TableWithCells):
    """A table, and the decks of other versions that take the place of its second one.

    A tally is that of the deck as it is, with the checksum of all games, and below it
    the sums of each contrast over sets, in half-points, and of their squares.
    """

    decks: tuple[tuple[int, ...], ...]
    contrasts: tuple[Contrast, ...]

    @property
    def cells(self) -> int:
        """The sums of each contrast, and those of their squares."""
        return 2 * len(self.contrasts)

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each version in turn; see `Table.play`."""
        log = GameLog() if log is None else log
        scores = np.empty((1 + len(self.decks), sets), np.int64)
        tallies = []
        for place in range(len(scores)):
            table = self._table(place)
            tallies.append(table.play(seed, number, first_set, sets, log))
            scores[place] = scores_of(log.last_outcomes(sets * ROTATION))
        tally = tallies[0]
        tally[0, Head.CHECKSUM] = sum(int(t[0, Head.CHECKSUM]) for t in tallies)
        values = self._weights @ scores
        sums = np.stack([values.sum(axis=1), (values * values).sum(axis=1)])
        return with_cells(tally, sums)

    def own(self, tally: Ints) -> Ints:
        """The tally of the deck as it is."""
        return tally[: self.table.tally_shape[0]]

    def sums(self, tally: Ints) -> Ints:
        """Sums over sets of each contrast, in half-points, and of their squares."""
        return self.cells_of(tally).reshape(2, -1)

    @cached_property
    def _weights(self) -> Ints:
        weights = np.zeros((len(self.contrasts), 1 + len(self.decks)), np.int64)
        for row, contrast in enumerate(self.contrasts):
            for version, weight in contrast:
                weights[row, version] += weight
        return weights

    def _table(self, place: int) -> Table:
        if place == 0:
            return self.table
        x = self.table.read_contexts()
        deck = self.decks[place - 1]
        set_deck(x[0], VERSION, deck, by_place=bool(x["by_place"][0, VERSION]))
        return replace(self.table, contexts=(x.tobytes(),))


def with_swapped_decks(
    table: Table,
    numbers: Mapping[str, int],
    decks: Sequence[Mapping[str, int]],
    contrasts: Sequence[Contrast],
) -> Contrasts:
    """The table with the first of `decks` as that of its second player, and the others.

    Decks count cards by id, `numbers` are those of the engine. The first one must be
    the deck that sits at the table.
    """
    x = table.read_contexts()
    lists = [
        sorted(numbers[card] for card, count in deck.items() for _ in range(count))
        for deck in decks
    ]
    # A game may number the cards of its second player from another start.
    offset = int(min(deck_of(x[0]))) - lists[0][0]
    own, *others = aligned([[card + offset for card in deck] for deck in lists])
    by_place = any(0 in deck for deck in (own, *others))
    set_deck(x[0], VERSION, own, by_place=by_place)
    base = replace(table, contexts=(x.tobytes(),))
    return Contrasts(base, tuple(tuple(deck) for deck in others), tuple(contrasts))


# -----------------------------------------------------------------------------
# Two decks that meet with the cards as they are, and with cards that differ.
#
# The decks are the same and every game has the same shuffles, so what differs between
# two versions of the cards is caused by that.

Patch: TypeAlias = tuple[tuple[int, bytes], ...]
"""Where a context differs from another one, and the bytes that stand there."""


@dataclass(frozen=True)
class Retuned(TableWithCells):
    """A table of two, and what differs in its context for each version of the cards.

    A tally is that of the cards as they are, with the checksum of all games, and below
    it for each version how often the first deck scored each number of half-points.
    All games come from `stream`, whatever the number of the job.
    """

    patches: tuple[Patch, ...]
    stream: int

    @property
    def cells(self) -> int:
        """A count of each score, for each version of the cards."""
        return len(self.patches) * SCORES

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each version of the cards; tallies are added by `+`.

        `number` changes nothing. `log` gets a row for each game, version by version.
        Raises CrashedGame for a game that could not be played to its end.
        """
        tally = self.table.play(seed, self.stream, first_set, sets, log)
        counts = np.empty((len(self.patches), SCORES), np.int64)
        checksum = int(tally[0, Head.CHECKSUM])
        for place, patch in enumerate(self.patches):
            table = self._with(patch)
            other = table.play(seed, self.stream, first_set, sets, log)
            counts[place] = first_scores(other)
            checksum += int(other[0, Head.CHECKSUM])
        tally[0, Head.CHECKSUM] = checksum & CHECKSUM_MASK
        return with_cells(tally, counts)

    def scores(self, tally: Ints) -> list[tuple[int, ...]]:
        """How often the first deck came to 0 to 4 half-points: as is, each version."""
        counts = [first_scores(tally), *self.cells_of(tally).reshape(-1, SCORES)]
        return [tuple(int(n) for n in count) for count in counts]

    def _with(self, patch: Patch) -> Table:
        context = bytearray(self.table.contexts[0])
        for start, data in patch:
            context[start : start + len(data)] = data
        return replace(self.table, contexts=(bytes(context),))


def first_scores(tally: Ints) -> Ints:
    """How often the first entrant of a duel came to 0 to 4 half-points in a set."""
    return tally[1, SeatColumns.SHARES : SeatColumns.SHARES + SCORES]


def retuned(base: Table, others: Sequence[Table], stream: int) -> Retuned:
    """The table of two decks with others at which the same two sit with other cards.

    Cards that a deck has at all of them lie in the same places.
    """
    contexts = [table.read_contexts() for table in (base, *others)]
    for player in range(TWO):
        align_decks([x[0] for x in contexts], player)
    own, *rest = (x.tobytes() for x in contexts)
    patches = tuple(tuple(_differences(own, context)) for context in rest)
    return Retuned(replace(base, contexts=(own,)), patches, stream)


def _differences(own: bytes, other: bytes) -> Iterator[tuple[int, bytes]]:
    """Where `other` differs, in runs."""
    pair = np.frombuffer(own, np.uint8), np.frombuffer(other, np.uint8)
    places = np.flatnonzero(pair[0] != pair[1])
    if len(places):
        for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
            start, end = int(run[0]), int(run[-1]) + 1
            yield start, other[start:end]
