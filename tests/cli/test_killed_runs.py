"""Runs that are killed at any moment, or whose disk is full: only a block is lost."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals and limits of a process"),
]

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
FIELD = [str(DECKS / name) for name in ("mo_swarm.deck", "nr_siege_masters.deck")]
PLAY = ["simulate", *FIELD, "--games", "60000", "--policy", "random", "--run"]
AGAINST = ["--against", FIELD[0], "--against", str(DECKS / "sk_longships.deck")]
THINKING = ["--policy", "heuristic-1", "--run"]
ALONE = ["--confirm", "none"]
NEW = str(DECKS.parents[2] / "examples" / "compare" / "second_horn.deck")
COMPARE = ["compare", FIELD[1], NEW, *AGAINST, "-n", "20000", *THINKING]
IMPACT = ["impact", FIELD[1], *AGAINST, "-n", "400", *ALONE, *THINKING]
SOLVE = ["solve", "gwent/standard", "--games", "8000", "--rounds", "2", *AGAINST]
SOLVE += ["--faction", "Monsters", "--faction", "Skellige", *ALONE, *THINKING]
PLAN = Path(__file__).parents[2] / "examples" / "balance" / "plan.toml"
BALANCE = ["balance", str(PLAN), *ALONE, "--run"]
CODE = "import sys; from deckcheck.cli import main; sys.exit(main())"

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start commands, and see that none outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*words: str, **options: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,  # type: ignore[call-overload]
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def wait_for_blocks(process: subprocess.Popen[str], file: Path, size: int) -> None:
    """Wait until a file is larger than `size`."""
    while not file.exists() or file.stat().st_size <= size:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("words", "jobs"),
    [(PLAY, "1"), (COMPARE, "1"), (IMPACT, "2"), (SOLVE, "2"), (BALANCE, "2")],
)
def test_killed_at_random_moments(
    start: Start, tmp_path: Path, words: list[str], jobs: str
) -> None:
    expected = finished(start(*words, "whole", "-q"))
    moments = random.Random(3)
    blocks = tmp_path / "run" / "blocks.jsonl"
    for _ in range(3):
        size = blocks.stat().st_size if blocks.exists() else 0
        process = start(*words, "run", "--jobs", "1", "-q")
        wait_for_blocks(process, blocks, size)
        time.sleep(moments.random() * 0.6)
        process.send_signal(signal.SIGKILL)
        process.wait()

    assert finished(start("resume", "run", "-q", "--jobs", jobs)) == expected
    assert finished(start("resume", "run", "-q")) == expected


def test_a_check_that_is_killed_goes_on(start: Start, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        "[experiments.field]\n"
        f"decks = {FIELD}\n"
        'policies = ["heuristic-1"]\n'
        "games = 60000\n"
        "until_decided = true\n"
        'expect = ["win_rate(*) < 73%"]\n'
    )
    words = ["expect", "plan.toml", "-q", "--run"]
    expected = finished(start(*words, "whole"))
    process = start(*words, "run", "--jobs", "1")
    wait_for_blocks(process, tmp_path / "run" / "field" / "blocks.jsonl", 400)
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert finished(start(*words, "run", "--jobs", "2")) == expected


def test_a_full_disk_stops_with_the_way_to_go_on(start: Start, tmp_path: Path) -> None:
    """A limit to the size of files, which the system enforces as it does a disk's."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    process = start(*PLAY, "run", "--games", "9999999", "-qj1", preexec_fn=limit)
    _, err = process.communicate()
    lines = (tmp_path / "run" / "blocks.jsonl").read_bytes().splitlines(keepends=True)

    assert process.returncode == 2
    assert "error: Cannot write `run/blocks.jsonl`: file too large" in err
    assert "help: Make room, and `deckcheck resume run` goes on" in err
    assert len(lines) > 5
    assert lines[-1].endswith(b"}\n")
