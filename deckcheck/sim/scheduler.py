"""Which block is played next, recorded games, the session of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter, sleep
from typing import Any, TypeAlias

from deckcheck.engine import cache
from deckcheck.engine.cache import announce_compilations, mark_warm
from deckcheck.playing.kernel import Head, Ints
from deckcheck.policies.registry import expected_time, find_player
from deckcheck.sim.blocks import (
    MAIN_PART,
    MEASURING_PART,
    BlockRecord,
    Played,
    Records,
    Unrecorded,
)
from deckcheck.sim.cross_checking import CROSS_CHECK_STEP
from deckcheck.sim.errors import OtherProgramError, WorkerDiedError
from deckcheck.sim.interrupts import Interrupts
from deckcheck.sim.jobs import Block, BlockQueue, Job, Pacer
from deckcheck.sim.playing_blocks import (
    BlockResult,
    PackedTally,
    Tallies,
    name_process,
    play_block,
    play_blocks,
)
from deckcheck.sim.provenance import Program
from deckcheck.sim.stopping import Stopping, StoppingOutcome, StoppingRule, make_rule
from deckcheck.sim.table_results import estimate_shares
from deckcheck.sim.workers import (
    Executor,
    InProcess,
    WorkerProcesses,
    WorkerThreads,
    start_threads,
)
from deckcheck.stats import Estimate

# Plays jobs to the end: hands out blocks, gathers tallies, reports progress.

TICK_SECONDS = 0.25
MOST_HERE = 256
"""Blocks handed out together that are sent nowhere: one write to the disk for all."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run."""

    games: int
    """The games played so far."""
    games_total: int
    """All games, or the games until an event."""
    seconds: float
    """The seconds of play, without those of `loading`."""
    job: Job
    """The current job."""
    tally: Ints | None
    """The games of the job so far, None before its first block."""
    before: int = 0
    """The games at the start, or at the last resumption, of the run."""
    workers: int = 1
    ready: int = 1
    """The workers that have loaded the engine and returned a block."""
    work: Mapping[int, Job] = field(default_factory=dict)
    """All jobs by number."""
    tallies: Mapping[int, Ints] = field(default_factory=dict)
    """The games of each job so far."""
    sets: Mapping[int, int] = field(default_factory=dict)
    """The numbers of sets of each job."""
    looked: bool = False
    """Whether a stopping rule applies."""
    note: str = ""
    """Further text."""
    until: str = ""
    """The event, if the number of games is not known in advance."""
    seconds_left: float | None = None
    """The time for the remaining games."""
    seconds_per_game: float | None = None
    """The time for a game of the job, None before the first block."""
    loading: float = 0.0
    """The seconds in which all workers were loading the engine."""

    def among(
        self,
        whole: int,
        before: int,
        seconds: float = 0.0,
        later_seconds: float | None = None,
    ) -> Progress:
        """Return the progress of `whole` games, of which `before` were played already.

        That took `seconds`. Games that come later are expected to take `later_seconds`,
        or each as long as these where that is not known.
        """
        total = max(whole, before + self.games_total)
        left = self.seconds_left
        if later_seconds is None and self.seconds_per_game is not None:
            later = total - before - self.games_total
            later_seconds = later * self.seconds_per_game
        if left is not None and later_seconds is not None:
            left += later_seconds
        return replace(
            self,
            games=before + self.games,
            games_total=total,
            seconds=seconds + self.seconds,
            seconds_left=left,
        )

    def delayed(self, seconds: float | None) -> Progress:
        """Return the progress of a run with further seconds of play after it."""
        if seconds is None or self.seconds_left is None:
            return self
        return replace(self, seconds_left=self.seconds_left + seconds)

    @property
    def rate(self) -> Estimate | None:
        """The win share of the first named of the job so far."""
        if self.tally is None:
            return None
        return estimate_shares(self.tally, self.job.entrants, anytime=False)[0]


Watch: TypeAlias = Callable[[Progress], None]
KeepRows: TypeAlias = Callable[[Block, Ints], None]


@dataclass(frozen=True, slots=True)
class RunTallies:
    """The tallies of a run."""

    tallies: Tallies
    """The tallies by number of the job. Jobs without a finished block have none."""
    seconds: float | None
    """The seconds of play, None for blocks of other sessions."""
    jobs: int | None
    """The workers used, None for blocks of other sessions."""
    complete: bool = True
    """Whether all requested sets were played."""
    stopped: StoppingOutcome | None = None
    """The outcome of the stopping rule."""


