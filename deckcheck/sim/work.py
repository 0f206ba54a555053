"""What a worker does: play one block, time it, and name the game that crashed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeAlias

from deckcheck.sim.blocks import Block
from deckcheck.sim.errors import CrashedGameError

__all__ = ["Kernel", "PlayedBlock", "play"]

Kernel: TypeAlias = Callable[[Any, int, int, int, int], Any]
"""Plays sets: `(table, seed, number, first_set, sets)` to a tally, added by `+`."""


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """The tally of a block, and the seconds it took."""

    tally: Any
    seconds: float


def play(kernel: Kernel, seed: int, block: Block) -> PlayedBlock:
    """Play `block`; raise CrashedGameError when one of its games raises an error."""
    number, table = block.match.number, block.match.table
    start = perf_counter()
    try:
        tally = kernel(table, seed, number, block.first_set, block.sets)
    except Exception as error:
        pair, crash = _find_crash(kernel, seed, block, error)
        cause = crash.__cause__ or crash
        reason = f"{type(cause).__name__}: {cause}"
        raise CrashedGameError(seed, number, pair, reason) from error
    return PlayedBlock(tally, perf_counter() - start)


def _find_crash(
    kernel: Kernel, seed: int, block: Block, error: Exception
) -> tuple[int, Exception]:
    """Return the set that raises when played alone, else the first of the block."""
    number, table = block.match.number, block.match.table
    for pair in range(block.first_set, block.first_set + block.sets):
        try:
            kernel(table, seed, number, pair, 1)
        except Exception as crash:
            return pair, crash
    return block.first_set, error
