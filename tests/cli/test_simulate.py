"""The command `simulate`, with all ways to play and to stop."""

import contextlib
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from helpers.commands import stderr_of, stdout_of

from deckcheck.engine.registry import CrashedGame
from deckcheck.formats import load_format
from deckcheck.sim import simulation
from deckcheck.sim.errors import CrashedGameError
from deckcheck.sim.playing_blocks import Tallies
from deckcheck.sim.scheduler import RunTallies, StoppedEarly
from deckcheck.sim.warmup import warm_format

# `deckcheck simulate` from its arguments to its output and exit code.

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent"
SWARM = str(DECKS / "standard" / "mo_swarm.deck")
SIEGE = str(DECKS / "standard" / "nr_siege_masters.deck")


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile before anything is looked at: it would be announced on stderr."""
    warm_format(load_format("gwent/standard"))


def test_an_interrupt_before_the_first_game(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = StoppedEarly(RunTallies(Tallies(), 0.0, 1, complete=False))
    monkeypatch.setattr(simulation, "compile_and_play", Mock(side_effect=stopped))
    words = ("simulate", SWARM, SIEGE, "--games", "20", "--policy", "random")

    assert stderr_of(capsys, *words, code=130) == "Interrupted: no game was played\n"


def test_a_crash_can_cross_processes() -> None:
    error = CrashedGameError(7, 1, 70, "IndexError: row 3 of 3")
    copy = pickle.loads(pickle.dumps(error))

    assert (copy.set, copy.message) == (70, error.message)


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start runs that would take hours, each in a group of its own."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        code = "from deckcheck.cli import run; run()"
        games = ("--games", "1000000000")
        process = subprocess.Popen(
            [sys.executable, "-c", code, "simulate", SWARM, SIEGE, *games, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        wait_for_progress(process)
        return process

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals to groups of processes")
class TestProcesses:
    @pytest.mark.parametrize("jobs", ["1", "2"])
    @pytest.mark.parametrize(
        ("number", "send"),
        [
            (signal.SIGINT, "killpg"),
            (signal.SIGTERM, "kill"),
            (signal.SIGTERM, "killpg"),
            (signal.SIGHUP, "killpg"),
        ],
    )
    def test_a_signal_ends_everything_at_once(
        self, start: Start, number: int, send: str, jobs: str, tmp_path: Path
    ) -> None:
        """As a terminal or a batch system sends it: perhaps to the whole group."""
        process = start("--jobs", jobs, "--run", str(tmp_path / "run"))
        getattr(os, send)(process.pid, number)
        _, err = process.communicate(timeout=20)

        assert process.returncode == 128 + number
        command = f"deckcheck resume {tmp_path / 'run'} --jobs {jobs}"
        assert err.endswith(f"\nhelp: Continue with `{command}`\n")
        assert "leaked" not in err
        # Neither the rest of the run is played nor what was waiting for a worker.
        [said] = re.findall(r"Interrupted: ([\d,]+) of ([\d,]+) games", err)
        played, asked = (int(number.replace(",", "")) for number in said)
        assert played < asked / 100
        assert "Traceback" not in err
        assert living_in_group(process.pid) == []

    def test_workers_end_with_a_killed_run(self, start: Start) -> None:
        process = start("--jobs", "2", "--executor", "processes")
        process.kill()
        process.communicate(timeout=20)
        time.sleep(3)

        assert living_in_group(process.pid) == []

    def test_a_killed_worker_costs_its_blocks_alone(self, start: Start) -> None:
        process = start("--jobs", "2", "--executor", "processes")
        wait_for_progress(process)  # the workers have played by then
        before = workers_of(process)
        os.kill(before[0], signal.SIGKILL)
        wait_for_progress(process)

        after = workers_of(process)
        assert len(after) == 2
        assert not {*before} & {*after}
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert living_in_group(process.pid) == []

    def test_a_run_does_not_load_pandas(self) -> None:
        code = (
            "import sys; from deckcheck.cli import main; "
            f"main(['simulate', {SWARM!r}, {SIEGE!r}, '--games', '2', '-qq']); "
            "sys.exit('pandas' in sys.modules)"
        )

        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    return [pid for pid, line in living_in_group(process.pid) if "spawn_" in line]


def wait_for_progress(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if " games, " in line:
            return
    raise AssertionError("the run ended by itself")


def living_in_group(group: int) -> list[tuple[int, str]]:
    """Processes of a group with their command lines.

    Ended ones do not count, nor those about to: they have no command line any more
    and are shown as `[python3]`.
    """
    table = subprocess.run(
        ["ps", "-ww", "-eo", "pid,pgid,stat,args"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split(maxsplit=3) for line in table.stdout.splitlines()[1:]]
    return [
        (int(pid), command)
        for pid, pgid, state, command in rows
        if int(pgid) == group and not state.startswith("Z") and command[0] != "["
    ]


# `deckcheck simulate` with rules that stop it, and a crash.

DECK = str(min((DECKS.parent / "deckmaster" / "standard").glob("*.deck")))
BY_CHANCE = ("--policy", "random", "--jobs", "1", "--seed", "3")
AS_JSON = ("--output-format", "json")


def test_a_run_that_was_stopped_is_one_of_so_many_games(
    capsys: Captured, here: Path
) -> None:
    """Games that were played before a look are not played again after it."""

    def played(games: int, *words: str) -> dict[str, Any]:
        args = ["simulate", DECK, "--games", str(games), *words, *BY_CHANCE]
        document: dict[str, Any] = json.loads(stdout_of(capsys, *args, *AS_JSON))
        return document

    stopped = played(4_000, "--until-width", "20%", "--run", "run")
    games = stopped["games_played"]
    whole = played(games)

    assert 100 < games < 4_000
    assert stopped["complete"]
    assert games == 2 * stopped["stopping"]["tables"][0]["sets"]
    assert stopped["checksum"] == whole["checksum"]
    # Blocks that are lost in the middle change no decision.
    blocks = here / "run" / "blocks.jsonl"
    lines = blocks.read_text().splitlines(keepends=True)
    blocks.write_text("".join([*lines[:2], *lines[4:5]]))
    assert json.loads(stdout_of(capsys, "resume", "run", *AS_JSON)) == stopped


def test_a_crash_gives_the_command_that_replays_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash = Mock(side_effect=CrashedGame("a game crashed"))
    monkeypatch.setattr("deckcheck.playing.versions.play_logged", crash)
    err = stderr_of(capsys, "simulate", DECK, "--games", "20", *BY_CHANCE, code=3)

    assert "a game crashed (seed 3, table 0, set 0)" in err
    options = f"{DECK} --games 20 --seed 3 --policy random"
    assert f"help: Show the game with `deckcheck replay {options}" in err
    assert "--pairing 'player 1 (random), " in err
    assert "--game 1`\n" in err
