"""A table of seats, playing its blocks, cells of a tally."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, permutations
from math import ceil
from typing import Any, overload
from zlib import compress, decompress

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.decks.model import Deck
from deckcheck.engine.cache import compiled
from deckcheck.engine.records import Records
from deckcheck.engine.registry import (
    CrashedGame,
    GameDoesNotEnd,
    Seat,
    UnplayedCode,
    coin_decides,
    coin_decides_between,
    load_game,
)
from deckcheck.formats import Format
from deckcheck.playing.kernel import (
    ENTRANT_BLOCKS,
    GameOutcome,
    HandTrial,
    Ints,
    ListedGame,
    Way,
    count_sets,
    count_shares,
    new_tally,
    play_games,
)
from deckcheck.policies.registry import Policy, policy_number, read_policy
from deckcheck.policies.workspace import extra_players, new_workspace, played_as

# A row for each game, where somebody wants to know them one by one


@dataclass(slots=True)
class GameLog:
    """The games of some sets, in the order in which they were played.

    A crashed game has no outcome.
    """

    _begun: list[Ints] = field(default_factory=list)
    _of_set: list[Ints] = field(default_factory=list)
    _outcomes: list[Ints] = field(default_factory=list)

    def begin(self, games: Ints, of_set: Ints) -> None:
        """Note games that begin. `of_set` has the number of each within its set."""
        self._begun.append(games)
        self._of_set.append(of_set)

    def end(self, outcomes: Ints) -> None:
        """Record the outcomes of the games that began last."""
        self._outcomes.append(outcomes)

    def begun_last(self, index: int) -> int:
        """Return the number within its set of a game of the last games, or 0."""
        return int(self._of_set[-1][index]) if self._of_set else 0

    @property
    def games(self) -> Ints:
        """The games played: a row with the columns of `ListedGame` for each."""
        return np.concatenate(self._begun)

    @property
    def of_set(self) -> Ints:
        """The number of each game within its set, or of its match."""
        return np.concatenate(self._of_set)

    def rows(self) -> Ints:
        """Return a row for each finished game, set by set.

        It has the columns of `of_set`, `games` and `outcomes`. Games of a match stay in
        the order in which they were played.
        """
        games = self.games
        of_set = self.of_set
        order = np.lexsort((of_set, games[:, ListedGame.COUNTER]))
        rows: Ints = np.column_stack((of_set, games, self.outcomes))
        return rows[order]

    @property
    def outcomes(self) -> Ints:
        """The outcome of each game that ended: a row as `GameOutcome` has it."""
        return np.concatenate(self._outcomes)


# -----------------------------------------------------------------------------
# Players at a table: seated once as plain numbers, then played in sets
#
# A set has the same shuffles once with each seat beginning. For two players that is a
# game pair. Each set takes the next order of the seats, so that nobody always sits next
# to the same opponent.

# The random streams of a table: chance, and the players' own chance in up to seven
# games.
STREAM_COUNT = 8
DUEL_STREAMS = 4  # enough for pairs, and unchanged so that old games can be replayed
NO_MOVES = np.empty(0, np.int64)
NO_CARDS = np.empty((0, 0), np.int64)
NO_TRIAL = HandTrial(
    player=-1,
    way=int(Way.OWN),
    cards=NO_MOVES,
    hand=NO_MOVES,
    slots=NO_MOVES,
    seen=np.empty((0, 0, 0), np.int64),
    dealt=NO_CARDS,
    redrawn=NO_CARDS,
    held=NO_CARDS,
)
"""Nobody's hand is watched."""
SETS_AT_ONCE = 4096  # bounds the memory of a block


class LazyContexts(Sequence[bytes]):
    """The contexts of a table, filled when they are read and not kept for long.

    A round robin of 200 decks has 19,900 tables, which would take a gigabyte.
    """

    __slots__ = ("_count", "fill")

    def __init__(self, count: int, fill: Callable[[], Iterable[bytes]]) -> None:
        self._count = count
        self.fill = fill

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[bytes, ...]: ...

    def __getitem__(self, index: int | slice) -> bytes | tuple[bytes, ...]:
        return _fill(self)[index]

    def __iter__(self) -> Iterator[bytes]:
        return iter(_fill(self))


