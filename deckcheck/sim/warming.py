"""Compiling ahead of time."""

from __future__ import annotations

from time import perf_counter

from deckcheck.cards import load_database
from deckcheck.decks import Deck, DeckSource
from deckcheck.engine.jit import is_warm, mark_warm
from deckcheck.engine.match import play_block, prepare
from deckcheck.findings import Position, Span
from deckcheck.formats import format_ids, load_format
from deckcheck.policies.registry import DEFAULT_POLICY

__all__ = ["warm_game"]

START = Span(Position(1, 1), Position(1, 1))


def warm_game(game: str) -> tuple[float, bool]:
    """Compile the engine of `game`, or load it when that was done before.

    Returns the seconds it took, and whether it was compiled before. A pair of games
    between empty decks is played, which needs all code there is.
    """
    fmt = load_format(next(id for id in format_ids() if id.startswith(f"{game}/")))
    empty = Deck(DeckSource(""), "empty", fmt.id, None, None, (), START, {})
    policies = [DEFAULT_POLICY] * 2
    table = prepare(fmt, load_database(game), [empty, empty], policies)
    was_warm = is_warm(game)
    start = perf_counter()
    play_block(table, 0, 0, 0, 1)
    seconds = perf_counter() - start
    mark_warm(game)
    return seconds, was_warm
