"""Versions of a deck, or of cards, on common shuffles, and histograms of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
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
    count_shares,
    new_tally,
)
from deckcheck.playing.table import (
    DUEL_STREAMS,
    SETS_AT_ONCE,
    GameLog,
    Table,
    TableWithCells,
    cells_below,
    join_tables,
    play_logged,
    set_table,
    with_cells,
)

# A table of which more is counted than sums: rounds, margins, and scores by groups
#
# They are counted from the outcomes of games, here and not in compiled code, which
# costs less than a hundredth of the time that the fastest players take.

MAX_ROUNDS = 31
MAX_MARGIN = 200
_ROUNDS = MAX_ROUNDS + 1
_HISTOGRAM_CELLS = _ROUNDS + 2 * MAX_MARGIN + 1
PLAYER_COUNT = 2
GROUP_COUNT = 128
"""Sets whose numbers leave the same rest are a group: runs can be paired by groups."""


class Counts(NamedTuple):
    """Histograms of the rounds of games, and of their margins.

    The last cells of both, and the first cell of margins, include all values beyond.
    """

    rounds: Ints
    """The number of games of n rounds, as `rounds[n]`."""
    margins: Ints
    """The number of games with a margin of m, as `margins[MAX_MARGIN + m]`.

    If two can win, the margin is the lead of the first entrant on the board at the end.
    If more can, it is the winner's lead over the second, which is never negative.
    """
    groups: Ints
    """The shares of entrant i in the sets of group k, as `groups[i, k]`.

    Sets of equal numbers have equal shuffles in all runs with the same seed.
    """


@dataclass(frozen=True)
class Counted(TableWithCells):
    """A table whose tallies have `Counts` below their rows."""

    @property
    def cells(self) -> int:
        """The histograms, and the shares of each entrant by groups."""
        return _HISTOGRAM_CELLS + len(self.entrant_in[0]) * GROUP_COUNT

    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play and count as many sets at once as `Table.play` does."""
        tally = np.zeros(self.tally_shape, np.int64)
        for first in range(0, len(sets), SETS_AT_ONCE):
            some_sets = sets[first : first + SETS_AT_ONCE]
            tally += play_together(seed, [(self, number, some_sets)], log)[0]
        return tally[: self.table.tally_shape[0]], self.flatten_cells(tally)

    @property
    def likeness(self) -> tuple[object, ...]:
        """The properties shared by tables that can be played together."""
        table = self.table
        shape = table.entrant_in, table.rotation, table.streams, table.once
        return table.game, table.variant, len(table.contexts), *shape

    def count(self, sets: Ints, outcomes: Ints, of_part: Ints) -> Ints:
        """Return the cells of each part. `of_part` has the part of each set."""
        parts = int(of_part[-1]) + 1
        part = of_part.repeat(self.table.games_of_set)
        rounds = np.minimum(outcomes[:, GameOutcome.ROUNDS], MAX_ROUNDS)
        margins = self._margins(sets, outcomes).clip(-MAX_MARGIN, MAX_MARGIN)
        counts = [
            _bincounts(part, rounds, _ROUNDS, parts),
            _bincounts(part, margins + MAX_MARGIN, 2 * MAX_MARGIN + 1, parts),
            self._groups(sets, outcomes, part, parts),
        ]
        return np.concatenate(counts, axis=1)

    def _groups(self, sets: Ints, outcomes: Ints, part: Ints, parts: int) -> Ints:
        """Return the shares of each entrant by groups of sets, for each part."""
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        won = outcomes[:, GameOutcome.PLACE : GameOutcome.PLACE + entrants] == 1
        full = count_shares(entrants) * self.table.rotation // self.table.games_of_set
        shares = won * (full // won.sum(axis=1))[:, None]
        of_game = sets.repeat(self.table.games_of_set)
        who = entrant_in[of_game % len(entrant_in)]
        cells = who * GROUP_COUNT + (of_game % GROUP_COUNT)[:, None]
        size = entrants * GROUP_COUNT
        return _bincounts(part[:, None], cells, size, parts, shares)

    def _margins(self, sets: Ints, outcomes: Ints) -> Ints:
        entrant_in = np.array(self.entrant_in)
        entrants = entrant_in.shape[1]
        if entrants == PLAYER_COUNT:
            # The lead is that of the first seat.
            signs = np.where(entrant_in[:, 0] == 0, 1, -1)[sets % len(entrant_in)]
            of_games = signs.repeat(self.table.games_of_set)
            led: Ints = outcomes[:, GameOutcome.LEAD] * of_games
            return led
        first = GameOutcome.PLACE + entrants
        points = np.sort(outcomes[:, first : first + entrants], axis=1)
        ahead: Ints = points[:, -1] - points[:, -2]
        return ahead


def play_together(
    seed: int, parts: Sequence[tuple[Counted, int, Ints]], log: GameLog | None = None
) -> list[Ints]:
    """Play sets at tables with the same `likeness` and players, for a tally of each.

    A part is a table, its number, and the numbers of its sets. All sets are in memory
    at once.
    """
    first = parts[0][0]
    table = first.table
    rows = table.tally_shape[0]
    sets = np.concatenate([sets for _, _, sets in parts])
    of_part = np.arange(len(parts)).repeat([len(sets) for _, _, sets in parts])
    numbers = np.array([number for _, number, _ in parts])
    games = table.list_games(numbers[of_part], sets)
    part = of_part.repeat(table.games_of_set)
    games[:, ListedGame.CONTEXT] += part * len(table.contexts)
    joint = join_tables([versions.table for versions, _, _ in parts])
    outcomes = play_logged(joint, seed, games, games[:, ListedGame.BEGINNER], log)
    tallies = np.zeros((len(parts), *first.tally_shape), np.int64)
    starts = [*np.searchsorted(part, np.arange(len(parts))).tolist(), len(part)]
    for tally, (start, end) in zip(tallies, pairwise(starts), strict=True):
        rows_of_part = slice(start, end)
        tally[:rows] = table.count_games(
            games[rows_of_part], outcomes[rows_of_part], table.games_of_set
        )
    cells = tallies[:, rows:].reshape(len(parts), -1)
    cells[:, : first.cells] = first.count(sets, outcomes, of_part)
    tallies[:, rows:] = cells.reshape(tallies[:, rows:].shape)
    return list(tallies)


def _bincounts(
    part: Ints, values: Ints, size: int, parts: int, weights: Ints | None = None
) -> Ints:
    """Count each value below `size` in each part, and return a row for each part."""
    cells = (part * size + values).ravel()
    flat_weights = None if weights is None else weights.ravel()
    counted = np.bincount(cells, flat_weights, size * parts).astype(np.int64)
    counts: Ints = counted.reshape(parts, size)
    return counts


def counts_in(tally: Ints, entrants: int) -> Counts | None:
    """Return the counts in a tally of `entrants`, None without counts."""
    cells = _HISTOGRAM_CELLS + entrants * GROUP_COUNT
    rows = 1 + 2 * entrants + entrants * entrants
    below = cells_below(tally, rows, cells)
    if len(below) < cells:
        return None
    groups = below[_HISTOGRAM_CELLS:].reshape(entrants, GROUP_COUNT)
    return Counts(below[:_ROUNDS], below[_ROUNDS:_HISTOGRAM_CELLS], groups)


def with_counts(rows: Ints, counts: Counts) -> Ints:
    """Return a tally with these rows, and the counts below."""
    return with_cells(rows, np.concatenate([part.ravel() for part in counts]))


# -----------------------------------------------------------------------------
# Versions of a deck, or of the cards, that play the same games: common random numbers
#
# Every version meets the same opponent in the same sets, so differences between two of
# them are caused by their cards. The opponent is the first player, whose deck is
# shuffled equally for all versions. Cards that versions have in common are in the same
# places before the shuffle, and so after it. Versions of different sizes have the same
# number of places, some of them empty, and shuffle the places.

VERSION_SEAT = 1
"""The seat of the versions of a deck; the opponent has seat 0."""

ROTATION = 2
SCORE_COUNT = 2 * ROTATION + 1
"""The number of scores that a set can have: 0 to 4 half-points."""

Pair: TypeAlias = tuple[int, int]
"""The indices of two versions."""

Contrast: TypeAlias = tuple[tuple[int, int], ...]
"""The indices of versions, each with a whole weight."""

Patch: TypeAlias = tuple[tuple[int, bytes], ...]
"""The positions where a context differs from another, each with its own bytes."""

_JOINT_CELLS = SCORE_COUNT * SCORE_COUNT
ENTRANT_IN = ((VERSION_SEAT, 0),)
"""The entrants in the order of a game: the version is the first entrant."""

VERSIONS_AT_ONCE = 32  # contexts in memory at once
SETS_OF_EACH = 256


@dataclass(frozen=True)
class Versions(TableWithCells):
    """The table of the first version, and the patches of the context of each version.

    Scores are the scores of the first entrant. They are counted jointly for `pairs`,
    and added up with weights for `contrasts`. With a `stream` all games come from it,
    regardless of the number of the job. A tally is the tally of the first version, with
    the checksum of all games. Its cells are how often a set brought each version 0 to 4
    half-points, the joint counts, and the sums of contrasts and of their squares.
    """

    patches: tuple[Patch, ...]
    pairs: tuple[Pair, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    stream: int | None = None

    @property
    def cells(self) -> int:
        """The scores, the joint scores and the sums."""
        return (
            SCORE_COUNT * len(self.patches)
            + _JOINT_CELLS * len(self.pairs)
            + 2 * len(self.contrasts)
        )

    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play the sets with each version."""
        stream = number if self.stream is None else self.stream
        tally = new_tally(PLAYER_COUNT, ROTATION)
        scores = np.empty((len(self.patches), len(sets)), np.int64)
        checksum = 0
        for start in range(0, len(scores), VERSIONS_AT_ONCE):
            versions = range(len(scores))[start : start + VERSIONS_AT_ONCE]
            table = self.of(*versions)
            for first in range(0, len(sets), SETS_OF_EACH):
                which = slice(first, first + SETS_OF_EACH)
                part = scores[versions.start : versions.stop, which]
                once = self.table.list_games(stream, sets[which])
                games = np.tile(once, (len(versions), 1))
                contexts = np.arange(len(versions)).repeat(len(once))
                games[:, ListedGame.CONTEXT] = contexts
                of_set = (start + games[:, ListedGame.CONTEXT]) * ROTATION
                of_set += games[:, ListedGame.BEGINNER]
                outcomes = play_logged(table, seed, games, of_set, log)
                part[:] = count_half_points(outcomes, self._scorer).reshape(part.shape)
                played = table.count_games(games, outcomes, ROTATION)
                checksum += int(played[0, Head.CHECKSUM])
                if start == 0:
                    tally += table.count_games(once, outcomes[: len(once)], ROTATION)
        tally[0, Head.CHECKSUM] = checksum & CHECKSUM_MASK
        return tally, self._count_games(scores)

    def scores(self, tally: Ints) -> list[tuple[int, ...]]:
        """Return how often a set brought each version 0 to 4 half-points."""
        return [tuple(row) for row in self._cells(tally)[0].tolist()]

    def joint(self, tally: Ints) -> dict[Pair, Ints]:
        """Return how often a set brought `[i, j]` half-points, for each of `pairs`."""
        return dict(zip(self.pairs, self._cells(tally)[1], strict=True))

    def sums(self, tally: Ints) -> Ints:
        """Return sums over sets of each contrast, in half-points, and of squares."""
        return self._cells(tally)[2]

    def _cells(self, tally: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the scores, the joint scores and the sums in a tally."""
        joint = SCORE_COUNT * len(self.patches)
        sums = joint + _JOINT_CELLS * len(self.pairs)
        parts = np.split(self.flatten_cells(tally), [joint, sums])
        return (
            parts[0].reshape(-1, SCORE_COUNT),
            parts[1].reshape(-1, SCORE_COUNT, SCORE_COUNT),
            parts[2].reshape(2, -1),
        )

    def _count_games(self, scores: Ints) -> Ints:
        """Return the cells of sets with the scores `[version, set]`."""
        cells = [np.bincount(row, minlength=SCORE_COUNT) for row in scores]
        for first, second in self.pairs:
            joint = scores[first] * SCORE_COUNT + scores[second]
            cells.append(np.bincount(joint, minlength=_JOINT_CELLS))
        values = self._weights @ scores
        cells.append(values.sum(axis=1))
        cells.append((values * values).sum(axis=1))
        return np.concatenate(cells)

    @cached_property
    def _weights(self) -> Ints:
        weights = np.zeros((len(self.contrasts), len(self.patches)), np.int64)
        for row, contrast in enumerate(self.contrasts):
            for version, weight in contrast:
                weights[row, version] += weight
        return weights

    @property
    def _scorer(self) -> int:
        """The player whom the game calls the first entrant."""
        return self.table.entrant_in[0].index(0)

    def of(self, *indices: int) -> Table:
        """Return a table with the contexts of these versions."""
        contexts = []
        for index in indices:
            context = bytearray(self.table.contexts[0])
            for start, data in self.patches[index]:
                context[start : start + len(data)] = data
            contexts.append(bytes(context))
        return replace(self.table, contexts=tuple(contexts))


def count_half_points(
    outcomes: Ints, player: int = VERSION_SEAT, *, by_game: bool = False
) -> Ints:
    """Return the half-points of a player, by default the version, by set or game."""
    is_first = outcomes[:, GameOutcome.PLACE + player] == 1
    is_opponent_first = outcomes[:, GameOutcome.PLACE + 1 - player] == 1
    points: Ints = np.where(is_first, np.where(is_opponent_first, 1, 2), 0)
    if by_game:
        return points
    scores: Ints = points.reshape(-1, ROTATION).sum(axis=1)
    return scores


# -----------------------------------------------------------------------------
# Versions from tables that were each seated


def seat_version(
    fmt: Format, database: CardDatabase, opponent: Seat, version: Seat
) -> Table:
    """Return the table of a version and an opponent, who is the first player."""
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

    Raises EngineError for a deck that the engine cannot play.
    """
    tables = [seat_version(fmt, database, opponent, version) for version in versions]
    return Versions(*_align_tables(tables, [VERSION_SEAT]), pairs=tuple(pairs))


def retune_table(base: Table, others: Sequence[Table], stream: int) -> Versions:
    """Return versions of a table of two: the table, and tables with other cards.

    Cards that a deck has at all tables are in the same places.
    """
    tables = [base, *others]
    return Versions(*_align_tables(tables, range(PLAYER_COUNT)), stream=stream)


def _align_tables(
    tables: Sequence[Table], players: Iterable[int]
) -> tuple[Table, tuple[Patch, ...]]:
    """Return the first table and the patches of all, with aligned decks."""
    contexts = [table.read_contexts()[0] for table in tables]
    for player in players:
        decks = align_decks([view_deck(x, player).tolist() for x in contexts])
        by_place = any(0 in deck for deck in decks)
        for x, deck in zip(contexts, decks, strict=True):
            set_deck(x, player, deck, by_place=by_place)
    return _find_patches(tables[0], [x.tobytes() for x in contexts])


def _find_patches(
    table: Table, contexts: Sequence[bytes]
) -> tuple[Table, tuple[Patch, ...]]:
    """Return the table with the first context, and the differences of each context."""
    first = contexts[0]
    patches = tuple(tuple(_find_differences(first, each)) for each in contexts)
    return replace(table, contexts=(first,)), patches


def _find_differences(first: bytes, other: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the stretches of bytes in which `other` differs, with their positions."""
    is_other = np.frombuffer(first, np.uint8) != np.frombuffer(other, np.uint8)
    positions = np.flatnonzero(is_other)
    if len(positions):
        for run in np.split(positions, np.flatnonzero(np.diff(positions) > 1) + 1):
            start = int(run[0])
            end = int(run[-1]) + 1
            yield start, other[start:end]


def align_decks(decks: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the decks, with cards that the first deck shares in the same places.

    A card that replaces another takes its place, a further card is at the end. All
    decks have as many places as the largest, and 0 for an empty place.
    """
    shared = Counter(decks[0])
    for deck in decks[1:]:
        shared &= Counter(deck)
    rest = Counter(decks[0]) - shared
    order = [*sorted(shared.elements()), *sorted(rest.elements())]
    placed = [put_in_place(deck, order) for deck in decks]
    places = max(len(deck) for deck in decks)
    return [(deck + [0] * places)[:places] for deck in placed]


def put_in_place(deck: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return the deck with its cards in the places that they have in `order`.

    Other cards take the places of cards of `order` that the deck lacks, then places at
    the end. A place without a card is 0.
    """
    left = Counter(deck)
    placed = []
    for card in order:
        is_held = left[card] > 0
        left[card] -= is_held
        placed.append(card if is_held else 0)
    others = sorted(left.elements())
    for index, card in enumerate(placed):
        if card == 0 and others:
            placed[index] = others.pop(0)
    return placed + others


def set_deck(
    context: npt.NDArray[np.void],
    player: int,
    deck: Sequence[int],
    *,
    by_place: bool,
) -> None:
    """Give a player a deck. With `by_place` its places are shuffled."""
    context["n_deck"][player] = len(deck)
    context["deck"][player, : len(deck)] = deck
    context["deck"][player, len(deck) :] = 0
    context["by_place"][player] = by_place


def view_deck(
    context: npt.NDArray[np.void], player: int = VERSION_SEAT
) -> npt.NDArray[np.int64]:
    """Return a view of the places of a deck in a context, by default the version's."""
    size = int(context["n_deck"][player])
    deck: npt.NDArray[np.int64] = context["deck"][player, :size]
    return deck


def find_card_numbers(
    table: Table, numbers: Mapping[str, int], cards: Iterable[str]
) -> dict[str, int]:
    """Return the numbers in a game of all cards of the version's deck, by id.

    `numbers` are the numbers of the engine. A game may number the cards of its second
    player from another start.
    """
    held = sorted({int(card) for card in view_deck(table.read_contexts()[0])})
    ids = sorted(cards, key=lambda card: numbers[card])
    return dict(zip(ids, held, strict=True))


# -----------------------------------------------------------------------------
# Versions by their cards: decks that replace the deck of a player at a table


@dataclass(frozen=True)
class OpenSeat:
    """A table whose second player gets another deck, with the same leader.

    The game adds `offset` to the numbers of the cards of this player.
    """

    table: Table
    offset: int

    def context(self, deck: Sequence[int], *, by_place: bool) -> bytes:
        """Return the context with a deck of card numbers, 0 for an empty place."""
        x = self.table.read_contexts()
        numbers = [card + self.offset if card else 0 for card in deck]
        set_deck(x[0], VERSION_SEAT, numbers, by_place=by_place)
        return x.tobytes()


def open_seat(
    table: Table, numbers: Mapping[str, int], deck: Mapping[str, int]
) -> OpenSeat:
    """Return the seat of the second player, who has `deck`, as counts of ids.

    `numbers` are the numbers of the cards in the engine.
    """
    lowest = min(numbers[card] for card, count in deck.items() if count)
    lowest_seated = int(min(view_deck(table.read_contexts()[0])))
    return OpenSeat(table, lowest_seated - lowest)


def seat_candidates(
    seats: Sequence[OpenSeat],
    numbers: Mapping[str, int],
    decks: Sequence[tuple[int, Mapping[str, int]]],
) -> Versions:
    """Seat each deck, as counts of ids, at the open seat of its index.

    Cards that a deck shares with the first deck are in the same places. Hundreds of
    decks can be measured at once, to find good decks among them.
    """
    lists = [_number_cards(numbers, deck) for _, deck in decks]
    contexts = []
    for (index, _), deck in zip(decks, lists, strict=True):
        placed = [card for card in put_in_place(deck, lists[0]) if card]
        contexts.append(seats[index].context(placed, by_place=False))
    return Versions(*_find_patches(seats[0].table, contexts))


def with_swapped_decks(
    table: Table,
    numbers: Mapping[str, int],
    decks: Sequence[Mapping[str, int]],
    contrasts: Sequence[Contrast],
) -> Versions:
    """Return the table with each of `decks` as the deck of its second player.

    Decks count cards by id, `numbers` are the numbers of the engine. The first deck
    must be the deck at the table.
    """
    seat = open_seat(table, numbers, decks[0])
    placed = align_decks([_number_cards(numbers, deck) for deck in decks])
    by_place = any(0 in deck for deck in placed)
    contexts = [seat.context(deck, by_place=by_place) for deck in placed]
    return Versions(*_find_patches(table, contexts), contrasts=tuple(contrasts))


def _number_cards(numbers: Mapping[str, int], deck: Mapping[str, int]) -> list[int]:
    """Return the numbers of all cards of a deck, in order."""
    return sorted(numbers[card] for card in Counter(deck).elements())
