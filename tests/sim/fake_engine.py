"""Stands in for tables of the engine: results that are known."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deckcheck.playing.kernel import Ints
from deckcheck.sim.jobs import Job
from deckcheck.sim.seating import pair_up

__all__ = ["Crashing", "Deadly", "Fake", "Noted", "Slow", "jobs_of"]

FATAL_SET = 70


class Fake:
    """Tally of three sums that tell every set apart: count, set, scrambled set."""

    def play(
        self, seed: int, number: int, first_set: int, sets: int, *_: object
    ) -> Ints:
        numbers = np.arange(first_set, first_set + sets, dtype=np.int64)
        scrambled = (numbers * 2_654_435_761 + seed * 97 + number * 40_503) % 1_000_003
        return np.array([sets, numbers.sum(), scrambled.sum()], dtype=np.int64)


class Slow(Fake):
    """Takes a millisecond for each set."""

    def play(
        self, seed: int, number: int, first_set: int, sets: int, *_: object
    ) -> Ints:
        time.sleep(sets / 1000)
        return super().play(seed, number, first_set, sets)


class Crashing(Fake):
    """Raises an error in one set."""

    def play(
        self, seed: int, number: int, first_set: int, sets: int, *_: object
    ) -> Ints:
        if first_set <= FATAL_SET < first_set + sets:
            raise IndexError("row 3 of 3")
        return super().play(seed, number, first_set, sets)


class Deadly(Fake):
    """Kills its own process in one set, as a system short of memory would."""

    def play(
        self, seed: int, number: int, first_set: int, sets: int, *_: object
    ) -> Ints:
        if first_set <= FATAL_SET < first_set + sets:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(seed, number, first_set, sets)


@dataclass
class Noted(Fake):
    """Takes note of what it was asked to play."""

    calls: list[tuple[int, int]] = field(default_factory=list)

    def play(
        self, seed: int, number: int, first_set: int, sets: int, *_: object
    ) -> Ints:
        self.calls.append((number, sets))
        return super().play(seed, number, first_set, sets)


def jobs_of(
    decks: int,
    sets: int,
    policies: Sequence[str] = ("heuristic",) * 9,
    table: Fake | None = None,
) -> list[Job]:
    """A round robin of `decks` decks."""
    return [
        Job(
            p.number,
            "a against b",
            table or Fake(),
            (policies[p.a], policies[p.b]),
            sets,
        )
        for p in pair_up(decks)
    ]
