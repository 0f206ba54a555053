"""Runs: same tallies however they are played, and clear ends when they fail."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import fake_engine
import pytest
from fake_engine import matches_of

from deckcheck.sim.errors import CrashedGameError, WorkerDiedError
from deckcheck.sim.executors import WorkerProcesses
from deckcheck.sim.run import Progress, play_matches, warm_up


@pytest.fixture
def expected() -> dict[int, list[int]]:
    return {
        m.number: fake_engine.play("", 7, m.number, 0, 500).tolist()
        for m in matches_of(3, 500)
    }


@pytest.mark.parametrize("block_sets", [1, 7, 64, 500, None])
def test_blocks_do_not_change_a_tally(
    block_sets: int | None, expected: dict[int, list[int]]
) -> None:
    played = play_matches(
        matches_of(3, 500), 7, fake_engine.play, block_sets=block_sets
    )

    assert {n: t.tolist() for n, t in played.tallies.items()} == expected


def test_any_executor_plays_the_same(expected: dict[int, list[int]]) -> None:
    with ThreadPoolExecutor(3) as threads:
        played = play_matches(
            matches_of(3, 500),
            7,
            fake_engine.play,
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
        played = play_matches(
            matches_of(3, 500), 7, fake_engine.play, jobs=2, executor=workers
        )
    finally:
        workers.stop()

    assert {n: t.tolist() for n, t in played.tallies.items()} == expected
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_workers_start_when_the_rest_is_worth_it() -> None:
    seen: list[Progress] = []

    played = play_matches(
        matches_of(2, 6_000), 7, fake_engine.play_slowly, jobs=2, watch=seen.append
    )

    assert played.jobs == 2
    assert seen[-1].games == seen[-1].games_total == 12_000
    assert not multiprocessing.active_children()


def test_little_work_starts_no_workers() -> None:
    played = play_matches(matches_of(2, 300), 7, fake_engine.play_slowly, jobs=2)

    assert played.jobs == 1


def test_progress_names_the_match_under_way() -> None:
    seen: list[Progress] = []

    play_matches(
        matches_of(3, 100), 7, fake_engine.play, block_sets=100, watch=seen.append
    )

    assert [(p.games, p.match.number) for p in seen] == [
        (200, 1),
        (400, 3),
        (600, 4),
    ]
    assert [int(p.tally[0]) for p in seen] == [100, 100, 100]


def test_a_crashed_game_names_what_replays_it() -> None:
    with pytest.raises(CrashedGameError) as caught:
        play_matches(matches_of(2, 200), 7, fake_engine.crash, block_sets=50)

    assert (caught.value.seed, caught.value.pairing, caught.value.pair) == (7, 1, 70)
    assert "IndexError: row 3 of 3 (seed 7, pairing 1, pair 70)" in str(caught.value)


@pytest.mark.slow
def test_a_crash_in_a_worker_names_what_replays_it() -> None:
    workers = WorkerProcesses(1)
    try:
        with pytest.raises(CrashedGameError, match="seed 7, pairing 1, pair 70"):
            play_matches(matches_of(2, 200), 7, fake_engine.crash, executor=workers)
    finally:
        workers.stop()


@pytest.mark.slow
def test_a_killed_worker_is_one_clear_sentence() -> None:
    workers = WorkerProcesses(1)
    try:
        with pytest.raises(WorkerDiedError, match="A worker process was killed"):
            play_matches(matches_of(2, 200), 7, fake_engine.die, executor=workers)
    finally:
        workers.stop()


def test_an_interrupt_passes_through() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_matches(matches_of(2, 200), 7, fake_engine.play, watch=interrupt)


def test_warm_up_plays_each_combination_of_policies_once() -> None:
    calls = []

    def kernel(table: object, seed: int, pairing: int, first: int, pairs: int) -> None:
        calls.append((pairing, pairs))

    warm_up(matches_of(4, 100, ["random", "random", "random", "search"]), 7, kernel)

    assert calls == [(1, 1), (6, 1)]
