"""Blocks: runs of consecutive sets of games, the unit of work and of progress.

A set has the same shuffles once with each seat beginning; for two players that is a
mirrored pair.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

__all__ = ["Block", "BlockQueue", "Match", "Pacer"]

TARGET_SECONDS = 0.5
FIRST_BLOCK = 64
SMALLEST_BLOCK = 16


@dataclass(frozen=True, slots=True)
class Match:
    """Who is to play: a prepared table and the number of its sets of `games` games.

    `number` seeds the games and `label` names the match to the user. `policies` are
    those of the seats; matches with the same policies are expected to run at the same
    speed. `noun` is what is counted, for the user.
    """

    number: int
    label: str
    table: Any
    policies: tuple[str, ...]
    sets: int
    games: int = 2
    noun: str = "games"


@dataclass(frozen=True, slots=True)
class Block:
    """The sets `first_set` to `first_set + sets - 1` of one match."""

    match: Match
    first_set: int
    sets: int


class Pacer:
    """Chooses how many sets make a block that takes about half a second.

    What a block holds never changes a result: every set has its own seed. With
    `fixed`, all blocks but the last of a match have that many sets.
    """

    def __init__(self, fixed: int | None = None, jobs: int = 1) -> None:
        if fixed is not None and fixed < 1:
            raise ValueError(f"a block needs at least one set, not {fixed}")
        self.fixed = fixed
        self.jobs = jobs
        self._rates: dict[tuple[str, ...], float] = {}

    def record(self, block: Block, seconds: float) -> None:
        """Take note that `block` took so long.

        The fastest block counts: others waited for a start or for the machine.
        """
        rate = block.sets / max(seconds, 1e-6)
        policies = block.match.policies
        self._rates[policies] = max(rate, self._rates.get(policies, 0.0))

    def size(self, match: Match, sets_left: int) -> int:
        """Return the sets of the next block when the run has `sets_left` to play.

        The last blocks are smaller, so that all workers end at the same time.
        """
        if self.fixed is not None:
            return self.fixed
        rate = self._rates.get(match.policies)
        sets = FIRST_BLOCK if rate is None else ceil(rate * TARGET_SECONDS)
        if self.jobs > 1:
            sets = min(sets, ceil(sets_left / (2 * self.jobs)))
        return max(SMALLEST_BLOCK, sets)

    def seconds_for(self, match: Match, sets: int) -> float:
        """Return how long one process would play `sets` of `match`; 0 if unknown."""
        rates = self._rates
        rate = rates.get(match.policies) or min(rates.values(), default=0.0)
        return sets / rate if rate else 0.0


class BlockQueue:
    """The sets that are not handed out yet, match by match."""

    def __init__(self, matches: Sequence[Match], pacer: Pacer) -> None:
        self._waiting = deque((match, 0) for match in matches if match.sets)
        self._pacer = pacer
        self.sets_left = sum(match.sets for match in matches)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self) -> Block:
        """Return the next block."""
        match, first = self._waiting.popleft()
        size = self._pacer.size(match, self.sets_left)
        block = Block(match, first, min(size, match.sets - first))
        after = first + block.sets
        if after < match.sets:
            self._waiting.appendleft((match, after))
        self.sets_left -= block.sets
        return block

    def seconds_left(self) -> float:
        """Return how long one process would need for all that is left; 0 if unknown."""
        return sum(
            self._pacer.seconds_for(match, match.sets - first)
            for match, first in self._waiting
        )
