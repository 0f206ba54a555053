"""Blocks: runs of consecutive mirrored pairs, the unit of work and of progress."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from deckcheck.sim.pairings import Pairing

__all__ = ["Block", "BlockQueue", "Match", "Pacer"]

TARGET_SECONDS = 0.5
FIRST_BLOCK = 64
SMALLEST_BLOCK = 16


@dataclass(frozen=True, slots=True)
class Match:
    """A pairing to be played: its prepared table and the number of mirrored pairs.

    `policies` are those of deck a and deck b; matches with the same policies are
    expected to run at the same speed.
    """

    pairing: Pairing
    table: Any
    policies: tuple[str, str]
    pairs: int


@dataclass(frozen=True, slots=True)
class Block:
    """The pairs `first_pair` to `first_pair + pairs - 1` of one match."""

    match: Match
    first_pair: int
    pairs: int


class Pacer:
    """Chooses how many pairs make a block that takes about half a second.

    What a block holds never changes a result: every pair has its own seed. With
    `fixed`, all blocks but the last of a match have that many pairs.
    """

    def __init__(self, fixed: int | None = None, jobs: int = 1) -> None:
        if fixed is not None and fixed < 1:
            raise ValueError(f"a block needs at least one pair, not {fixed}")
        self.fixed = fixed
        self.jobs = jobs
        self._rates: dict[tuple[str, str], float] = {}

    def record(self, block: Block, seconds: float) -> None:
        """Take note that `block` took so long.

        The fastest block counts: others waited for a start or for the machine.
        """
        rate = block.pairs / max(seconds, 1e-6)
        policies = block.match.policies
        self._rates[policies] = max(rate, self._rates.get(policies, 0.0))

    def size(self, match: Match, pairs_left: int) -> int:
        """Return the pairs of the next block when the run has `pairs_left` to play.

        The last blocks are smaller, so that all workers end at the same time.
        """
        if self.fixed is not None:
            return self.fixed
        rate = self._rates.get(match.policies)
        pairs = FIRST_BLOCK if rate is None else ceil(rate * TARGET_SECONDS)
        if self.jobs > 1:
            pairs = min(pairs, ceil(pairs_left / (2 * self.jobs)))
        return max(SMALLEST_BLOCK, pairs)

    def seconds_for(self, match: Match, pairs: int) -> float:
        """Return how long one process would play `pairs` of `match`; 0 if unknown."""
        rates = self._rates
        rate = rates.get(match.policies) or min(rates.values(), default=0.0)
        return pairs / rate if rate else 0.0


class BlockQueue:
    """The pairs that are not handed out yet, match by match."""

    def __init__(self, matches: Sequence[Match], pacer: Pacer) -> None:
        self._waiting = deque((match, 0) for match in matches if match.pairs)
        self._pacer = pacer
        self.pairs_left = sum(match.pairs for match in matches)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self) -> Block:
        """Return the next block."""
        match, first = self._waiting.popleft()
        size = self._pacer.size(match, self.pairs_left)
        block = Block(match, first, min(size, match.pairs - first))
        after = first + block.pairs
        if after < match.pairs:
            self._waiting.appendleft((match, after))
        self.pairs_left -= block.pairs
        return block

    def seconds_left(self) -> float:
        """Return how long one process would need for all that is left; 0 if unknown."""
        return sum(
            self._pacer.seconds_for(match, match.pairs - first)
            for match, first in self._waiting
        )
