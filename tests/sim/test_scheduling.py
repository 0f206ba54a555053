"""Jobs cut into blocks, played elsewhere, and interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.commands import stderr_of
from helpers.fakes import jobs_of

import deckcheck
from deckcheck.cli import main
from deckcheck.sim.interrupts import Ending, Interrupts
from deckcheck.sim.jobs import SMALLEST_BLOCK, Block, BlockQueue, Pacer
from deckcheck.sim.scheduler import Progress, Speeds
from deckcheck.sim.workers import DaskWorkers

# How jobs are cut into blocks.


def cut(queue: BlockQueue) -> list[Block]:
    blocks: list[Block] = []
    while queue:
        blocks += queue.take()
    return blocks


def test_every_set_is_handed_out_once_and_jobs_take_turns() -> None:
    queue = BlockQueue(jobs_of(3, sets=1_000), Pacer(fixed=300))
    first = queue.take()
    queue.put_back(first)
    assert queue.sets_left == 3_000
    blocks = cut(queue)

    assert blocks[: len(first)] == first
    assert [b.first_set for b in blocks if b.job.number == 1] == [0, 300, 600, 900]
    assert [b.sets for b in blocks] == [300] * 9 + [100] * 3
    assert [b.job.number for b in blocks] == [1, 3, 4] * 4
    with pytest.raises(ValueError, match="at least one set"):
        Pacer(fixed=0)


def test_only_what_is_missing_is_handed_out() -> None:
    (job,) = jobs_of(2, sets=1_000)
    queue = BlockQueue(
        [job], Pacer(fixed=300), lambda _: [range(100, 500), range(990, 1_000)]
    )

    assert queue.sets_left == 410
    assert [(b.first_set, b.sets) for b in cut(queue)] == [
        (100, 300),
        (990, 10),
        (400, 100),
    ]


def test_a_block_takes_half_a_second_and_longer_in_long_runs() -> None:
    fast, slow = ("random",) * 2, ("search:8",) * 2
    for policies, sets, seconds, size in (
        *((fast, 0, 0, 64), (fast, 64, 0.016, 2_000), (fast, 1_000, 0.01, 50_000)),
        # Who thinks for long shows progress soon.
        *((slow, 0, 0, 1), (slow, 1, 0.2, 3), (slow, 100, 1, 50)),
        *((fast, 600_000, 600, 500), (fast, 4 * 10**6, 4_000, 2_000)),
        (fast, 9 * 10**7, 90_000, 4_000),
    ):
        [job], pacer = jobs_of(2, 100_000, policies), Pacer()
        if sets:
            pacer.record(Block(job, 0, sets), seconds)
        assert pacer.size(job, 100_000) == size, (policies, sets)


def test_each_policy_has_blocks_of_its_own_and_the_last_are_smaller() -> None:
    slow, _, fast = jobs_of(3, 10_000, ("search", "random", "random"))
    pacer = Pacer(jobs=2)
    pacer.record(Block(fast, 0, 1_000), seconds=0.1)
    pacer.record(Block(slow, 0, 100), seconds=1)

    assert pacer.size(slow, 10_000) == 50
    sizes = [pacer.size(fast, left) for left in (100_000, 8_000, 400, 8)]
    assert sizes == [5_000, 2_000, 100, 16]


def test_every_job_is_begun_before_any_has_much_more() -> None:
    """All first blocks together take two seconds, also of a run that goes on."""
    work = jobs_of(6, sets=100_000)
    pacer = Pacer(jobs=2)
    pacer.record(Block(work[0], 0, 1_000), seconds=1)
    queue = BlockQueue(work, pacer)
    first = [block for _ in work for block in queue.take(1)]
    again = BlockQueue(work, pacer, lambda job: [range(38 * job.number % 76, 100)])
    begun = [block.first_set for _ in work for block in again.take(1)]

    assert [block.job.number for block in first] == [job.number for job in work]
    assert sum(block.sets for block in first) == pytest.approx(4_000, rel=0.01)
    assert queue.take(1)[0].sets == 500
    assert begun == sorted(begun)


def test_short_blocks_are_handed_out_together() -> None:
    pacer = Pacer()
    work = jobs_of(9, sets=2)
    pacer.record(Block(work[0], 0, 32), seconds=1)
    queue = BlockQueue(work, pacer)
    sizes = []
    while queue:
        sizes.append([block.sets for block in queue.take()])

    assert pacer.size(work[0], 100) == SMALLEST_BLOCK
    # What is handed out together fits into a pipe.
    queue = BlockQueue(jobs_of(9, sets=1), Pacer())
    assert [len(queue.take()) for _ in range(2)] == [16, 16]
    assert len(queue.take(most=3)) == 3
    assert sizes == [[2] * 8] * 4 + [[2] * 4]


def test_knows_how_long_the_rest_takes() -> None:
    work = jobs_of(3, sets=1_000)
    pacer = Pacer(fixed=500)
    queue = BlockQueue(work, pacer)

    assert queue.seconds_left() == 0
    [block] = queue.take()
    pacer.record(block, seconds=0.5)

    assert queue.seconds_left() == pytest.approx(2.5)


# Dask: a scheduler and workers of its own on the loopback, one of them killed.

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
            FIELD, executor=executor, progress=kill_one, **SETTINGS
        )
    finally:
        executor.stop()

    assert 0 < killed_at[0] < 40_000
    assert workers[0].wait() == -signal.SIGKILL
    assert result.checksum == deckcheck.simulate(FIELD, **SETTINGS).checksum


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


def test_what_comes_of_a_task_is_passed_on() -> None:
    """Only what the cluster lost is played again: `BrokenExecutor`."""
    from distributed import KilledWorker

    class Killed(KilledWorker):
        def __init__(self) -> None:
            """Nothing of a task or a worker."""

        __str__ = object.__repr__

    executor = object.__new__(DaskWorkers)
    came: list[object] = []
    for error in (Killed(), ValueError("wrong"), None, "cancelled"):
        theirs: Future[int] = Future()
        executor._executor = SimpleNamespace(submit=lambda *_, own=theirs: own)
        ours = executor.submit(int)
        if isinstance(error, Exception):
            theirs.set_exception(error)
        elif error is None:
            theirs.set_result(7)
        else:
            assert theirs.cancel()
        came.append(type(ours.exception(timeout=1)))

    assert came == [BrokenExecutor, ValueError, type(None), BrokenExecutor]


def test_a_scheduler_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [*map(str, FIELD), "--games", "2", "--policy", "random"]
    options = ["--executor", "dask", "--scheduler", "nonsense://x"]

    assert "No Dask scheduler" in stderr_of(capsys, "simulate", *words, *options)


# Ctrl-C is noted when it comes and raised where it can do no harm.

needs_posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")


OTHERS = [signal.SIGTERM, signal.SIGHUP] if os.name == "posix" else []


@pytest.fixture(autouse=True)
def usual_signals() -> Iterator[None]:
    """Tests run by `nohup` would not be told that the terminal is gone."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in OTHERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def press(number: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@needs_posix
