"""Plays jobs to the end: hands out blocks, gathers tallies, reports progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeAlias

from deckcheck.engine.host.cache import announce_compilation, mark_warm
from deckcheck.playing.tally import Ints
from deckcheck.sim.blocks import (
    Block,
    BlockQueue,
    Job,
    Pacer,
    PlayedBlock,
    play_block,
)
from deckcheck.sim.errors import WorkerDiedError
from deckcheck.sim.executors import Executor, InProcess, WorkerProcesses
from deckcheck.sim.interrupts import Interrupts
from deckcheck.sim.totals import first_share_of
from deckcheck.stats import Estimate

__all__ = ["Played", "Progress", "Watch", "compile_and_play", "play_jobs", "warm_up"]

TICK = 0.25
WORTH_WORKERS = 4.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: games played and in all, seconds, and the job under way.

    `tally` is what has been played of `job`, None before its first block.
    """

    games: int
    games_total: int
    seconds: float
    job: Job
    tally: Ints | None

    @property
    def rate(self) -> Estimate | None:
        """The win share of the first named of the job so far."""
        if self.tally is None:
            return None
        return first_share_of(self.tally, self.job.entrants)


Watch: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Played:
    """The tallies of a run by number of the job, its seconds, and the workers used."""

    tallies: dict[int, Ints]
    seconds: float
    jobs: int


def play_jobs(
    work: Sequence[Job],
    seed: int,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    block_sets: int | None = None,
    watch: Watch | None = None,
) -> Played:
    """Play all of `work` and return their tallies, whatever the number of workers.

    Without an `executor`, games are played in this process until the rest is worth
    the start of `jobs` worker processes. `block_sets` fixes the size of blocks.
    `watch` is called after each block and about four times a second.

    Raises CrashedGameError and WorkerDiedError; KeyboardInterrupt passes through
    once the workers are stopped.
    """
    crew = _Crew(jobs, executor)
    run = _Run(work, seed, Pacer(block_sets, jobs), crew)
    try:
        with Interrupts() as interrupts:
            run.finish(watch or _ignore, interrupts)
    finally:
        crew.leave()
    return Played(run.tallies, run.seconds(), crew.jobs)


def compile_and_play(
    parts: Sequence[str],
    work: Sequence[Job],
    seed: int,
    *,
    while_compiling: AbstractContextManager[object] | None = None,
    announces: bool = True,
    **options: Any,
) -> Played:
    """Load or compile these parts of the engine, then play; see `play_jobs`.

    The engine is loaded, or compiled, within `while_compiling`; that it has to be
    compiled is said on standard error if `announces`.
    """
    with while_compiling or nullcontext():
        for part in parts if announces else ():
            announce_compilation(part)
        warm_up(work, seed)
        for part in parts:
            mark_warm(part)
    return play_jobs(work, seed, **options)


def warm_up(work: Iterable[Job], seed: int) -> None:
    """Play one set for each combination of policies, so that no block has to wait.

    Compiled code is loaded, or made when it is missing, before anything is timed.
    """
    seen = set()
    for job in work:
        if job.policies not in seen:
            seen.add(job.policies)
            play_block(seed, Block(job, 0, 1))


class _Crew:
    """Who plays: this process at first, workers as soon as they are worth it."""

    def __init__(self, jobs: int, executor: Executor | None) -> None:
        self._given = executor
        self._wanted = jobs
        self._workers: WorkerProcesses | None = None
        self._executor: Executor = executor or InProcess()
        self.jobs = jobs if executor is not None else 1

    @property
    def capacity(self) -> int:
        """How many blocks may be under way or waiting at a worker."""
        return 1 if isinstance(self._executor, InProcess) else 2 * self.jobs

    def grow(self, seconds_left: float) -> None:
        """Start workers if there are more than `seconds_left` makes worth while."""
        waiting = self._given is None and self._workers is None and self._wanted > 1
        if waiting and seconds_left > WORTH_WORKERS:
            self._executor = self._workers = WorkerProcesses(self._wanted)
            self.jobs = self._wanted

    def submit(self, seed: int, block: Block) -> Future[PlayedBlock]:
        return self._executor.submit(play_block, seed, block)

    def leave(self) -> None:
        """Stop the workers started here; a given executor belongs to its owner."""
        if self._workers is not None:
            self._workers.stop()


class _Run:
    def __init__(
        self, work: Sequence[Job], seed: int, pacer: Pacer, crew: _Crew
    ) -> None:
        self.tallies: dict[int, Ints] = {}
        self._job = work[0]
        self._seed = seed
        self._pacer = pacer
        self._crew = crew
        self._queue = BlockQueue(work, pacer)
        self._pending: dict[Future[PlayedBlock], Block] = {}
        self._games_total = sum(job.games * job.sets for job in work)
        self._games = 0
        self._start = perf_counter()

    def seconds(self) -> float:
        return perf_counter() - self._start

    def finish(self, watch: Watch, interrupts: Interrupts) -> None:
        try:
            while self._queue or self._pending:
                self._hand_out()
                self._gather()
                watch(self._progress())
                interrupts.check()
        except BrokenProcessPool as error:
            raise WorkerDiedError from error
        finally:
            for future in self._pending:
                future.cancel()

    def _hand_out(self) -> None:
        self._crew.grow(self._queue.seconds_left())
        while self._queue and len(self._pending) < self._crew.capacity:
            block = self._queue.take()
            self._pending[self._crew.submit(self._seed, block)] = block

    def _gather(self) -> None:
        done, _ = wait(self._pending, timeout=TICK, return_when=FIRST_COMPLETED)
        for future in done:
            block = self._pending.pop(future)
            played = future.result()
            self._pacer.record(block, played.seconds)
            self._job = block.job
            self._games += block.job.games * block.sets
            number = block.job.number
            if number in self.tallies:
                self.tallies[number] = self.tallies[number] + played.tally
            else:
                self.tallies[number] = played.tally

    def _progress(self) -> Progress:
        tally = self.tallies.get(self._job.number)
        return Progress(
            self._games, self._games_total, self.seconds(), self._job, tally
        )


def _ignore(_: Progress) -> None:
    """Take no notice of progress."""
