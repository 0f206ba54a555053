"""Jobs, cut into blocks of consecutive sets of games: the unit of work and progress.

A set has the same shuffles once with each seat beginning. For two players that is a
game pair.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple, Protocol

from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import GameLog
from deckcheck.policies.registry import find_player

TARGET_SECONDS = 0.5
"""The time that a block should take."""
LONGEST_SECONDS = 4.0
"""The time that a block of a run of hours should take."""
LONG_RUN = 2_000.0
"""Seconds of play after which a block takes a second, and so on in proportion."""
FIRST_ROUND_SECONDS = 2.0
"""The time in which all workers together play the first blocks of all jobs."""
FIRST_BLOCK = 64
"""Sets of the first block, when no speed is known."""
SMALLEST_BLOCK = 16
"""Sets of the smallest block, unless a player thinks for long."""
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
    """Jobs with the same policies play at the same speed.

    Mostly the policy of each seat, and sometimes other words on which the speed
    depends.
    """
    sets: int
    """The number of sets."""
    games: int = 2
    """The games of a set."""
    entrants: int = 2
    """The number of possible winners."""
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
        """Record the seconds that `block` took.

        The size of blocks follows from the fastest block, since slower blocks waited
        for the machine. The remaining time follows from all blocks but the first of
        each worker, which includes loading the code.
        """
        policies = block.job.policies
        games = block.sets * block.job.games
        times = self._first_times if is_first else self._times
        known = times.get(policies, PlayingTime(0, 0.0))
        times[policies] = PlayingTime(known.games + games, known.seconds + seconds)
        self._seconds += seconds
        rate = block.sets / max(seconds, 1e-6)
        self._rates[policies] = max(rate, self._rates.get(policies, 0.0))

    def size(self, job: Job, sets_left: int) -> int:
        """Return the sets of the next block when the run has `sets_left` to play.

        The last blocks are smaller, so that all workers end at the same time.
        """
        if self.fixed is not None:
            return self.fixed
        first, smallest = FIRST_BLOCK, SMALLEST_BLOCK
        if is_slow(job):
            first, smallest = 1, 1
        rate = self._rates.get(job.policies)
        if rate is None:
            sets = first
        else:
            seconds = max(TARGET_SECONDS, self._seconds / LONG_RUN)
            sets = ceil(rate * min(LONGEST_SECONDS, seconds))
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
        rate = self._rates.get(policies) or min(self._rates.values(), default=0.0)
        if rate == 0:
            return 0.0
        return sets / rate

    def seconds_per_game(self, policies: tuple[str, ...]) -> float | None:
        """Return the seconds that a process needs for a game of these players, or None.

        For players who have not played, it is the mean of all others.
        """
        for times in (self._times, self._first_times):
            known = times.get(policies)
            if known is not None:
                return known.seconds / known.games
        games, seconds = 0, 0.0
        for time in (self._times or self._first_times).values():
            games += time.games
            seconds += time.seconds
        if games == 0:
            return None
        return seconds / games


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


def list_all_sets(job: Job) -> list[range]:
    """Return all sets of a job."""
    return [range(job.sets)]


class BlockQueue:
    """The sets that are not handed out yet.

    Jobs take turns, a block each, so that an interrupted run has played about as much
    of each. Jobs without a block come first, and blocks are short until each job has
    one. `stretches` returns the sets to play of a job.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        pacer: Pacer,
        stretches: Callable[[Job], Sequence[range]] = list_all_sets,
    ) -> None:
        self._pacer = pacer
        self._left: Counter[tuple[str, ...]] = Counter()
        self._games_left: Counter[tuple[str, ...]] = Counter()
        self.sets_left = 0
        unbegun, begun = [], []
        for job in jobs:
            for sets in stretches(job):
                if not sets:
                    continue
                if sets.start == 0:
                    unbegun.append((job, sets))
                else:
                    begun.append((job, sets))
        self._waiting = deque([*unbegun, *begun])
        for job, sets in self._waiting:
            self._add(job, len(sets))
        self._first_blocks = len(unbegun)
        self._unbegun = len(unbegun)

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
            if block.first_set == 0:
                self._unbegun -= 1
            blocks.append(block)
            room -= part
        return blocks

    def put_back(self, blocks: Sequence[Block]) -> None:
        """Hand out blocks again, before all others: a worker has not played them."""
        for block in reversed(blocks):
            sets = range(block.first_set, block.first_set + block.sets)
            self._waiting.appendleft((block.job, sets))
            self._add(block.job, block.sets)
            if block.first_set == 0:
                self._unbegun += 1

    def _shorten_first(self, job: Job, size: int) -> int:
        """Return the sets of a block, fewer as long as a job has no block."""
        if self._unbegun == 0 or self._pacer.fixed is not None:
            return size
        return min(size, self._pacer.first_size(job, self._first_blocks))

    def seconds_left(self) -> float:
        """Return the seconds a process needs for the remaining sets, 0 if unknown."""
        seconds = 0.0
        for policies, sets in self._left.items():
            seconds += self._pacer.seconds_for(policies, sets)
        return seconds

    def expected_seconds(self) -> float | None:
        """Estimate the seconds that a process needs for the remaining games, or None.

        Games of players who have not played count with the mean of all others.
        """
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
