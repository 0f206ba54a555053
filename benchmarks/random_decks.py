"""Speed of games for two with a new random deck in every game."""

from __future__ import annotations

from math import ceil
from time import perf_counter

from benchmarks.measuring import COMPILED, Measurement, measure
from deckcheck.engine.registry import Seat
from deckcheck.formats import database_of, load_format
from deckcheck.playing.table import Table, circular_orders, set_table
from deckcheck.policies.registry import policy_number

__all__ = ["FORMATS", "measure_random_decks"]

FORMATS = ("deckmaster/standard", "gwen_t/pool")
"""Formats whose games make random decks."""

PLAYERS = 2
SEED = 1
PROBE_SETS = 200


def measure_random_decks(
    format: str, policy: str, seconds: float, rounds: int
) -> Measurement:
    """Return the games per second of a policy against itself.

    Each round plays about `seconds` in sets, in which each player begins once.
    """
    table = _table(format, policy)
    _rate(table, 1)
    sets = ceil(_rate(table, PROBE_SETS) * seconds / PLAYERS)
    return measure(
        f"{format}, random decks, {policy}",
        "games/s",
        lambda: _rate(table, sets),
        COMPILED,
        rounds,
    )


def _table(format: str, policy: str) -> Table:
    fmt = load_format(format)
    seats = [Seat(None, policy_number(policy))] * PLAYERS
    orders = circular_orders(PLAYERS)
    return set_table(fmt, database_of(fmt), seats, orders=orders)


def _rate(table: Table, sets: int) -> float:
    start = perf_counter()
    table.play(SEED, 0, 0, sets)
    return PLAYERS * sets / (perf_counter() - start)
