"""Jobs, blocks, records and tallies of them."""

from __future__ import annotations

import os
from collections import Counter, UserDict, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, prod
from socket import gethostname
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from deckcheck.engine.registry import CrashedGame
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, Ints
from deckcheck.playing.table import SETS_AT_ONCE, GameLog
from deckcheck.playing.versions import Counted, play_together
from deckcheck.policies.registry import find_player
from deckcheck.sim.errors import CrashedGameError
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


# Jobs, cut into blocks of consecutive sets of games: the unit of work and progress.
#
# A set has the same shuffles once with each seat beginning; for two players that is a
# game pair.

TARGET_SECONDS = 0.5
LONGEST_SECONDS = 4.0
LONG_RUN = 2_000.0
FIRST_ROUND_SECONDS = 2.0
"""How long all processes together play the first blocks of all jobs."""
FIRST_BLOCK = 64
SMALLEST_BLOCK = 16
MOST_TOGETHER = 16
"""Blocks sent and played together: their tables fit into a pipe, see `Table`."""


class SetPlayer(Protocol):
    """A table, or two lineups, at which sets are played. Workers get it pickled."""

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The entrants in the order of a game, for the orders of the seats in turn."""

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets from `first_set` on. Tallies are added by `+`.

        `log` gets a row for each game.
        """


@dataclass(frozen=True, slots=True)
class Job:
    """Sets of games to be played at a table."""

    number: int
    """The number that seeds the games."""
    label: str
    """The name of the job for the user."""
    table: SetPlayer
    policies: tuple[str, ...]
    """The words that tell how fast games go: mostly the policy of each seat. Jobs with
    the same words play at the same speed."""
    sets: int
    games: int = 2
    """The games of a set."""
    entrants: int = 2
    """How many can win."""
    noun: str = "games"
    """The unit for the user, such as games."""
    names: tuple[str, ...] = ()
    """The names of the entrants."""
    decks: tuple[tuple[str, ...], ...] = ()
    """In matches of several games, the decks of each context of the table."""


@dataclass(frozen=True, slots=True)
class Block:
    """The sets `first_set` to `first_set + sets - 1` of a job."""

    job: Job
    first_set: int
    sets: int


class Pacer:
    """Chooses how many sets make a block that takes about half a second.

    In runs of hours a block takes up to four seconds, to keep the number of blocks
    down. Their size never changes a result: every set has its own seed. With `fixed`,
    all blocks but the last of a job have that many sets.
    """

    def __init__(self, fixed: int | None = None, jobs: int = 1) -> None:
        if fixed is not None and fixed < 1:
            raise ValueError(f"a block needs at least one set, not {fixed}")
        self.fixed = fixed
        self.jobs = jobs
        self._rates: dict[tuple[str, ...], float] = {}
        self._seconds = 0.0
        self._times: dict[tuple[str, ...], PlayingTime] = {}
        self._first_times: dict[tuple[str, ...], PlayingTime] = {}

    def record(self, block: Block, seconds: float, *, is_first: bool = False) -> None:
        """Take note that `block` took so long.

        The size of blocks follows from the fastest block, since slower blocks waited
        for the machine. The remaining time follows from all blocks but the first of
        each worker, which includes loading the code.
        """
        times = self._first_times if is_first else self._times
        known = times.get(block.job.policies, PlayingTime(0, 0.0))
        games = block.sets * block.job.games
        times[block.job.policies] = PlayingTime(
            known.games + games, known.seconds + seconds
        )
        self._seconds += seconds
        rate = block.sets / max(seconds, 1e-6)
        policies = block.job.policies
        self._rates[policies] = max(rate, self._rates.get(policies, 0.0))

    def size(self, job: Job, sets_left: int) -> int:
        """Return the sets of the next block when the run has `sets_left` to play.

        The last blocks are smaller, so that all workers end at the same time.
        """
        if self.fixed is not None:
            return self.fixed
        rate = self._rates.get(job.policies)
        first, smallest = (1, 1) if is_slow(job) else (FIRST_BLOCK, SMALLEST_BLOCK)
        seconds = min(LONGEST_SECONDS, max(TARGET_SECONDS, self._seconds / LONG_RUN))
        sets = first if rate is None else ceil(rate * seconds)
        if self.jobs > 1:
            sets = min(sets, ceil(sets_left / (2 * self.jobs)))
        return max(smallest, sets)

    def first_size(self, job: Job, count: int) -> int:
        """Return the most sets of a first block, where `count` jobs have none."""
        rate = self._rates.get(job.policies)
        if rate is None:
            return FIRST_BLOCK if count == 1 else SMALLEST_BLOCK
        sets = ceil(rate * FIRST_ROUND_SECONDS * self.jobs / count)
        return max(1 if is_slow(job) else SMALLEST_BLOCK, sets)

    def seconds_for(self, policies: tuple[str, ...], sets: int) -> float:
        """Estimate how long a process plays `sets` of these players, 0 if unknown."""
        rates = self._rates
        rate = rates.get(policies) or min(rates.values(), default=0.0)
        return sets / rate if rate else 0.0

    def seconds_per_game(self, policies: tuple[str, ...]) -> float | None:
        """Return the seconds that a process needs for a game of these players, or None.

        For players who have not played, it is the mean of all others.
        """
        for times in (self._times, self._first_times):
            known = times.get(policies)
            if known is not None:
                return known.seconds / known.games
        every = [*(self._times or self._first_times).values()]
        games = sum(time.games for time in every)
        return sum(time.seconds for time in every) / games if games else None


