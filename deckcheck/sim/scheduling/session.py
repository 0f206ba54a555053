"""Plays the same jobs further and further, for those who look in between."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from deckcheck.playing.tally import Head, Ints
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.jobs.record import Played, Record
from deckcheck.sim.scheduling.executors import Executor, WorkerProcesses
from deckcheck.sim.scheduling.scheduler import (
    WORTH_WORKERS,
    Progress,
    RunTallies,
    StoppedEarly,
    Watch,
    compile_and_play,
    play_jobs,
)


class GameSession:
    """What was played of some jobs so far; it remembers it, as a `Record` does.

    With a `record` that outlives the process, blocks are added to it, and what it has
    is not played again. `until` is what has to be waited for where nobody knows how
    many games there will be, see `Progress`; where it is known from the start, `whole`
    are all of them, and progress counts them all. Workers stay from one look to the
    next, and leave with `with`. The other arguments are those of `compile_and_play`.
    """

    def __init__(
        self,
        seed: int,
        jobs: int = 1,
        executor: Executor | None = None,
        record: Record | None = None,
        *,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
        announces: bool = True,
    ) -> None:
        self.block_sets = block_sets
        self.watch = watch
        self.until = ""
        self.whole = 0
        self._games: dict[int, int] = {}
        self._recorded: dict[int, int] = {}
        self.tallies: dict[int, Ints] = {}
        self._sets: dict[int, int] = {}
        self._seed = seed
        self._wanted = jobs
        self._executor = executor
        self._record = record
        self._while_compiling = while_compiling
        self._announces = announces
        self._workers: WorkerProcesses | None = None
        self._warm: set[tuple[str, tuple[str, ...]]] = set()
        self._played_here = 0
        self._seconds = 0.0
        self._jobs = 1

    @property
    def seconds(self) -> float | None:
        """How long playing took; None with a record, which others may have filled."""
        return None if self._record else self._seconds

    @property
    def jobs(self) -> int | None:
        """How many workers played; None with a record."""
        return None if self._record else self._jobs

    def __enter__(self) -> GameSession:
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.stop()

    def play(
        self,
        work: Sequence[Job],
        engines: Sequence[str],
        *,
        ahead: int = 0,
        block_sets: int | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Play each job until it has all its sets; see `compile_and_play`.

        `ahead` is how many games are to be played later: workers may be worth it for
        these. `block_sets` and `watch` take the place of its own. Raises StoppedEarly;
        `tallies` have what was played of these jobs until then.
        """
        record = self._record or self
        self._games |= {job.number: job.games for job in work}
        missing = sum(
            job.games * len(sets) for job in work for sets in record.missing(job)
        )
        if not missing:
            self._recall(work, record)
            return
        self._hire(missing + ahead)
        try:
            played = self._play(
                work,
                engines,
                jobs=self._wanted,
                executor=self._workers or self._executor,
                record=record,
                block_sets=block_sets or self.block_sets,
                watch=self._told(watch or self.watch, work[0].number),
            )
        except StoppedEarly as stop:
            self._note(stop.played)
            raise
        self._note(played)
        self._sets |= {job.number: job.sets for job in work}
        self._played_here += missing

    @property
    def games_played(self) -> int:
        """The games of all jobs so far."""
        return sum(
            self._games[number] * int(tally[0, Head.SETS])
            for number, tally in self.tallies.items()
        )

    def _told(self, watch: Watch | None, part: int) -> Watch | None:
        """What watches a part, and is told of all games, or until when they count."""
        until = self.until
        if watch is None or not (until or self.whole):
            return watch
        before, seconds = self.games_played, self._seconds

        def tell(progress: Progress) -> None:
            if self.whole:
                self._recorded[part] = progress.before
                progress = replace(
                    progress,
                    games=before + progress.games,
                    games_total=max(self.whole, before + progress.games_total),
                    before=sum(self._recorded.values()),
                    seconds=seconds + progress.seconds,
                )
            watch(replace(progress, until=until))

        return tell

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

    def played(self, job: Job) -> tuple[int, Ints | None]:
        """How many sets of `job` were played at the last look, and their tally."""
        return self._sets.get(job.number, 0), self.tallies.get(job.number)

    def missing(self, job: Job) -> list[range]:
        """The sets up to the next look."""
        return [range(self._sets.get(job.number, 0), job.sets)]

    def add(self, played: Played) -> None:
        """Nothing: the run that plays them adds blocks up."""

    def _hire(self, missing: int) -> None:
        """Start workers once the games ahead are worth it, and keep them."""
        is_alone = self._executor is None and self._workers is None
        if not (is_alone and self._wanted > 1 and self._played_here):
            return
        if missing * self._seconds / self._played_here > WORTH_WORKERS:
            self._workers = WorkerProcesses(self._wanted)

    def _recall(self, work: Sequence[Job], record: Record) -> None:
        """Take over what is all played: nothing has to be compiled for it."""
        self._recorded[work[0].number] = sum(job.games * job.sets for job in work)
        tallies = {job.number: record.played(job)[1] for job in work}
        self.tallies |= {n: tally for n, tally in tallies.items() if tally is not None}
        self._sets |= {job.number: job.sets for job in work}

    def _note(self, played: RunTallies) -> None:
        self.tallies |= played.tallies
        self._seconds += played.seconds or 0.0
        self._jobs = max(self._jobs, played.jobs or 1)
