"""Feeding damaged inputs to all readers in turn, and what came of it."""

from __future__ import annotations

import os
import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.fuzzing.mutations import damaged
from benchmarks.fuzzing.targets import Target, targets
from deckcheck.findings import UsageError

__all__ = ["SECONDS", "Failure", "Outcome", "feed", "fuzz"]

SECONDS = 20
"""After how many seconds an input counts as one that never ends."""


class HangError(Exception):
    """A reader that took too long."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that a reader failed on: its number makes it again."""

    target: str
    number: int
    data: bytes
    trace: str


@dataclass(slots=True)
class Outcome:
    """What came of a run: inputs by target, how many of them were misuse, failures.

    `slowest` is the longest that one input took, in seconds, and `megabytes` how much
    the process grew beyond what it had when all readers had been used once.
    """

    inputs: Counter[str] = field(default_factory=Counter)
    misuse: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    slowest: tuple[float, str, int] = (0.0, "", 0)
    megabytes: float = 0.0
    seconds: float = 0.0


def fuzz(
    numbers: Sequence[int],
    seed: int,
    folder: Path,
    watch: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Feed the inputs of these numbers, each to the reader whose turn it is.

    The working folder becomes `folder`, in which files are written.
    """
    os.chdir(folder)
    readers = targets(folder)
    outcome = Outcome()
    for target in readers:
        target.feed(target.seeds[0])
    before, started = _megabytes(), time.perf_counter()
    for count, number in enumerate(numbers, 1):
        feed(readers[number % len(readers)], number, seed, outcome)
        if watch is not None and count % 1000 == 0:
            watch(outcome)
    outcome.megabytes = _megabytes() - before
    outcome.seconds = time.perf_counter() - started
    return outcome


def feed(target: Target, number: int, seed: int, outcome: Outcome) -> None:
    """Make one input, feed it to a reader, and add to the outcome what came of it."""
    data = damaged(Random(f"{seed} {number}"), target.seeds)
    outcome.inputs[target.name] += 1
    started = time.perf_counter()
    try:
        with _no_longer_than(SECONDS):
            target.feed(data)
    except UsageError:
        outcome.misuse[target.name] += 1
    except Exception:
        trace = traceback.format_exc()
        outcome.failures.append(Failure(target.name, number, data, trace))
    took = (time.perf_counter() - started, target.name, number)
    outcome.slowest = max(outcome.slowest, took)


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise HangError(f"no end after {seconds} seconds")

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def _megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