class PlayingTime(NamedTuple):
    """The games of some blocks, and the seconds that they took."""

    games: int
    seconds: float


def is_slow(job: Job) -> bool:
    """Report whether a player of the job thinks for long, so that a set is a block."""
    for policy in job.policies:
        player = find_player(policy.partition(":")[0])
        if player is not None and player.budget > 0:
            return True
    return False


class BlockQueue:
    """The sets that are not handed out yet.

    Jobs take turns, a block each, so that an interrupted run has played about as much
    of each. Jobs without a block come first, and blocks are short until each job has
    one. `stretches` are the sets to play, by default all sets of all jobs.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        pacer: Pacer,
        stretches: Callable[[Job], Sequence[range]] = lambda job: [range(job.sets)],
    ) -> None:
        waiting = [(job, sets) for job in jobs for sets in stretches(job) if sets]
        waiting.sort(key=lambda stretch: stretch[1].start > 0)
        self._waiting = deque(waiting)
        self._first_blocks = sum(sets.start == 0 for _, sets in waiting)
        self._unbegun = self._first_blocks
        self._pacer = pacer
        self._left: Counter[tuple[str, ...]] = Counter()
        self._games_left: Counter[tuple[str, ...]] = Counter()
        self.sets_left = 0
        for job, sets in waiting:
            self._add(job, len(sets))

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self, most: int | None = None) -> list[Block]:
        """Return the next block, or several short blocks that take as long together.

        Returns at most `most` blocks, or as many as can be sent.
        """
        blocks: list[Block] = []
        room = 1.0
        while self._waiting and len(blocks) < (most or MOST_TOGETHER):
            job, sets = self._waiting[0]
            usual = self._pacer.size(job, self.sets_left)
            size = self._shorten_first(job, usual)
            part = min(size, len(sets)) / usual
            if blocks and (part > room or self._pacer.fixed is not None):
                break
            self._waiting.popleft()
            block = Block(job, sets.start, len(sets[:size]))
            if sets[size:]:
                self._waiting.append((job, sets[size:]))
            self._add(job, -block.sets)
            self._unbegun -= block.first_set == 0
            blocks.append(block)
            room -= part
        return blocks

    def put_back(self, blocks: Sequence[Block]) -> None:
        """Have blocks played after all, by somebody else, before all others."""
        for block in reversed(blocks):
            sets = range(block.first_set, block.first_set + block.sets)
            self._waiting.appendleft((block.job, sets))
            self._add(block.job, block.sets)
            self._unbegun += block.first_set == 0

    def _shorten_first(self, job: Job, size: int) -> int:
        """Return the sets of a block, fewer as long as a job has no block."""
        if self._unbegun == 0 or self._pacer.fixed is not None:
            return size
        return min(size, self._pacer.first_size(job, self._first_blocks))

    def seconds_left(self) -> float:
        """Return the seconds a process needs for the remaining sets, 0 if unknown."""
        left = self._left.items()
        return sum(self._pacer.seconds_for(policies, sets) for policies, sets in left)

    def expected_seconds(self) -> float | None:
        """Return the seconds that a process needs for the remaining sets, None if
        unknown."""
        total = 0.0
        for policies, games in self._games_left.items():
            seconds = self._pacer.seconds_per_game(policies)
            if seconds is None:
                return None
            total += games * seconds
        return total

    def _add(self, job: Job, sets: int) -> None:
        self._left[job.policies] += sets
        self._games_left[job.policies] += sets * job.games
        self.sets_left += sets


@dataclass(frozen=True, slots=True)
class BlockResult:
    """The tally of a block, the seconds it took, and which process played it.

    `rows` has a row for each game, or is None, see `GameLog.rows`.
    """

    tally: PackedTally
    seconds: float
    worker: str
    program: Program
    rows: Ints | None = None


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
        likeness = table.likeness if isinstance(table, Counted) else id(block)
        alike[block.job.policies, likeness].append(block)
    results: dict[int, BlockResult] = {}
    for like_blocks in alike.values():
        for first in range(0, len(like_blocks), MOST_TOGETHER):
            part = like_blocks[first : first + MOST_TOGETHER]
            played = _play_together(seed, part) or [play_block(seed, b) for b in part]
            results |= zip(map(id, part), played, strict=True)
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
    each = (perf_counter() - start) / sets
    worker, program = name_process(), Program.here()
    return [
        BlockResult(PackedTally.of(tally), block.sets * each, worker, program)
        for block, tally in zip(blocks, tallies, strict=True)
    ]


def play_block(seed: int, block: Block, rows: bool = False) -> BlockResult:
    """Play `block`. Raises CrashedGameError if a game raises an error."""
    job = block.job
    start = perf_counter()
    log = GameLog() if rows else None
    try:
        tally = job.table.play(seed, job.number, block.first_set, block.sets, log)
    except (MemoryError, ImportError):
        # The process met a limit; no game did.
        raise
    except Exception as error:
        number, of_set, crash = _find_crash(seed, block, error)
        cause = crash.__cause__ or crash
        reason = f"{type(cause).__name__}: {cause}"
        game = number * job.games + of_set + 1
        pairing = ",".join(job.names)
        raise CrashedGameError(
            seed, job.number, number, reason, pairing=pairing, game=game
        ) from error
    worker = name_process()
    seconds = perf_counter() - start
    games_played = log.rows() if log else None
    packed = PackedTally.of(tally)
    return BlockResult(packed, seconds, worker, Program.here(), games_played)


def _find_crash(
    seed: int, block: Block, error: Exception
) -> tuple[int, int, Exception]:
    """Return the set that raises when played alone, else the first of the block.

    And which game, or match, of the set it is.
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


