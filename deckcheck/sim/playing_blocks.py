"""Playing blocks of games: their tallies and times, and the game that crashed."""

from __future__ import annotations

import os
from collections import UserDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from socket import gethostname
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from deckcheck.engine.registry import CrashedGame
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, Ints
from deckcheck.playing.table import SETS_AT_ONCE, GameLog
from deckcheck.playing.versions import Counted, play_together
from deckcheck.sim.errors import CrashedGameError
from deckcheck.sim.jobs import MOST_TOGETHER, Block
from deckcheck.sim.provenance import Program

# Tallies of many jobs: most of their cells are zeros, which take no memory here.


class PackedTally(NamedTuple):
    """A tally without its zeros: the places of all other cells, and their values."""

    shape: tuple[int, ...]
    places: bytes
    cells: bytes

    @classmethod
    def of(cls, tally: Ints) -> PackedTally:
        """Return a tally packed."""
        cells = tally.ravel()
        (places,) = cells.nonzero()
        return cls.at(tally.shape, places, cells[places])

    @classmethod
    def at(cls, shape: tuple[int, ...], places: Ints, cells: Ints) -> PackedTally:
        """Return the tally with only these cells, at the rising indices `places`."""
        return cls(shape, places.astype(np.int32).tobytes(), cells.tobytes())

    def pairs(self) -> tuple[Ints, Ints]:
        """Return the places and the cells."""
        places = np.frombuffer(self.places, np.int32)
        return places.astype(np.int64), np.frombuffer(self.cells, np.int64)

    def unpack(self, rows: int | None = None) -> Ints:
        """Return the tally, or only its first `rows` rows."""
        shape = self.shape if rows is None else (rows, *self.shape[1:])
        tally = np.zeros(prod(shape), np.int64)
        places = np.frombuffer(self.places, np.int32)
        count = len(places) if rows is None else places.searchsorted(len(tally))
        tally[places[:count]] = np.frombuffer(self.cells, np.int64)[:count]
        return tally.reshape(shape)

    def added_to(self, known: PackedTally | None) -> PackedTally:
        """Return the tally of these games and others, with any block sizes."""
        if known is None:
            return self
        total = known.unpack() + self.unpack()
        total.ravel()[Head.CHECKSUM] &= CHECKSUM_MASK
        return PackedTally.of(total)


class Tallies(UserDict[int, Any]):
    """Tallies by the number of their job."""

    def __getitem__(self, number: int) -> Ints:
        return self.find_packed(number).unpack()

    def __setitem__(self, number: int, tally: Ints) -> None:
        self.data[number] = PackedTally.of(tally)

    def find_packed(self, number: int) -> PackedTally:
        """Return a tally packed, as it is kept in memory."""
        packed: PackedTally = self.data[number]
        return packed

    def keep(self, number: int, packed: PackedTally) -> None:
        """Keep a tally that somebody else keeps, too."""
        self.data[number] = packed

    def add(self, number: int, more: PackedTally) -> None:
        """Add the tally of more games of a job."""
        self.data[number] = more.added_to(self.data.get(number))


# Playing blocks, several of them together if their tables allow it.


@dataclass(frozen=True, slots=True)
class BlockResult:
    """A block that was played."""

    tally: PackedTally
    seconds: float
    """The time that it took."""
    worker: str
    """The process that played it, see `name_process`."""
    program: Program
    rows: Ints | None = None
    """A row for each game if asked for, see `GameLog.rows`."""


def name_process() -> str:
    """Return the name of this process among all that play blocks."""
    return f"{gethostname()} {os.getpid()}"


def play_blocks(
    seed: int, blocks: Sequence[Block], rows: bool = False
) -> list[BlockResult]:
    """Play several blocks, together where their tables allow it, see `play_block`."""
    if rows:
        return [play_block(seed, block, rows) for block in blocks]
    alike: dict[object, list[Block]] = defaultdict(list)
    for block in blocks:
        table = block.job.table
        likeness: object = id(block)  # like no other block
        if isinstance(table, Counted):
            likeness = table.likeness
        alike[block.job.policies, likeness].append(block)
    results: dict[int, BlockResult] = {}
    for like_blocks in alike.values():
        for first in range(0, len(like_blocks), MOST_TOGETHER):
            part = like_blocks[first : first + MOST_TOGETHER]
            played = _play_together(seed, part)
            if played is None:
                played = [play_block(seed, block) for block in part]
            for block, result in zip(part, played, strict=True):
                results[id(block)] = result
    return [results[id(block)] for block in blocks]


def _play_together(seed: int, blocks: Sequence[Block]) -> list[BlockResult] | None:
    """Return the results of short blocks of like tables, or None.

    Returns None if a game raises an error: when its block is played alone, the error
    names the game.
    """
    parts = []
    for block in blocks:
        table = block.job.table
        if isinstance(table, Counted):
            sets_of_block = np.arange(block.first_set, block.first_set + block.sets)
            parts.append((table, block.job.number, sets_of_block))
    sets = sum(block.sets for block in blocks)
    if len(parts) < 2 or sets > SETS_AT_ONCE:
        return None
    start = perf_counter()
    try:
        tallies = play_together(seed, parts)
    except (MemoryError, ImportError):
        raise
    except Exception:
        return None
    seconds_per_set = (perf_counter() - start) / sets
    results = []
    for block, tally in zip(blocks, tallies, strict=True):
        seconds = block.sets * seconds_per_set
        packed = PackedTally.of(tally)
        results.append(BlockResult(packed, seconds, name_process(), Program.here()))
    return results


def play_block(seed: int, block: Block, rows: bool = False) -> BlockResult:
    """Play `block`. Raises CrashedGameError if a game raises an error."""
    job = block.job
    start = perf_counter()
    log = GameLog() if rows else None
    try:
        tally = job.table.play(seed, job.number, block.first_set, block.sets, log)
    except (MemoryError, ImportError):
        # A limit of the process, and not a fault of a game.
        raise
    except Exception as error:
        number, game_of_set, crash = _find_crash(seed, block, error)
        cause = crash.__cause__ or crash
        reason = f"{type(cause).__name__}: {cause}"
        game = number * job.games + game_of_set + 1
        pairing = ",".join(job.names)
        raise CrashedGameError(
            seed, job.number, number, reason, pairing=pairing, game=game
        ) from error
    worker = name_process()
    seconds = perf_counter() - start
    result = BlockResult(PackedTally.of(tally), seconds, worker, Program.here())
    if log is None:
        return result
    return replace(result, rows=log.rows())


def _find_crash(
    seed: int, block: Block, error: Exception
) -> tuple[int, int, Exception]:
    """Return the set that raises when played alone, its game or match, and the error.

    If none raises, it is the first set of the block, with the given error.
    """
    job = block.job
    for number in range(block.first_set, block.first_set + block.sets):
        log = GameLog()
        try:
            job.table.play(seed, job.number, number, 1, log)
        except CrashedGame as crash:
            return number, log.begun_last(crash.index), crash
        except Exception as crash:
            return number, 0, crash
    return block.first_set, 0, error
