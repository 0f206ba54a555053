"""Feeding damaged inputs to all readers in turn, and the outcome."""

from __future__ import annotations

import os
import resource
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from deckcheck.findings import UsageError
from tools.fuzzing.limits import no_longer_than
from tools.fuzzing.targets import Target, targets

__all__ = ["KINDS", "Failure", "Outcome", "feed", "fuzz"]

KINDS = ("readers", "runs")


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that a reader failed on: its number makes it again."""

    target: str
    number: int
    data: bytes
    trace: str


@dataclass(slots=True)
class Outcome:
    """The outcome of a run: inputs by target, how many of them were misuse, failures.

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
    kinds: Sequence[str] = KINDS,
) -> Outcome:
    """Feed the inputs of these numbers, each to the reader whose turn it is.

    The working folder becomes `folder`, in which files are written. `kinds` are those
    of what is read: files that people write, and those of runs.
    """
    os.chdir(folder)
    readers = targets(folder) if "readers" in kinds else []
    if "runs" in kinds:
        from tools.fuzzing.runs import run_targets

        readers += run_targets(folder)
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
    """Make one input, feed it to a reader, and add what happened to the outcome."""
    data = target.damage(Random(f"{seed} {number}"), target.seeds)
    outcome.inputs[target.name] += 1
    started = time.perf_counter()
    try:
        with no_longer_than(target.seconds):
            target.feed(data)
    except UsageError:
        outcome.misuse[target.name] += 1
    except Exception:
        trace = traceback.format_exc()
        outcome.failures.append(Failure(target.name, number, data, trace))
    took = (time.perf_counter() - started, target.name, number)
    outcome.slowest = max(outcome.slowest, took)


def _megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
