"""A kind of figure in one situation, and how often it is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np

from deckcheck.stats import Interval

SEED = 22
LEVEL = 0.95

Chance: TypeAlias = np.random.Generator
Truths: TypeAlias = Sequence[bool]
Play: TypeAlias = Callable[[Chance], Truths]


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of figure in one situation; `play` says of one run what was true.

    A claim that was not made is not wrong, and so it counts as true. `level` is the
    share that is promised. A slow case is played only every `cost`-th time.
    """

    command: str
    figure: str
    situation: str
    play: Play
    level: float = LEVEL
    cost: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """How often the figures of a case were true: `count` figures in `runs` runs."""

    case: Case
    true: int
    count: int
    runs: int

    @property
    def share(self) -> float:
        """The part that was true."""
        return self.true / self.count

    @property
    def error(self) -> float:
        """The standard error of that part, were it as promised.

        Figures of one run go together, so they count as one.
        """
        level = self.case.level
        return sqrt(level * (1 - level) / min(self.count, self.runs))

    @property
    def lead(self) -> float:
        """By how much the part exceeds what was promised."""
        return self.share - self.case.level


def measured(case: Case, runs: int) -> Line:
    """Play a case `runs` times, fewer where that takes long; the same each time."""
    chance = np.random.default_rng([SEED, *case.situation.encode()])
    count = max(1, runs // case.cost)
    truths = [truth for _ in range(count) for truth in case.play(chance)]
    return Line(case, sum(truths), len(truths), count)


def worst(lines: Sequence[Line]) -> list[Line]:
    """Of each kind of figure the case in which it was true least often."""
    least: dict[tuple[str, str], Line] = {}
    for line in lines:
        key = (line.case.command, line.case.figure)
        if key not in least or line.lead < least[key].lead:
            least[key] = line
    return list(least.values())


def holds(interval: Interval, truth: float) -> bool:
    """Whether an interval holds a value, but for the last digits."""
    return interval.low - 1e-9 <= truth <= interval.high + 1e-9
