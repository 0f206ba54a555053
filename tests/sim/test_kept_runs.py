"""Runs that are kept in the cache: how many, how large, by whom, and where not."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.results import SIEGE, SWARM, make_simulation

from deckcheck.findings import UsageError
from deckcheck.sim import kept_runs
from deckcheck.sim.blocks import BLOCKS_FILE
from deckcheck.sim.kept_runs import (
    KeptRun,
    drop_oldest_runs,
    find_last_run,
    list_kept_runs,
)
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import open_run
from deckcheck.sim.run_files import LOCK_FILE, RUN_FILE, Lock
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.simulation import Simulation

GAMES = 200

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep runs in a cache of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "deckcheck" / "runs"


def simulation(games: int = GAMES, seed: int = 5) -> Simulation:
    """Two decks that play at random."""
    return make_simulation(SWARM, SIEGE, games=games, seed=seed)


def play(games: int = GAMES, seed: int = 5) -> tuple[SimulationResult, int, list[str]]:
    """Play with the cache: the result, how many games were kept, and what was said."""
    notes: list[str] = []
    run = KeptRun(simulation(games, seed), tell=notes.append)
    result = run.run()
    recalled, whole = run.count_games()
    assert whole == games
    return result, recalled, notes


def test_only_missing_games_are_played() -> None:
    first, recalled, _ = play()
    again, again_recalled, _ = play()
    _, longer_recalled, _ = play(2 * GAMES)
    shorter, shorter_recalled, _ = play(GAMES // 2)

    assert (recalled, again_recalled, longer_recalled) == (0, GAMES, GAMES)
    assert again == first
    assert shorter.checksum == simulation(GAMES // 2).run().checksum
    assert shorter_recalled <= GAMES // 2
    assert open_run(find_last_run()).result().games == 2 * GAMES


DAMAGES: tuple[Callable[[Path], object], ...] = (
    lambda folder: (folder / BLOCKS_FILE).unlink(),
    lambda folder: (folder / RUN_FILE).write_text("{}"),
    lambda folder: (folder / RUN_FILE).unlink(),
    lambda folder: (folder / BLOCKS_FILE).write_bytes(b"\0" * 99),
    shutil.rmtree,
)


def test_damage_costs_games_and_no_answer() -> None:
    first, _, _ = play()
    for damage in DAMAGES:
        damage(find_last_run())
        assert play()[0] == first
        assert play()[1] == GAMES
    blocks = find_last_run() / BLOCKS_FILE
    text = bytearray(blocks.read_bytes())
    text[10] ^= 1
    blocks.write_bytes(text)
    assert play()[0] == first
    assert play()[1] == GAMES


@contextmanager
def another_process(runs: Path) -> Iterator[None]:
    with Lock(find_last_run()):
        yield


@contextmanager
def no_home(runs: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_runs, "user_cache_dir", lambda *_: "cache")
        yield


@contextmanager
def a_file_in_the_way(runs: Path) -> Iterator[None]:
    runs.rename(runs.with_name("away"))
    runs.touch()
    yield
    runs.unlink()
    runs.with_name("away").rename(runs)


@contextmanager
def refusing_writes(runs: Path, number: int) -> Iterator[None]:
    system = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and Path(path).is_relative_to(runs):
            raise OSError(number, os.strerror(number))
        return system(path, flags, mode)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", refuse)
        yield


@contextmanager
def full_disk(runs: Path) -> Iterator[None]:
    """Let no block be written after the first."""
    system, written = os.write, []

    def write(handle: int, data: bytes) -> int:
        if bytes(data).startswith(b'{"part"'):
            if written:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            written.append(handle)
        return system(handle, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", write)
        yield


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (another_process, ["another process is playing the same games"]),
        (no_home, []),
        (a_file_in_the_way, []),
        (lambda runs: refusing_writes(runs, errno.EROFS), []),
        (lambda runs: refusing_writes(runs, errno.ENOSPC), []),
        (full_disk, ["games are kept no longer: Cannot write"]),
    ],
)
def test_where_nothing_can_be_kept_all_is_played(
    fault: Callable[..., Iterator[None]], said: list[str], runs: Path
) -> None:
    play(GAMES // 2)
    with fault(runs):
        result, recalled, notes = play(4 * GAMES)

    assert result.games_played == 4 * GAMES
    assert recalled == (GAMES // 2 if fault is full_disk else 0)
    assert all(note.startswith(start) for note, start in zip(notes, said, strict=True))
    assert play(4 * GAMES)[0] == result


def test_the_oldest_runs_are_dropped_and_none_that_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_runs, "MAX_KEPT_RUNS", 2)
    for seed in (1, 2):
        play(20, seed)
    (oldest,) = (folder for folder in list_kept_runs() if folder != find_last_run())
    os.utime(oldest / LOCK_FILE, (1, 1))
    with Lock(find_last_run()):
        play(20, 3)
    assert oldest not in list_kept_runs()
    assert len(list_kept_runs()) == 2
    monkeypatch.setattr(kept_runs, "MAX_KEPT_BYTES", 1)
    last, before = list_kept_runs()
    with Lock(before):
        os.utime(before / LOCK_FILE, (1, 1))
        drop_oldest_runs()
        assert list_kept_runs() == [last, before]
    os.utime(before / LOCK_FILE, (1, 1))
    drop_oldest_runs()
    assert list_kept_runs() == [last]


def test_an_interrupted_run_is_the_last_one() -> None:
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    play(20, 1)
    whole = simulation(4 * GAMES, 2)
    with pytest.raises(KeyboardInterrupt):
        KeptRun(whole).run(watch=stop)
    kept = open_run(find_last_run())

    assert 0 < kept.result().games_played < 4 * GAMES
    assert kept.run().checksum == whole.run().checksum
    shutil.rmtree(find_last_run().parent)
    with pytest.raises(UsageError, match="No run is kept"):
        find_last_run()