class StoppedEarly(KeyboardInterrupt):
    """Ctrl-C during a run. `played` has the games until then."""

    def __init__(self, played: RunTallies) -> None:
        super().__init__()
        self.played = played


def play_jobs(
    work: Sequence[Job],
    seed: int,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    block_sets: int | None = None,
    watch: Watch | None = None,
    record: BlockRecord | None = None,
    rule: StoppingRule | None = None,
    rows: KeepRows | None = None,
) -> RunTallies:
    """Play all of `work` and return their tallies, with any number of workers.

    Without an `executor`, `jobs` threads of this process play. `block_sets` fixes the
    size of blocks. `watch` is called after each block and about four times a second.
    Games in `record` are not played again, and each finished block is added to it. A
    `rule` decides at each checkpoint how far jobs go, at most as far as in `work`.
    `rows` gets every block that is played here with a row for each game, see
    `GameLog.rows`.

    Raises CrashedGameError, WorkerDiedError and, on Ctrl-C, StoppedEarly, which is a
    KeyboardInterrupt.
    """
    crew = _WorkerPool(jobs, executor)
    run = _Scheduler(
        work,
        seed,
        Pacer(block_sets, jobs),
        crew,
        record or Unrecorded(),
        rule=rule,
        rows=rows,
    )
    try:
        with Interrupts() as interrupts:
            run.finish(watch or (lambda _: None), interrupts)
    except KeyboardInterrupt:
        raise StoppedEarly(run.collect_tallies()) from None
    return run.collect_tallies()


def compile_and_play(
    parts: Sequence[str],
    work: Sequence[Job],
    seed: int,
    *,
    while_compiling: AbstractContextManager[object] | None = None,
    announces: bool = True,
    **options: Any,
) -> RunTallies:
    """Load or compile these parts of the engine, then play, see `play_jobs`.

    The engine is loaded, or compiled, within `while_compiling`. Compiling is announced
    on standard error if `announces`.
    """
    with (
        while_compiling or nullcontext(),
        announce_compilations(parts if announces else ()),
    ):
        warm_up(work, seed)
        for part in parts:
            mark_warm(part)
    return play_jobs(work, seed, **options)


def find_slowest(policies: Iterable[str]) -> str:
    """Return the bot of a job whose games take longest."""
    bots = list_bots(policies)
    return max(bots, key=partial(expected_time, players=2), default="")


def list_bots(policies: Iterable[str]) -> list[str]:
    """Return the bots of a job, one for each seat, without its other words."""
    return [policy for policy in policies if find_player(policy.partition(":")[0])]


def warm_up(work: Iterable[Job], seed: int) -> None:
    """Play a set for each combination of policies, so that no block has to wait.

    Compiled code is loaded, or made when it is missing, before anything is timed.
    """
    seen = set()
    for job in work:
        if job.policies not in seen:
            seen.add(job.policies)
            play_block(seed, Block(job, 0, 1))


class _WorkerPool:
    """The executor of a run, and which of its workers have played."""

    def __init__(self, jobs: int, executor: Executor | None) -> None:
        self._executor = executor or _choose_executor(jobs)
        self._size = 1 if isinstance(self._executor, InProcess) else jobs
        self._ready: set[str] = getattr(self._executor, "ready", set())

    @property
    def jobs(self) -> int:
        """How many blocks are played at the same time."""
        executor = self._executor
        if isinstance(executor, Sized):
            return max(1, len(executor))
        return self._size

    @property
    def capacity(self) -> int:
        """How many blocks may be under way or waiting at a worker."""
        return 1 if isinstance(self._executor, InProcess) else 2 * self.jobs

    @property
    def together(self) -> int | None:
        """The largest number of blocks to hand out at once, None for as many as can be
        sent."""
        return MOST_HERE if isinstance(self._executor, InProcess) else None

    @property
    def ready(self) -> int:
        """How many workers have returned a block. Threads need not load the engine."""
        is_here = isinstance(self._executor, (InProcess, WorkerThreads))
        return self.jobs if is_here else min(len(self._ready), self.jobs)

    def submit(
        self, seed: int, blocks: Sequence[Block], rows: bool
    ) -> Future[list[BlockResult]]:
        return self._executor.submit(play_blocks, seed, blocks, rows)

    def note(self, played: BlockResult) -> None:
        """Note which worker returned a block. Raises OtherProgramError for other
        versions."""
        if played.program != Program.here():
            raise OtherProgramError(played.worker, str(played.program))
        self._ready.add(played.worker)

    def replace_the_dead(self) -> bool:
        """Start workers again after a worker died, if they had played at all."""
        if not isinstance(self._executor, WorkerProcesses) or not self._ready:
            return False
        self._executor.restart()
        return True