# The memory of a run for its blocks: none, or a run directory.

MAIN_PART = "games"
"""The part of a run that all others lead up to."""

MEASURING_PART = "measuring"
"""The part in which decks of lineups are measured against each other."""


Played: TypeAlias = Sequence[tuple[Block, PackedTally]]
"""Blocks, with their tallies."""


class Record(Protocol):
    """Remembers the blocks of some jobs, which differ in their numbers."""

    def find_played(self, job: Job) -> tuple[int, PackedTally | None]:
        """Return how many sets of `job` were played before, and their tally."""

    def missing(self, job: Job) -> list[range]:
        """Return the missing sets of `job`, in order and without overlap."""

    def add(self, played: Played) -> None:
        """Record finished blocks. Raises SimulationError if it cannot."""


Records: TypeAlias = Callable[[str], Record]
"""Gives the record of a part of a run, by its name."""


class Unrecorded:
    """Remembers nothing: all is to be played."""

    def find_played(self, job: Job) -> tuple[int, PackedTally | None]:
        """Nothing."""
        return 0, None

    def missing(self, job: Job) -> list[range]:
        """Return all sets."""
        return [range(job.sets)]

    def add(self, played: Played) -> None:
        """Forget them."""


def gaps(wanted: range, played: Sequence[range]) -> list[range]:
    """Return the ranges of `wanted` that `played`, which is in order, leaves out."""
    stretches, start = [], wanted.start
    for sets in played:
        stretches.append(range(start, min(sets.start, wanted.stop)))
        start = max(start, sets.stop)
    stretches.append(range(start, wanted.stop))
    return [sets for sets in stretches if sets]
