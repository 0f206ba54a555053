"""The command `validate`: verdicts, formats and repairs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.commands import run_alone, stdout_of
from helpers.decks import UNITS

# `deckcheck validate` with bytes, pipes and signals, which no transcript has.

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
DECKCHECK = (sys.executable, "-m", "deckcheck")

LEGAL = f"""\
Name: Legal
Format: gwent/standard
Leader: Foltest, The Siegemaster

{UNITS}"""
ILLEGAL = LEGAL.replace("2 Ballista", "3 Ballista").replace("Legal", "Illegal")


def test_a_reader_that_leaves_early_does_not_change_the_verdict(here: Path) -> None:
    (here / "all.deck").write_text("\n---\n".join([ILLEGAL] * 500))
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:
        done = subprocess.run(
            [*DECKCHECK, "validate", "all.deck"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (done.returncode, done.stderr) == (1, b"")


def test_a_name_that_the_stream_cannot_spell(here: Path) -> None:
    (here / "\u5e0c.deck").write_text(LEGAL + "Eithn\u00e9\n")
    variables = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    done = run_alone("validate", "\u5e0c.deck", env=os.environ | variables)

    assert done.returncode == 1
    assert "\\u5e0c.deck" in done.stdout


def test_an_interrupted_run_says_so() -> None:
    words = [*DECKCHECK, "validate", "-"]
    running = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    # More than a pipe holds: writing waits until the program reads.
    assert running.stdin is not None
    running.stdin.write(b"# slow\n" * 50_000)
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=30)

    assert (running.returncode, errors) == (130, b"interrupted\n")


def test_codes_in_a_file(capsys: Captured, here: Path) -> None:
    swarm = ROOT / "decks/gwent/standard/mo_swarm.deck"
    code = stdout_of(capsys, "convert", str(swarm), "--to", "code")
    for name in ("codes.code", "codes.txt", "codes"):
        Path(name).write_text(code * 2)
        shown = stdout_of(capsys, "validate", name)
        assert shown.startswith("2 decks checked, 2 legal"), name