def _choose_executor(jobs: int) -> Executor:
    """Return the threads of this process, or the process for a single job.

    Uncompiled games hold the interpreter, so threads would be of no use to them.
    """
    if jobs == 1 or not cache.compiled:
        return InProcess()
    return start_threads(jobs)


class _Scheduler:
    def __init__(
        self,
        work: Sequence[Job],
        seed: int,
        pacer: Pacer,
        crew: _WorkerPool,
        record: BlockRecord,
        *,
        rule: StoppingRule | None = None,
        rows: KeepRows | None = None,
    ) -> None:
        self._tallies = Tallies()
        self._job = work[0]
        self._seed = seed
        self._pacer = pacer
        self._crew = crew
        self._record = record
        self._rule = rule
        self._rows = rows
        self._is_over = False
        self._reached: dict[int, int] = {}
        self._sets: dict[int, int] = {}
        self._games = 0
        self._pending: dict[Future[list[BlockResult]], list[Block]] = {}
        self._work = {job.number: job for job in work}
        self._queue = self._stretch(work if rule is None else rule.more({}))
        self._before = self._games
        waiting = sum(j.games * len(r) for j in work for r in record.missing(j))
        most = sum(job.games * job.sets for job in work)
        self._games_total = most if rule else self._before + waiting
        self._start = perf_counter()
        self._loading = 0.0  # seconds in which no worker was ready to play
        self._begun: set[tuple[str, tuple[str, ...]]] = set()

    def collect_tallies(self) -> RunTallies:
        """Return the tallies of the games so far."""
        seconds = perf_counter() - self._start
        asked = {n: sets for n, sets in self._reached.items() if sets}
        is_all = self._sets == asked and self._is_over
        return RunTallies(self._tallies, seconds, self._crew.jobs, is_all)

    def finish(self, watch: Watch, interrupts: Interrupts) -> None:
        """Play all requested games, and then the games that the rule requests."""
        self._finish_queue(watch, interrupts)
        while self._rule is not None:
            work = self._rule.more(self._tallies)
            if not work:
                break
            self._queue = self._stretch(work)
            self._finish_queue(watch, interrupts)
        self._is_over = True

    def _finish_queue(self, watch: Watch, interrupts: Interrupts) -> None:
        try:
            while self._queue or self._pending:
                try:
                    self._submit_blocks()
                    self._gather()
                except (BrokenExecutor, CancelledError) as error:
                    # What ended the workers may be on its way to this process.
                    sleep(TICK_SECONDS)
                    interrupts.check()
                    self._resubmit_blocks(error)
                watch(self._make_progress())
                interrupts.check()
        finally:
            for future in self._pending:
                future.cancel()

    def _stretch(self, work: Sequence[Job]) -> BlockQueue:
        """Take over the recorded games of `work`, and return the missing sets."""
        missing = {}
        for job in work:
            sets, tally = self._record.find_played(job)
            if tally is not None:
                self._games += job.games * (sets - self._sets.get(job.number, 0))
                self._tallies.keep(job.number, tally)
                self._sets[job.number] = sets
            # What went before the last checkpoint is played, whether it is recorded or
            # not.
            done = self._reached.get(job.number, 0)
            stretches = self._record.missing(job)
            missing[job.number] = [range(max(r.start, done), r.stop) for r in stretches]
            self._reached[job.number] = job.sets
        return BlockQueue(work, self._pacer, lambda job: missing[job.number])

    def _submit_blocks(self) -> None:
        self._pacer.jobs = self._crew.jobs
        while self._queue and len(self._pending) < self._crew.capacity:
            blocks = self._queue.take(self._crew.together)
            try:
                future = self._crew.submit(self._seed, blocks, self._rows is not None)
            except BaseException:
                self._queue.put_back(blocks)
                raise
            self._pending[future] = blocks

    def _gather(self) -> None:
        start, were_ready = perf_counter(), self._crew.ready
        done, _ = wait(self._pending, timeout=TICK_SECONDS, return_when=FIRST_COMPLETED)
        if not were_ready:
            self._loading += perf_counter() - start
        played: list[tuple[Block, BlockResult]] = []
        try:
            for future in done:
                results = future.result()
                self._crew.note(results[0])
                played += zip(self._pending.pop(future), results, strict=True)
            if not were_ready:
                playing = sum(result.seconds for _, result in played)
                self._loading -= min(playing, self._loading)
        finally:
            # Written together: a disk takes as long for one as for many.
            if played:
                self._record.add([(block, result.tally) for block, result in played])
            for block, result in played:
                self._note(block, result)

    def _note(self, block: Block, played: BlockResult) -> None:
        if self._rows is not None and played.rows is not None:
            self._rows(block, played.rows)
        player = played.worker, block.job.policies
        # This process has loaded its code before: see `warm_up`.
        is_first = player not in self._begun and played.worker != name_process()
        self._pacer.record(block, played.seconds, is_first=is_first)
        self._begun.add(player)
        self._job = block.job
        number = block.job.number
        self._sets[number] = self._sets.get(number, 0) + block.sets
        self._games += block.job.games * block.sets
        self._tallies.add(number, played.tally)

    def _resubmit_blocks(self, error: Exception) -> None:
        """Give the blocks of dead workers to new workers."""
        for blocks in self._pending.values():
            self._queue.put_back(blocks)
        self._pending.clear()
        if not self._crew.replace_the_dead():
            raise WorkerDiedError from error

    def _estimate_seconds_left(self) -> float | None:
        """Return how long all workers will need for the remaining games."""
        expected = self._queue.expected_seconds()
        each = self._pacer.seconds_per_game(self._job.policies)
        if expected is None or each is None:
            return None
        handed_out = 0.0
        for blocks in self._pending.values():
            for block in blocks:
                seconds = self._pacer.seconds_per_game(block.job.policies) or each
                handed_out += seconds * block.sets * block.job.games
        # Blocks that are being played are half done on average.
        return (expected + handed_out / 2) / self._crew.jobs

    def _make_progress(self) -> Progress:
        each = self._pacer.seconds_per_game(self._job.policies)
        return Progress(
            self._games,
            self._games_total,
            perf_counter() - self._start - self._loading,
            self._job,
            self._tallies.get(self._job.number),
            self._before,
            self._crew.jobs,
            self._crew.ready,
            self._work,
            self._tallies,
            self._sets,
            self._rule is not None,
            seconds_left=self._estimate_seconds_left(),
            seconds_per_game=each and each / self._crew.jobs,
            loading=self._loading,
        )


