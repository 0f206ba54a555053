"""Dask: a scheduler and workers of its own on the loopback, one of them killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.workers import DaskWorkers

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
FIELD = [DECKS / "mo_swarm.deck", DECKS / "nr_siege_masters.deck"]
SETTINGS = {"games": 40_000, "policies": "random"}

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `dask ...`, and end it with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words]
        with open(tmp_path / "log", "ab") as log:
            process = subprocess.Popen(
                command, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT
            )
        started.append(process)
        return process

    yield begin
    for process in reversed(started):
        process.kill()
        process.wait()


@pytest.fixture
def scheduler(start: Start, tmp_path: Path) -> str:
    """The address of a scheduler on a free port of the loopback."""
    file = tmp_path / "scheduler.json"
    process = start(
        *("scheduler", "--host", "127.0.0.1", "--port", "0"),
        *("--no-dashboard", "--scheduler-file", str(file)),
    )
    while not file.exists() or not file.read_text().endswith("}"):
        assert process.poll() is None, (tmp_path / "log").read_text()
        time.sleep(0.1)
    return str(json.loads(file.read_text())["address"])


def worker(start: Start, scheduler: str) -> subprocess.Popen[bytes]:
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
    return start("worker", scheduler, *options)


@pytest.mark.slow
def test_a_killed_worker_costs_its_blocks_alone(start: Start, scheduler: str) -> None:
    workers = [worker(start, scheduler) for _ in range(2)]
    killed_at: list[int] = []

    def kill_one(progress: Progress) -> None:
        # It plays, or it loads the engine with blocks waiting: both are lost with it.
        if progress.games and not killed_at:
            killed_at.append(progress.games)
            os.kill(workers[0].pid, signal.SIGKILL)

    executor = DaskWorkers(2, scheduler)
    try:
        result = deckcheck.simulate(
            FIELD,
            executor=executor,
            progress=kill_one,
            **SETTINGS,  # type: ignore[arg-type]
        )
    finally:
        executor.stop()

    assert 0 < killed_at[0] < 40_000
    assert workers[0].wait() == -signal.SIGKILL
    assert result.checksum == deckcheck.simulate(FIELD, **SETTINGS).checksum  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_command_line_plays_on_a_cluster_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [*map(str, FIELD), "--games", "2000", "--policy", "random", "-q"]
    outputs = []
    for options in ([], ["--executor", "dask", "--jobs", "1"]):
        assert main(["simulate", *words, "--output-format", "csv", *options]) == 0
        outputs.append(capsys.readouterr())

    assert outputs[0] == outputs[1]


@pytest.mark.slow
def test_a_cluster_of_its_own_ends_with_it() -> None:
    executor = DaskWorkers(1)
    cluster = executor._cluster
    assert cluster is not None
    executor.stop()

    assert cluster.status.name == "closed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--executor", "dask", "--scheduler", "nonsense://x"], "No Dask scheduler"),
        (["--scheduler", "tcp://127.0.0.1:1"], "goes with the executor `dask` only"),
        (["--executor", "dusk"], "`dusk`, choose `processes`, `in-process` or `dask`"),
    ],
)
def test_misuse(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    words = [*map(str, FIELD), "--games", "2", "--policy", "random"]

    assert main(["simulate", *words, *options]) == 2
    assert message in capsys.readouterr().err
