"""Runs: same tallies however they are played, and clear ends when they fail."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from fake_engine import Crashing, Deadly, Fake, Noted, Slow, jobs_of

from deckcheck.playing.kernel import Ints
from deckcheck.sim import scheduler
from deckcheck.sim.errors import CrashedGameError, OtherProgramError, WorkerDiedError
from deckcheck.sim.jobs import BlockResult, Job, Unrecorded, play_blocks
from deckcheck.sim.provenance import Program
from deckcheck.sim.scheduler import Progress, StoppedEarly, play_jobs, warm_up
from deckcheck.sim.standings import StoppingOutcome
from deckcheck.sim.workers import WorkerProcesses


@pytest.fixture
def expected() -> dict[int, list[int]]:
    return {
        job.number: Fake().play(7, job.number, 0, 500).tolist()
        for job in jobs_of(3, 500)
    }


@pytest.mark.parametrize("block_sets", [1, 7, 64, 500, None])
def test_blocks_do_not_change_a_tally(
    block_sets: int | None, expected: dict[int, list[int]]
) -> None:
    played = play_jobs(jobs_of(3, 500), 7, block_sets=block_sets)

    assert {n: t.tolist() for n, t in played.tallies.items()} == expected


def test_any_executor_plays_the_same(expected: dict[int, list[int]]) -> None:
    with ThreadPoolExecutor(3) as threads:
        played = play_jobs(
            jobs_of(3, 500),
            7,
            jobs=3,
            executor=threads,
            block_sets=11,
        )

    assert {n: t.tolist() for n, t in played.tallies.items()} == expected
    assert played.jobs == 3


class Looks:
    """A rule that looks after these numbers of sets and changes nothing."""

    def __init__(self, jobs: Sequence[Job], *looks: int) -> None:
        self.jobs = jobs
        self.looks = iter(looks)

    def more(self, _: Mapping[int, Ints]) -> list[Job]:
        sets = next(self.looks, 0)
        return [replace(job, sets=sets) for job in self.jobs] if sets else []

    def stopped(self, _: Sequence[int]) -> StoppingOutcome:
        return StoppingOutcome("at the last look", ())


def test_looking_plays_no_set_twice(expected: dict[int, list[int]]) -> None:
    table = Noted()
    jobs = jobs_of(3, 500, table=table)
    rule = Looks(jobs, 32, 40, 211, 500)
    played = play_jobs(jobs, 7, block_sets=11, rule=rule)

    assert {n: t.tolist() for n, t in played.tallies.items()} == expected
    assert sum(sets for _, sets in table.calls) == 3 * 500
    assert played.complete


@pytest.mark.slow
def test_worker_processes_play_the_same(expected: dict[int, list[int]]) -> None:
    workers = WorkerProcesses(2)
    try:
        played = play_jobs(jobs_of(3, 500), 7, jobs=2, executor=workers)
    finally:
        workers.stop()

    assert {n: t.tolist() for n, t in played.tallies.items()} == expected
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_workers_start_when_the_rest_is_worth_it() -> None:
    seen: list[Progress] = []

    played = play_jobs(jobs_of(2, 6_000, table=Slow()), 7, jobs=2, watch=seen.append)

    assert played.jobs == 2
    assert seen[-1].games == seen[-1].games_total == 12_000
    assert not multiprocessing.active_children()


class Dying:
    """Workers that play in this process; those started first die after some blocks."""

    started: ClassVar[list[int]] = []

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.ready: set[str] = set()
        self.blocks = 0
        self.started.append(workers)

    def __len__(self) -> int:
        return self.workers

    def restart(self) -> None:
        """Start others."""
        self.started.append(self.workers)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.blocks += 1
        if len(self.started) == 1 and self.blocks > 5:
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(*args))
        return future

    def stop(self) -> None:
        """Nothing runs."""


def test_blocks_of_workers_that_died_are_played_by_others(
    monkeypatch: pytest.MonkeyPatch, expected: dict[int, list[int]]
) -> None:
    monkeypatch.setattr(Dying, "started", [])
    monkeypatch.setattr(scheduler, "WorkerProcesses", Dying)
    monkeypatch.setattr(scheduler, "WORTH_WORKERS", 0)
    played = play_jobs(jobs_of(3, 500), 7, jobs=2, block_sets=25)

    assert Dying.started == [2, 2]
    assert {n: t.tolist() for n, t in played.tallies.items()} == expected
    assert played.complete


def test_workers_stay_ready_from_one_part_of_a_study_to_the_next(
    monkeypatch: pytest.MonkeyPatch, expected: dict[int, list[int]]
) -> None:
    monkeypatch.setattr(Dying, "started", [])
    monkeypatch.setattr(scheduler, "WorkerProcesses", Dying)
    workers = Dying(2)
    play_jobs(jobs_of(2, 25), 7, executor=workers, block_sets=25)
    assert len(workers.ready) == 1  # both play in this one process
    workers.ready.add("the other")
    seen: list[Progress] = []
    played = play_jobs(
        jobs_of(3, 500), 7, jobs=2, executor=workers, block_sets=25, watch=seen.append
    )

    assert {p.ready for p in seen} == {2}
    # They die once they are ready: others take their place.
    assert Dying.started == [2, 2]
    assert {n: t.tolist() for n, t in played.tallies.items()} == expected


def test_loading_is_no_time_of_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 10))
    monkeypatch.setattr(scheduler, "perf_counter", lambda: next(clock))
    workers = Dying(2)
    workers.blocks = -1_000
    seen: list[Progress] = []
    play_jobs(jobs_of(2, 100), 7, executor=workers, block_sets=25, watch=seen.append)

    # Read at the start, before and after a wait, and to tell: each takes ten seconds.
    assert 19 < seen[0].seconds < 21


def test_blocks_of_another_program_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker with other code would play other games."""
    other = replace(Program.here(), engine="0f1e2d")

    def play(*args: Any) -> list[BlockResult]:
        return [replace(result, program=other) for result in play_blocks(*args)]

    monkeypatch.setattr(scheduler, "play_blocks", play)
    with pytest.raises(OtherProgramError, match="with engine 0f1e2d"):
        play_jobs(jobs_of(2, 200), 7)