# The recorded games of a simulation: nothing is played.


class NoGamesRecorded(Exception):
    """The run has too few recorded games to produce a result."""


class RecordedGames:
    """Finds the recorded games of each part of a simulation."""

    after: Mapping[str, float] = {}
    """Empty: no games follow."""

    def __init__(self, records: Records, stopping: Stopping) -> None:
        self._records = records
        self._stopping = stopping

    def games(
        self, work: Sequence[Job], seed: int, part: str = MAIN_PART
    ) -> RunTallies:
        """Return the tallies of the main part, up to the end by the stopping rule."""
        if not self._stopping.has_checkpoints:
            return self(work, seed, part)
        rule = make_rule(self._stopping, work)
        tallies = Tallies()
        recorded = self(rule.more({}), seed, part)
        while True:
            tallies.update(recorded.tallies)
            more = rule.more(tallies) if recorded.complete else []
            if not more:
                stopped = rule.make_outcome(sorted(tallies))
                return replace(recorded, tallies=tallies, stopped=stopped)
            recorded = self(more, seed, part)

    def again(self, _: object, work: Sequence[Job], seed: int) -> RunTallies | None:
        """Return the tallies of the second player of the same games, or None."""
        try:
            return self(work, seed, CROSS_CHECK_STEP)
        except NoGamesRecorded:
            return None

    def __call__(
        self, work: Sequence[Job], seed: int, part: str = MAIN_PART
    ) -> RunTallies:
        """Return the tallies of a part, or raise NoGamesRecorded.

        `seed` is unused, since no game is played.
        """
        record = self._records(part)
        tallies, missing = Tallies(), 0
        for job in work:
            sets, tally = record.find_played(job)
            missing += job.sets - sets
            if tally is not None:
                tallies.keep(job.number, tally)
        if not tallies or (part == MEASURING_PART and missing):
            raise NoGamesRecorded
        return RunTallies(tallies, None, None, not missing)


