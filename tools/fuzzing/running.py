"""Feeding damaged inputs to all readers in turn, and the outcome."""

from __future__ import annotations

import os
import signal
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from deckcheck.findings import UsageError
from tools.fuzzing.targets import Target, targets

__all__ = ["KINDS", "Outcome", "feed", "fuzz", "no_longer_than"]

KINDS = ("readers", "runs")


class HangError(Exception):
    """A reader that took too long."""


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Raise HangError after this number of seconds. Limits may be nested."""

    def stop(number: int, frame: object) -> None:
        raise HangError(f"no end after {seconds} seconds")

    old = signal.signal(signal.SIGALRM, stop)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, old)


@dataclass(slots=True)
class Outcome:
    """Inputs by target, how many of them were misuse, and a trace of each failure."""

    inputs: Counter[str] = field(default_factory=Counter)
    misuse: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def fuzz(numbers: Sequence[int], seed: int, folder: Path, kind: str) -> Outcome:
    """Feed the inputs of these numbers, each to the reader whose turn it is.

    The working folder becomes `folder`, in which files are written. `kind` is what is
    read: files that people write, or those of runs.
    """
    os.chdir(folder)
    if kind == "runs":
        from tools.fuzzing.runs import run_targets

        readers = run_targets(folder)
    else:
        readers = targets(folder)
    outcome = Outcome()
    for target in readers:
        target.feed(target.seeds[0])
    for number in numbers:
        feed(readers[number % len(readers)], number, seed, outcome)
    return outcome


def feed(target: Target, number: int, seed: int, outcome: Outcome) -> None:
    """Make one input, feed it to a reader, and add what happened to the outcome."""
    data = target.damage(Random(f"{seed} {number}"), target.seeds)
    outcome.inputs[target.name] += 1
    try:
        with no_longer_than(target.seconds):
            target.feed(data)
    except UsageError:
        outcome.misuse[target.name] += 1
    except Exception:
        trace = traceback.format_exc()
        outcome.failures.append(f"{target.name}, input {number}: {data!r}\n{trace}")
