"""Two decks at a table: prepared once as plain numbers, played in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.decks.model import Deck
from deckcheck.engine.errors import CrashedGame, GameDoesNotEnd
from deckcheck.engine.play import play_pairs
from deckcheck.engine.registry import load_game
from deckcheck.engine.tally import new_tally
from deckcheck.formats import Format
from deckcheck.policies.registry import policy_number

__all__ = ["Table", "play_block", "prepare"]


@dataclass(frozen=True)
class Table:
    """Everything a worker needs to play one pairing; small, and can be pickled.

    `context` holds the bytes of the game's context record.
    """

    game: str
    context: bytes


def prepare(
    fmt: Format, database: CardDatabase, decks: Sequence[Deck], policies: Sequence[str]
) -> Table:
    """Seat `decks` with their `policies`, one each, at a table of `fmt`.

    Raises:
        EngineError: the engine cannot play this game, data or deck.
        UsageError: unknown policy.
    """
    game = load_game(fmt.game)
    seats = [
        {
            "faction": deck.faction,
            "leader": deck.leader,
            "cards": dict(deck.counts()),
            "policy": policy_number(policy),
        }
        for deck, policy in zip(decks, policies, strict=True)
    ]
    context = game.fill_context(database, fmt, seats)
    return Table(game=fmt.game, context=context.tobytes())


@lru_cache(maxsize=8)
def open_table(table: Table) -> tuple[Any, Any]:
    """The state and context arrays of a table, ready to play."""
    game = load_game(table.game)
    context = np.frombuffer(bytearray(table.context), game.CONTEXT).view(np.recarray)
    return game.new_states(1), context


def play_block(
    table: Table, seed: int, pairing: int, first_pair: int, pairs: int
) -> npt.NDArray[np.int64]:
    """Play `pairs` mirrored pairs from `first_pair` on; returns their tally.

    Every game is a pure function of (table, seed, pairing, pair).

    Raises:
        CrashedGame: a game could not be played to its end.
    """
    states, context = open_table(table)
    tally = new_tally()
    at = np.zeros(1, np.int64)
    try:
        play_pairs(states, context, seed, pairing, first_pair, pairs, tally, at)
    except (IndexError, GameDoesNotEnd) as error:
        raise CrashedGame(
            f"a game crashed ({error}): seed {seed}, pairing {pairing}, pair {at[0]}"
        ) from error
    return tally