# Plays the same jobs further and further, for those who look in between.


class Speeds:
    """How fast each bot has played in a run, to expect how long later games take."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, int | str], tuple[int, float]] = {}
        """The games of each bot in each part, and the seconds of such a game."""
        self._players = 2

    def note(self, progress: Progress, part: int | str) -> None:
        """Take note of the bot that plays a part, and of its speed."""
        if progress.seconds_per_game is not None:
            bot = find_slowest(progress.job.policies)
            self._players = len(list_bots(progress.job.policies))
            self._parts[bot, part] = progress.games, progress.seconds_per_game

    def expect(self, games: Mapping[str, float]) -> float | None:
        """Return the seconds that games of these bots will take; None if unknown.

        A bot that has not played is compared with the bots that have.
        """
        played: dict[str, int] = {}
        seconds: dict[str, float] = {}
        for (bot, _), (count, seconds_per_game) in self._parts.items():
            played[bot] = played.get(bot, 0) + count
            seconds[bot] = seconds.get(bot, 0.0) + count * seconds_per_game
        usual_seconds = 0.0
        for bot, count in played.items():
            usual_seconds += count * expected_time(bot, self._players)
        if not usual_seconds:
            return None
        unit = sum(seconds.values()) / usual_seconds
        total = 0.0
        for bot, games_left in games.items():
            usual = unit * expected_time(bot, self._players)
            each = seconds[bot] / played[bot] if played.get(bot) else usual
            total += games_left * each
        return total


class GameSession:
    """The games of some jobs so far, which it keeps as a `BlockRecord` does.

    With a `record` that outlives the process, blocks are added to it, and its games are
    not played again. `until` names the event that ends the games if their number is not
    known, see `Progress`. If it is known, `planned` has the games of the whole run for
    each bot that plays them, and progress counts them all. `after` has the games of
    runs that follow: their time counts, and they do not. `known` is the last result,
    None before the first: an interrupt during the next games returns it. See
    `compile_and_play` for the other arguments.
    """

    def __init__(
        self,
        seed: int,
        jobs: int = 1,
        executor: Executor | None = None,
        record: BlockRecord | None = None,
        *,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
        announces: bool = True,
    ) -> None:
        self.block_sets = block_sets
        self.watch = watch
        self.until = ""
        self.planned: Mapping[str, int] = {}
        self.after: Mapping[str, float] = {}
        self.known: Any = None
        self._games: dict[int, int] = {}
        self._bots: dict[int, str] = {}
        self._speeds = Speeds()
        self._recorded: dict[int, int] = {}
        self.tallies: dict[int, Ints] = {}
        self._sets: dict[int, int] = {}
        self._seed = seed
        self._wanted = jobs
        self._executor = executor
        self._record = record
        self._while_compiling = while_compiling
        self._announces = announces
        self._warm: set[tuple[str, tuple[str, ...]]] = set()
        self._seconds = 0.0
        self._jobs = 1

    @property
    def seconds(self) -> float | None:
        """The seconds of playing, None with a record, which others may have filled."""
        return None if self._record else self._seconds

    @property
    def jobs(self) -> int | None:
        """The number of workers, None with a record."""
        return None if self._record else self._jobs

    def play(
        self,
        work: Sequence[Job],
        engines: Sequence[str],
        *,
        block_sets: int | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Play each job until it has all its sets, see `compile_and_play`.

        `block_sets` and `watch` replace the session's own. Raises StoppedEarly:
        `tallies` then has the games of these jobs so far.
        """
        record = self._record or self
        self._games |= {job.number: job.games for job in work}
        self._bots |= {job.number: find_slowest(job.policies) for job in work}
        if not any(sets for job in work for sets in record.missing(job)):
            self._recall(work, record)
            return
        try:
            played = self._play(
                work,
                engines,
                jobs=self._wanted,
                executor=self._executor,
                record=record,
                block_sets=block_sets or self.block_sets,
                watch=self._wrap_watch(watch or self.watch, work),
            )
        except StoppedEarly as stop:
            self._note(stop.played)
            raise
        self._note(played)
        self._sets |= {job.number: job.sets for job in work}

    @property
    def games_played(self) -> int:
        """The games of all jobs so far."""
        tallies = self.tallies.items()
        return sum(self._count_games(number, tally) for number, tally in tallies)

    def recalled_games(self, first: Job) -> int:
        """Return the recorded games of the call of `play` that began with `first`."""
        return self._recorded.get(first.number, 0)

    def _wrap_watch(self, watch: Watch | None, work: Sequence[Job]) -> Watch | None:
        """Return `watch` for a part, with the number of all games, or with `until`."""
        until, part = self.until, work[0].number
        if watch is None or not (until or self.planned or self.after):
            return watch
        before, seconds = self.games_played, self._seconds
        unplayed = self._count_unplayed(work)
        later = self._count_later(unplayed)

        def tell(progress: Progress) -> None:
            self._speeds.note(progress, part)
            if progress.seconds_left is None:  # before the first block of the part
                left = self._speeds.expect(unplayed)
                progress = replace(progress, seconds_left=left)
            if self.planned:
                self._recorded[part] = progress.before
                whole = sum(self.planned.values())
                progress = replace(
                    progress.among(whole, before, seconds, self._speeds.expect(later)),
                    before=sum(self._recorded.values()),
                )
            progress = progress.delayed(self._speeds.expect(self.after))
            watch(replace(progress, until=until))

        return tell

    def expect(self, later: Mapping[str, int]) -> None:
        """Plan these games of each bot, besides those that were played."""
        planned = Counter(later)
        for number, tally in self.tallies.items():
            planned[self._bots[number]] += self._count_games(number, tally)
        self.planned = planned

    def _count_unplayed(self, work: Sequence[Job]) -> Counter[str]:
        """Return how many games of a part each bot has yet to play."""
        unplayed: Counter[str] = Counter()
        for job in work:
            known = self.tallies.get(job.number)
            played = 0 if known is None else self._count_games(job.number, known)
            unplayed[self._bots[job.number]] += job.games * job.sets - played
        return unplayed

    def _count_later(self, unplayed: Counter[str]) -> Counter[str]:
        """Return how many planned games each bot plays after a part."""
        later = Counter(self.planned)
        for number, tally in self.tallies.items():
            later[self._bots[number]] -= self._count_games(number, tally)
        later.subtract(unplayed)
        return +later

    def _count_games(self, number: int, tally: Ints) -> int:
        return self._games[number] * int(tally[0, Head.SETS])

    def _play(
        self,
        work: Sequence[Job],
        engines: Sequence[str],
        **options: Any,
    ) -> RunTallies:
        """Play jobs, and warm up before for players who have not played here yet."""
        players = {(part, job.policies) for part in engines for job in work}
        if players <= self._warm:
            return play_jobs(work, self._seed, **options)
        self._warm |= players
        # It can be entered once: what is compiled later is not guarded by it.
        guard, self._while_compiling = self._while_compiling, None
        return compile_and_play(
            engines,
            work,
            self._seed,
            while_compiling=guard,
            announces=self._announces,
            **options,
        )

    def find_played(self, job: Job) -> tuple[int, PackedTally | None]:
        """Return how many sets of `job` the last checkpoint has, and their tally."""
        tally = self.tallies.get(job.number)
        packed = None if tally is None else PackedTally.of(tally)
        return self._sets.get(job.number, 0), packed

    def missing(self, job: Job) -> list[range]:
        """Return the sets up to the next look."""
        return [range(self._sets.get(job.number, 0), job.sets)]

    def add(self, played: Played) -> None:
        """Do nothing: `play` takes the tallies over when its run ends."""

    def _recall(self, work: Sequence[Job], record: BlockRecord) -> None:
        """Take over jobs that are complete in the record, for which nothing is
        compiled."""
        self._recorded[work[0].number] = sum(job.games * job.sets for job in work)
        tallies = {job.number: record.find_played(job)[1] for job in work}
        self.tallies |= {n: tally.unpack() for n, tally in tallies.items() if tally}
        self._sets |= {job.number: job.sets for job in work}

    def _note(self, played: RunTallies) -> None:
        self.tallies |= played.tallies
        self._seconds += played.seconds or 0.0
        self._jobs = max(self._jobs, played.jobs or 1)
