"""Runs: same tallies however they are played, and clear ends when they fail."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import pytest
from fake_engine import Crashing, Deadly, Fake, Noted, Slow, jobs_of

from deckcheck.sim.errors import CrashedGameError, WorkerDiedError
from deckcheck.sim.executors import WorkerProcesses
from deckcheck.sim.run import Progress, play_jobs, warm_up


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


def test_warm_up_plays_each_combination_of_policies_once() -> None:
    table = Noted()
    warm_up(jobs_of(4, 100, ["random", "random", "random", "search"], table), 7)

    assert table.calls == [(1, 1), (6, 1)]
