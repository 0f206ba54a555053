"""`deckcheck warmup`, and Ctrl-C while code is compiled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from deckcheck.cards import game_ids
from deckcheck.cli import main
from deckcheck.cli.interrupts import interrupts_end_at_once
from deckcheck.sim.warming import main_formats


def test_says_what_it_did_and_how_long(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup", "gwent/advanced"]) == 0

    assert capsys.readouterr().out.startswith("gwent/advanced: ")


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup", "gwent/standard", "-q"]) == 0

    assert capsys.readouterr().out == ""


def test_without_a_compiler_there_is_nothing_to_do() -> None:
    code = "import sys; from deckcheck.cli import main; sys.exit(main(['warmup']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "nothing to compile: NUMBA_DISABLE_JIT is set\n"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_while_compiling_ends_at_once() -> None:
    code = (
        "import os, signal\n"
        "from deckcheck.cli.interrupts import interrupts_end_at_once\n"
        "with interrupts_end_at_once():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('still here')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Interrupted: no game was played\n"


def test_interrupts_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts_end_at_once():
        assert signal.getsignal(signal.SIGINT) != before

    assert signal.getsignal(signal.SIGINT) == before


def test_the_main_format_of_each_game_is_compiled() -> None:
    assert "gwent/standard" in main_formats()
    games = [id.partition("/")[0] for id in main_formats()]
    assert len(games) == len(set(games)) == len(game_ids())
