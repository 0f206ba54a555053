"""Stands in for the engine: the same signature, and results that are known."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deckcheck.sim.blocks import Match
from deckcheck.sim.pairings import pair_up

__all__ = ["crash", "die", "matches_of", "play", "play_slowly"]

Tally = NDArray[np.int64]


def play(table: object, seed: int, pairing: int, first: int, pairs: int) -> Tally:
    """Tally of three sums that tell every pair apart: count, pair, scrambled pair."""
    numbers = np.arange(first, first + pairs, dtype=np.int64)
    scrambled = (numbers * 2_654_435_761 + seed * 97 + pairing * 40_503) % 1_000_003
    return np.array([pairs, numbers.sum(), scrambled.sum()], dtype=np.int64)


def play_slowly(
    table: object, seed: int, pairing: int, first: int, pairs: int
) -> Tally:
    """Takes a millisecond for each pair."""
    time.sleep(pairs / 1000)
    return play(table, seed, pairing, first, pairs)


def crash(table: object, seed: int, pairing: int, first: int, pairs: int) -> Tally:
    """Raises an error in pair 70."""
    if first <= 70 < first + pairs:
        raise IndexError("row 3 of 3")
    return play(table, seed, pairing, first, pairs)


def die(table: object, seed: int, pairing: int, first: int, pairs: int) -> Tally:
    """Kills its own process in pair 70, as a system short of memory would."""
    if first <= 70 < first + pairs:
        os.kill(os.getpid(), signal.SIGKILL)
    return play(table, seed, pairing, first, pairs)


def matches_of(
    decks: int, pairs: int, policies: Sequence[str] = ("heuristic",) * 9
) -> list[Match]:
    """A round robin of `decks` decks."""
    return [
        Match(p.number, "a against b", "table", (policies[p.a], policies[p.b]), pairs)
        for p in pair_up(decks)
    ]