def test_it_is_raised_at_the_check_and_a_second_one_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        assert signal.getsignal(signal.SIGINT) != before
        interrupts.check()
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    assert signal.getsignal(signal.SIGINT) is before
    with Interrupts():
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


@needs_posix
def test_a_handler_of_the_caller_is_left_alone() -> None:
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    try:
        with Interrupts() as interrupts:
            press()
            interrupts.check()
    finally:
        signal.signal(signal.SIGINT, before)

    assert pressed == [1]


@needs_posix
@pytest.mark.parametrize("number", [signal.SIGINT, *OTHERS])
def test_each_signal_ends_a_command_as_ctrl_c_does(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script that plays keeps its own ways to end."""
    before = signal.getsignal(number)
    with Ending() as ending:
        with pytest.raises(KeyboardInterrupt):
            press(number)
        assert ending.code == 128 + number
        # `timeout` sends a signal to the process, and once more to its group.
        press(number)
        # One that was swallowed is raised again.
        with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
            interrupts.check()
    with Ending() as ending:
        # Signals that are ignored do not put off the next that counts.
        for seconds, is_taken in ((10.0, True), (10.6, False), (11.2, True)):
            monkeypatch.setattr(
                "deckcheck.sim.interrupts.monotonic", lambda now=seconds: now
            )
            with pytest.raises(KeyboardInterrupt) if is_taken else nullcontext():
                press(number)
        monkeypatch.undo()
    with Ending() as ending, Interrupts() as interrupts:
        press(number)
        if number in OTHERS:
            press(number)
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    assert ending.code == 128 + number

    assert signal.getsignal(number) is before
    with Interrupts():
        assert (signal.getsignal(number) is before) == (number in OTHERS)


@needs_posix
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Ending() as ending, Interrupts() as interrupts:
            press(signal.SIGHUP)
            interrupts.check()
    finally:
        signal.signal(signal.SIGHUP, before)

    assert ending.code == 128 + signal.SIGINT


# How long later games take, by the bots that have played and by their usual costs.


def test_speeds_expect_the_seconds_of_later_games() -> None:
    usual, learned = ("heuristic", 0.5), ("learned", 3.0)
    for played, later, seconds in (
        ([], {"heuristic": 5}, None),
        ([usual], {}, 0),
        ([usual], {"heuristic": 4}, 2),
        ([usual], {"heuristic": 4, "learned": 2}, 6.5),
        ([usual, ("heuristic", 2.0)], {"heuristic": 4, "learned": 2}, 19.5),
        ([usual, learned], {"heuristic": 4, "learned": 2}, 8),
        ([learned], {"heuristic": 9}, 6),
    ):
        speeds = Speeds()
        for games, (bot, each) in enumerate(played, 1):
            [job] = jobs_of(2, 1, ("heuristic", bot))
            for sofar in (9, games):
                progress = Progress(sofar, 9, 1.0, job, None, seconds_per_game=each)
                speeds.note(progress, games)
        assert speeds.expect(later) == pytest.approx(seconds), (played, later)
    job = replace(job, policies=("heuristic",) * 4)
    speeds = Speeds()
    speeds.note(Progress(9, 9, 1.0, job, None, seconds_per_game=0.5), 1)
    assert speeds.expect({"learned": 2}) == pytest.approx(25)