def test_little_work_starts_no_workers() -> None:
    played = play_jobs(jobs_of(2, 300, table=Slow()), 7, jobs=2)

    assert played.jobs == 1


def test_progress_names_the_job_under_way() -> None:
    seen: list[Progress] = []

    play_jobs(jobs_of(3, 100), 7, block_sets=100, watch=seen.append)

    assert [(p.games, p.job.number) for p in seen] == [
        (200, 1),
        (400, 3),
        (600, 4),
    ]
    assert [int(p.tally[0]) for p in seen if p.tally is not None] == [100, 100, 100]


def test_a_crashed_game_names_what_replays_it() -> None:
    with pytest.raises(CrashedGameError) as caught:
        play_jobs(jobs_of(2, 200, table=Crashing()), 7, block_sets=50)

    assert (caught.value.seed, caught.value.table, caught.value.set) == (7, 1, 70)
    assert "IndexError: row 3 of 3 (seed 7, table 1, set 70)" in str(caught.value)


@pytest.mark.slow
def test_a_crash_in_a_worker_names_what_replays_it() -> None:
    workers = WorkerProcesses(1)
    try:
        with pytest.raises(CrashedGameError, match="seed 7, table 1, set 70"):
            play_jobs(jobs_of(2, 200, table=Crashing()), 7, executor=workers)
    finally:
        workers.stop()


@pytest.mark.slow
def test_a_killed_worker_is_one_clear_sentence() -> None:
    workers = WorkerProcesses(1)
    try:
        with pytest.raises(WorkerDiedError, match="A worker process was killed"):
            play_jobs(jobs_of(2, 200, table=Deadly()), 7, executor=workers)
    finally:
        workers.stop()


def test_an_interrupt_passes_through() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_jobs(jobs_of(2, 200), 7, watch=interrupt)


def test_a_run_that_is_stopped_at_a_look_is_not_complete() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    jobs = jobs_of(2, 200)
    rule = Looks(jobs, 32, 200)
    with pytest.raises(StoppedEarly) as stopped:
        play_jobs(jobs, 7, block_sets=32, watch=interrupt, rule=rule)

    assert [int(t[0]) for t in stopped.value.played.tallies.values()] == [32]
    assert not stopped.value.played.complete


def test_warm_up_plays_each_combination_of_policies_once() -> None:
    table = Noted()
    warm_up(jobs_of(4, 100, ["random", "random", "random", "search"], table), 7)

    assert table.calls == [(1, 1), (6, 1)]


class SecondHalf(Unrecorded):
    """Another shard plays the first half of the sets."""

    def missing(self, job: Job) -> list[range]:
        return [range(job.sets // 2, job.sets)]


def test_progress_goes_up_to_what_is_played_here() -> None:
    seen: list[Progress] = []
    play_jobs(jobs_of(3, 40), 7, record=SecondHalf(), watch=seen.append)

    assert seen[-1].games == seen[-1].games_total == 3 * 20 * 2


def test_progress_of_a_rule_goes_up_to_all_that_it_may_play() -> None:
    seen: list[Progress] = []
    jobs = jobs_of(3, 500)
    play_jobs(jobs, 7, rule=Looks(jobs, 32, 40), watch=seen.append)

    assert (seen[-1].games, seen[-1].games_total) == (3 * 40 * 2, 3 * 500 * 2)
