"""Limits that the system sets a process are told in a sentence, and are no bugs."""

import errno
import os
import subprocess
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from helpers.commands import run_alone, stderr_of

from deckcheck.cli.loading import limit_met
from deckcheck.findings import UsageError
from deckcheck.sim.errors import NoWorkersError
from deckcheck.sim.jobs import Block, Job
from deckcheck.sim.playing_blocks import play_block
from deckcheck.sim.workers import WorkerProcesses

resource = pytest.importorskip("resource", reason="limits of a process")

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
PROCESSES = ("--executor", "processes")
FIELD = [str(DECKS / name) for name in ("mo_swarm.deck", "nr_siege_masters.deck")]

Captured = pytest.CaptureFixture[str]


def limited(kind: int, most: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may use so much."""
    return run_alone(*words, preexec_fn=partial(resource.setrlimit, kind, (most, most)))


def test_too_little_memory() -> None:
    """Validating takes less than playing."""
    playing = (
        "error: Memory is limited to 195 MB, and playing games takes 500 MB\n"
        "help: Raise the limit: `ulimit -v unlimited`\n"
    )
    for kilobytes, words, code, said in (
        (200_000, ["simulate", *FIELD, "-n", "4"], 2, playing),
        (200_000, ["report", "gone"], 2, playing),
        (50_000, ["stats", FIELD[0]], 2, "error: Memory ran out\n"),
        (100_000, ["validate", *FIELD], 0, ""),
    ):
        done = limited(resource.RLIMIT_AS, kilobytes * 1024, *words)
        assert done.returncode == code, words
        assert done.stderr.startswith(said), words
        assert bool(done.stderr) == bool(said), words


def test_too_few_files_for_workers(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    words = ["simulate", *FIELD, "--policy", "random", "-n", "99999999", "-q"]
    done = limited(
        resource.RLIMIT_NOFILE, 20, *words, "-j", "64", *PROCESSES, "--run", run
    )

    assert done.returncode == 2
    said = done.stderr.splitlines()
    assert said == [
        "error: Cannot start workers: too many open files",
        "help: Raise the limit that `ulimit` sets, or play in this process: `--jobs 1`",
        f"help: Continue with `deckcheck resume {run} --executor processes --quiet "
        "--jobs 1`",
    ]


def test_a_limit_is_no_bug(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    with pytest.raises(OSError, match="name too long") as caught:
        os.stat("a" * 300)
    assert isinstance(limit_met(caught.value), UsageError)

    def rule() -> None:
        raise error

    monkeypatch.setattr("deckcheck.cli.validate.rule", rule)
    for error, said in (
        (MemoryError(), "Memory ran out"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "Memory ran out"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many files are open"),
        (OSError(errno.ENFILE, "Too many open files"), "Too many files are open"),
        (OSError(errno.ENAMETOOLONG, "x", "a" * 300), f"The name `{'a' * 57}...` is"),
    ):
        first, second = stderr_of(capsys, "rule").splitlines()
        assert first.startswith(f"error: {said}"), error
        assert "bug" not in second, error
    for other in (OSError(errno.EIO, "x"), ImportError("x"), RecursionError()):
        assert limit_met(other) is None, other


def test_a_limit_is_no_crashed_game() -> None:
    class Short:
        def play(self, *_: object) -> None:
            raise error

    job = Job(1, "a against b", Short(), ("random",), 9)  # type: ignore[arg-type]
    for error in (MemoryError, ImportError):
        with pytest.raises(error):
            play_block(1, Block(job, 0, 9))


def test_workers_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = WorkerProcesses(2)
    for error, reason in (
        (OSError(errno.EMFILE, "Too many open files"), "too many open files"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
    ):
        monkeypatch.setattr(workers._pool, "submit", Mock(side_effect=error))
        with pytest.raises(NoWorkersError, match=f"start workers: {reason}"):
            workers.submit(print)
    workers.stop()
