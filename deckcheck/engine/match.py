"""Decks at a table: prepared once as plain numbers, played in blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.decks.model import Deck
from deckcheck.engine.errors import CrashedGame, GameDoesNotEnd, UnplayedCode
from deckcheck.engine.host.registry import load_game
from deckcheck.engine.host.seat import Seat
from deckcheck.engine.play import play_pairs
from deckcheck.engine.set_tally import new_set_tally
from deckcheck.engine.sets import play_sets
from deckcheck.engine.tally import new_tally
from deckcheck.formats import Format
from deckcheck.policies.host.registry import policy_number

__all__ = [
    "Table",
    "circular_orders",
    "new_states",
    "open_table",
    "play_block",
    "play_set_block",
    "prepare",
    "prepare_seats",
    "seat",
]


@dataclass(frozen=True)
class Table:
    """Everything a worker needs to play one pairing; small, and can be pickled.

    `variant` names the records of the game (its `RECORDS`). `contexts` holds the bytes
    of a context record for each order of the seats, `entrant_in[order][i]` is the
    entrant that the game calls `i` in that order, and a set has `rotation` games.
    """

    game: str
    variant: str
    contexts: tuple[bytes, ...]
    entrant_in: tuple[tuple[int, ...], ...] = ((0, 1),)
    rotation: int = 2


def seat(deck: Deck, policy: str) -> Seat:
    """Seat a deck with its player.

    Raises:
        UsageError: unknown policy.
    """
    cards = dict(deck.counts())
    return Seat(cards, policy_number(policy), deck.faction, deck.leader)


def prepare(
    fmt: Format, database: CardDatabase, decks: Sequence[Deck], policies: Sequence[str]
) -> Table:
    """Seat two `decks` with their `policies` at a table of `fmt`.

    Raises:
        EngineError: the engine cannot play this game, data or deck.
        UsageError: unknown policy.
    """
    seats = [seat(deck, policy) for deck, policy in zip(decks, policies, strict=True)]
    game = load_game(fmt.game)
    variant = game.variant_of(fmt, len(seats))
    context = game.fill_context(database, fmt, seats)
    return Table(fmt.game, variant, (context.tobytes(),))


def circular_orders(players: int) -> list[tuple[int, ...]]:
    """Every order in which `players` can sit around a table, one begins anywhere."""
    return [(0, *rest) for rest in permutations(range(1, players))]


def prepare_seats(
    fmt: Format,
    database: CardDatabase,
    seats: Sequence[Seat],
    orders: Sequence[Sequence[int]],
    entrant_in: Sequence[Sequence[int]],
    rotation: int,
) -> Table:
    """Seat players for sets of games; `orders` are those that the sets go through.

    `seats` are what `seat` returns, or what the game's own functions make of an
    opponent. Raises EngineError as `prepare` does.
    """
    game = load_game(fmt.game)
    variant = game.variant_of(fmt, len(seats))
    contexts = tuple(
        game.fill_context(database, fmt, [seats[i] for i in order]).tobytes()
        for order in orders
    )
    who = tuple(tuple(entrants) for entrants in entrant_in)
    return Table(fmt.game, variant, contexts, who, rotation)


def new_states(game: str, variant: str, count: int) -> Any:
    """`count` empty states; element 0 is the game, the others are for search."""
    return np.zeros(count, load_game(game).RECORDS[variant][0]).view(np.recarray)


@lru_cache(maxsize=8)
def open_table(table: Table) -> tuple[Any, Any]:
    """The state and context arrays of a table, ready to play."""
    context = load_game(table.game).RECORDS[table.variant][1]
    contexts = np.frombuffer(bytearray(b"".join(table.contexts)), context)
    states = new_states(table.game, table.variant, 1)
    return states, contexts.view(np.recarray)


@lru_cache(maxsize=64)
def open_seats(table: Table, at_seats: int) -> tuple[Any, Any]:
    """The same with one of the contexts of a table alone."""
    states, contexts = open_table(table)
    return states, contexts[at_seats : at_seats + 1]


def play_block(
    table: Table,
    seed: int,
    pairing: int,
    first_pair: int,
    pairs: int,
    at_seats: int = 0,
) -> npt.NDArray[np.int64]:
    """Play `pairs` mirrored pairs from `first_pair` on; returns their tally.

    `at_seats` is the context to play with, where the table has several. Every game is a
    pure function of (table, seed, pairing, pair).

    Raises:
        CrashedGame: a game could not be played to its end.
    """
    states, contexts = open_seats(table, at_seats)
    tally = new_tally()

    def play(at: Any) -> None:
        play_pairs(states, contexts, seed, pairing, first_pair, pairs, tally, at)

    _report_crash(play, f"seed {seed}, pairing {pairing}, pair")
    return tally


def play_set_block(
    table: Table, seed: int, number: int, first_set: int, sets: int
) -> npt.NDArray[np.int64]:
    """Play `sets` sets from `first_set` on; returns their tally (see `set_tally`).

    Every game is a pure function of (table, seed, number, set).

    Raises:
        CrashedGame: a game could not be played to its end.
    """
    states, contexts = open_table(table)
    who = np.array(table.entrant_in, np.int64)
    tally = new_set_tally(who.shape[1], table.rotation)
    sums = np.zeros_like(tally)

    def play(at: Any) -> None:
        play_sets(
            *(states, contexts, who, seed, number, first_set, sets, table.rotation),
            *(tally, sums, at),
        )

    _report_crash(play, f"seed {seed}, table {number}, set")
    return tally


def _report_crash(play: Callable[[Any], None], where: str) -> None:
    at = np.zeros(1, np.int64)
    try:
        play(at)
    except (IndexError, GameDoesNotEnd, UnplayedCode) as error:
        raise CrashedGame(f"a game crashed ({error}): {where} {at[0]}") from error