@lru_cache(maxsize=2)
def _fill(contexts: LazyContexts) -> tuple[bytes, ...]:
    return tuple(contexts.fill())


@dataclass(frozen=True)
class Table:
    """Everything a worker needs to play, small when pickled."""

    game: str
    variant: str
    """A key of the game's `RECORD_TYPES`."""
    contexts: Sequence[bytes]
    """The bytes of a context record for each order of the seats."""
    entrant_in: tuple[tuple[int, ...], ...] = ((0, 1),)
    """The entrant that the game calls `i`, as `entrant_in[order][i]`."""
    rotation: int = 2
    """The number of games of a set."""
    streams: int = STREAM_COUNT
    """The number of random streams of the table's own."""
    once: bool = False
    """Whether only the first game of a set is played and counts for all, since all
    would be equal."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pack the table for workers, since contexts are mostly zeros.

        A pool whose pipe is full when a worker dies waits for ever in early releases
        of Python 3.11 (https://github.com/python/cpython/issues/94777).
        """
        packed = tuple(compress(context, 1) for context in self.contexts)
        rest = (self.entrant_in, self.rotation, self.streams, self.once)
        return _unpack, (self.game, self.variant, packed, *rest)

    @cached_property
    def extras(self) -> tuple[str, ...]:
        """The players at this table who are compiled only when they are seated."""
        policies = self._seen_contexts()["policy"].ravel().tolist()
        return extra_players(policies, self.game, self.variant)

    @cached_property
    def beginner_matters(self) -> npt.NDArray[np.bool_]:
        """Whether the winner of the coin toss matters, for each context.

        It does not where an ability decides who begins, and no move is random.
        """
        contexts = self._seen_contexts()
        if self.variant != "two":
            return np.ones(len(contexts), np.bool_)
        policies = contexts["policy"].reshape(len(contexts), -1)
        is_random = policies != int(Policy.HEURISTIC)
        matters: npt.NDArray[np.bool_] = is_random.any(axis=1)
        for index in np.flatnonzero(~matters):
            matters[index] = coin_decides(self.game, contexts[index])
        return matters

    @property
    def games_of_set(self) -> int:
        """The number of games of a set that are played."""
        return 1 if self.once else self.rotation

    @property
    def engine(self) -> str:
        """The part of the engine that plays here, as a word: `gwent-many-search`."""
        variant = () if self.variant == "two" else (self.variant,)
        return "-".join((self.game, *variant, *self.extras))

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        return _tally_shape(len(self.entrant_in[0]), self.rotation)

    def read_contexts(self) -> npt.NDArray[np.void]:
        """Return the contexts, in an array that can be written to."""
        # A copy of an array would be made field by field.
        return np.frombuffer(bytearray().join(self.contexts), self._dtype)

    def _seen_contexts(self) -> npt.NDArray[np.void]:
        """Return the read-only contexts in which games are played."""
        contexts: npt.NDArray[np.void] = _OPENED.open(self)[1].view(np.ndarray)
        return contexts

    @property
    def _dtype(self) -> np.dtype[np.void]:
        return _records(self.game, self.variant)[1]

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets from `first_set` on, and return their tally.

        Every game is a pure function of (table, seed, number, set, beginner). `log`
        gets a row for each.

        Raises CrashedGame for a game that cannot be played to its end.
        """
        tally = new_tally(len(self.entrant_in[0]), self.rotation)
        end = first_set + sets
        for first in range(first_set, end, SETS_AT_ONCE):
            numbers = np.arange(first, min(first + SETS_AT_ONCE, end))
            tally += self._play_sets(seed, number, numbers, log)
        return tally

    def list_games(self, number: int | Ints, sets: Ints) -> Ints:
        """Return a row with the columns of `ListedGame` for each game of these sets.

        `number` is the number of the table, or an array with a number for each set.
        """
        games = np.empty((len(sets) * self.games_of_set, len(ListedGame)), np.int64)
        of_set = np.repeat(sets, self.games_of_set)
        streams = np.full(len(sets), number) * self.streams
        games[:, ListedGame.CONTEXT] = of_set % len(self.contexts)
        games[:, ListedGame.STREAM] = np.repeat(streams, self.games_of_set)
        games[:, ListedGame.COUNTER] = of_set
        games[:, ListedGame.BEGINNER] = np.tile(np.arange(self.games_of_set), len(sets))
        return games

    def _play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> Ints:
        games = self.list_games(number, sets)
        outcomes = play_logged(self, seed, games, games[:, ListedGame.BEGINNER], log)
        return self.count_games(games, outcomes, self.games_of_set)

    def count_games(self, games: Ints, outcomes: Ints, rotation: int) -> Ints:
        """Return the tally of finished games, in sets of `rotation` games each."""
        which = games[:, ListedGame.CONTEXT] % len(self.entrant_in)
        who = np.array(self.entrant_in, np.int64)[which]
        tally = new_tally(who.shape[1], self.rotation)
        # A single game brings as much as all games of its set would.
        full = count_shares(who.shape[1]) * self.rotation // self.games_of_set
        numbers = np.ascontiguousarray(games[:, ListedGame.COUNTER])
        sums = np.zeros_like(tally)
        count_sets(outcomes, who, numbers, rotation, full, tally, sums)
        return tally


def join_tables(tables: Sequence[Table]) -> Table:
    """Return a table with the contexts of all tables, which differ only in these."""
    if len(tables) == 1:
        return tables[0]
    count = sum(len(table.contexts) for table in tables)
    contexts = LazyContexts(count, lambda: chain(*(t.contexts for t in tables)))
    return replace(tables[0], contexts=contexts)


@cache
def _records(game: str, variant: str) -> tuple[np.dtype[np.void], ...]:
    """Return the dtypes of state and context as a `np.recarray` has them."""
    dtypes = load_game(game).RECORD_TYPES[variant]
    return tuple(np.dtype((np.record, dtype)) for dtype in dtypes)


@cache
def _tally_shape(entrants: int, rotation: int) -> tuple[int, int]:
    rows, columns = new_tally(entrants, rotation).shape
    return rows, columns


def _unpack(game: str, variant: str, packed: tuple[bytes, ...], *rest: Any) -> Table:
    return Table(game, variant, tuple(map(decompress, packed)), *rest)


def beginner_ever_matters(
    table: Table,
    database: CardDatabase,
    factions: Sequence[str | None],
    policies: Sequence[str],
) -> bool:
    """Report whether a duel has any `beginner_matters`, without its contexts."""
    if table.variant != "two":
        return True
    seated = [played_as(policy_number(p), table.game, table.variant) for p in policies]
    is_random = any(policy != Policy.HEURISTIC for policy in seated)
    return is_random or coin_decides_between(table.game, database, factions)


def seat(deck: Deck, policy: str) -> Seat:
    """Seat a deck with its player.

    Raises UsageError for an unknown policy.
    """
    return replace(
        seat_random_deck(policy),
        cards=dict(deck.counts()),
        faction=deck.faction,
        leader=deck.leader,
        reserves=dict(deck.reserve_counts()) or None,
    )


def seat_random_deck(policy: str) -> Seat:
    """Seat a player who gets a new random deck in every game.

    Raises UsageError for an unknown policy.
    """
    player = read_policy(policy)
    return Seat(None, player.policy, heuristic=player.heuristic, budget=player.budget)


def circular_orders(players: int) -> list[tuple[int, ...]]:
    """Return every order in which `players` can sit around a table."""
    return [(0, *rest) for rest in permutations(range(1, players))]


def set_table(
    fmt: Format,
    database: CardDatabase,
    seats: Sequence[Seat],
    *,
    orders: Sequence[Sequence[int]] | None = None,
    entrant_in: Sequence[Sequence[int]] | None = None,
    rotation: int | None = None,
    streams: int = STREAM_COUNT,
) -> Table:
    """Seat players for sets of games.

    The sets go through `orders` of the seats, by default only the given order. Every
    seat is an entrant unless `entrant_in` differs, and begins once in a set unless
    `rotation` differs. The heuristic takes the seat of a policy that does not know the
    game.

    Raises EngineError if the engine cannot play this game, data or deck.
    """
    table = plan_table(
        fmt,
        database,
        len(seats),
        lambda: seats,
        orders=orders,
        entrant_in=entrant_in,
        rotation=rotation,
        streams=streams,
    )
    return replace(table, contexts=tuple(table.contexts))


def plan_table(
    fmt: Format,
    database: CardDatabase,
    players: int,
    seats: Callable[[], Iterable[Seat]],
    *,
    orders: Sequence[Sequence[int]] | None = None,
    entrant_in: Sequence[Sequence[int]] | None = None,
    rotation: int | None = None,
    streams: int = STREAM_COUNT,
) -> Table:
    """Return the table of `set_table`, whose contexts are filled when they are read.

    Only then `seats` is called, and EngineError raised.
    """
    variant = load_game(fmt.game).find_variant(fmt, players)
    orders = orders or _as_given(players)
    # A large round robin has many tables, so they share all that is equal.
    fill = partial(_fill_contexts, fmt, database, variant, orders, seats)
    return Table(
        game=fmt.game,
        variant=variant,
        contexts=LazyContexts(len(orders), fill),
        entrant_in=tuple(map(tuple, entrant_in or orders)),
        rotation=rotation or players,
        streams=streams,
    )


@cache
def _as_given(players: int) -> tuple[tuple[int, ...]]:
    """Return the given order of the seats as the only order."""
    return (tuple(range(players)),)


def _fill_contexts(
    fmt: Format,
    database: CardDatabase,
    variant: str,
    orders: Sequence[Sequence[int]],
    seats: Callable[[], Iterable[Seat]],
) -> Iterator[bytes]:
    """Yield the context of the same seats in each order."""
    seated = [_seat_policy(sitting, fmt.game, variant) for sitting in seats()]
    fill = load_game(fmt.game).fill_context
    for order in orders:
        yield fill(database, fmt, [seated[i] for i in order]).tobytes()


def _seat_policy(sitting: Seat, game: str, variant: str) -> Seat:
    """Return the seat with the policy that really plays there."""
    policy = played_as(sitting.policy, game, variant)
    return sitting if policy == sitting.policy else replace(sitting, policy=policy)


def play_listed(table: Table, seed: int, games: Ints, moves: Ints = NO_MOVES) -> Ints:
    """Play the games of a list (see `ListedGame`) and return their `GameOutcome` rows.

    A game that differs from an earlier game only in a beginner that does not matter is
    not played again. `moves` gets as many moves of the last game as have room.

    Raises CrashedGame.
    """
    first, copies = _find_different(table, games)
    try:
        outcomes = play_every_game(table, seed, games[first], moves)
    except CrashedGame as error:
        raise CrashedGame(str(error), int(first[error.index])) from error
    return outcomes[copies]


def play_every_game(
    table: Table,
    seed: int,
    games: Ints,
    moves: Ints = NO_MOVES,
    trial: HandTrial = NO_TRIAL,
) -> Ints:
    """Play each game of a list and return their `GameOutcome` rows.

    `moves` gets as many moves of the last game as have room, and `trial` the watched
    cards. Raises CrashedGame for a game that cannot be played to its end.
    """
    columns = GameOutcome.PLACE + ENTRANT_BLOCKS * len(table.entrant_in[0])
    outcomes = np.empty((len(games), columns), np.int64)
    current_game = np.zeros(1, np.int64)
    try:
        records = lend_records(table)
        play_games(*records, seed, games, outcomes, moves, trial, current_game)
    except (IndexError, GameDoesNotEnd, UnplayedCode) as error:
        crashed = int(current_game[0])
        _, stream, counter, beginner = games[crashed].tolist()
        where = f"seed {seed}, stream {stream}, game {counter}, beginner {beginner}"
        raise CrashedGame(f"a game crashed ({error}): {where}", crashed) from error
    return outcomes


def play_logged(
    table: Table, seed: int, games: Ints, of_set: Ints, log: GameLog | None
) -> Ints:
    """Play as `play_listed` does. `log` gets the games, see `GameLog.begin`."""
    if log is not None:
        log.begin(games, of_set)
    outcomes = play_listed(table, seed, games)
    if log is not None:
        log.end(outcomes)
    return outcomes


def _find_different(table: Table, games: Ints) -> tuple[Ints, Ints]:
    """Return the indices of the different games, and the index of each in these."""
    if table.beginner_matters.all():
        return np.arange(len(games)), np.arange(len(games))
    same = games.copy()
    same[~table.beginner_matters[games[:, ListedGame.CONTEXT]], ListedGame.BEGINNER] = 0
    _, first, inverse = np.unique(same, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[inverse.ravel()]


def new_states(game: str, variant: str, count: int) -> Any:
    """Return `count` empty states. Element 0 is the game, the others are for search."""
    return np.zeros(count, _records(game, variant)[0]).view(np.recarray)


# -----------------------------------------------------------------------------
# Opened tables, kept for the next block


def open_table(table: Table) -> tuple[Any, Any]:
    """Return new state and context arrays of a table, ready to play."""
    states = new_states(table.game, table.variant, 1)
    return states, table.read_contexts().view(np.recarray)


def _open_plain_table(table: Table) -> tuple[Records, Records]:
    states, contexts = open_table(table)
    return Records(states), Records(contexts)


def _open_plain_workspace(game: str, variant: str, extras: tuple[str, ...]) -> Records:
    return Records(new_workspace(game, variant, extras))


class _OpenedTables(threading.local):
    """The records of the tables and players of a thread, which it alone plays in."""

    def __init__(self) -> None:
        self.open = lru_cache(maxsize=2)(open_table)
        self.open_workspace = lru_cache(maxsize=8)(new_workspace)
        self.open_plain = lru_cache(maxsize=8)(_open_plain_table)
        self.open_plain_workspace = cache(_open_plain_workspace)


_OPENED = _OpenedTables()


def lend_records(table: Table) -> tuple[Any, Any, Any]:
    """Return states, contexts and workspaces of a table, for this thread alone."""
    workspace = table.game, table.variant, table.extras
    if compiled:
        return *_OPENED.open(table), _OPENED.open_workspace(*workspace)
    return *_OPENED.open_plain(table), _OPENED.open_plain_workspace(*workspace)


# -----------------------------------------------------------------------------
# Tallies with further cells below the rows of a table


@dataclass(frozen=True)
class TableWithCells(ABC):
    """A table that counts more of its games, in cells below the rows of a tally."""

    table: Table

    @property
    @abstractmethod
    def cells(self) -> int:
        """The number of cells of a tally below the rows of the table."""

    @abstractmethod
    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play sets by number, and return the tally of the table and the cells."""

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play as the table does, see `Table.play`."""
        numbers = np.arange(first_set, first_set + sets)
        return with_cells(*self.play_sets(seed, number, numbers, log))

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return self.table.engine

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The entrants in the order of a game, for each order of the seats."""
        return self.table.entrant_in

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        rows, columns = self.table.tally_shape
        return rows + count_rows(self.cells, columns), columns

    def flatten_cells(self, tally: Ints) -> Ints:
        """Return the cells of a tally, in a row."""
        return cells_below(tally, self.table.tally_shape[0], self.cells)


def count_rows(cells: int, columns: int) -> int:
    """Return the number of rows that the cells take in a tally."""
    return ceil(cells / columns)


def with_cells(tally: Ints, cells: Ints) -> Ints:
    """Return the tally with the cells in further rows, filled up with 0."""
    columns = tally.shape[1]
    below = np.zeros((count_rows(cells.size, columns), columns), np.int64)
    below.ravel()[: cells.size] = cells.ravel()
    return np.concatenate([tally, below])


def cells_below(tally: Ints, rows: int, cells: int) -> Ints:
    """Return the first `cells` cells below `rows` of a tally, or as many as it has."""
    return tally[rows:].ravel()[:cells]
