"""Progress of a simulation on stderr."""

from __future__ import annotations

import io

import pytest

from deckcheck.cli.progress import ProgressLine
from deckcheck.engine.tally import Field, new_tally
from deckcheck.sim.blocks import Match
from deckcheck.sim.pairings import Pairing
from deckcheck.sim.run import Progress

NAMES = ("Siege masters", "The swarm")
LINE = (
    "2,000 of 10,000 games, 1,000/s, 8 s left; "
    "Siege masters against The swarm 50.0 % (49.1 to 50.9)"
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def progress() -> Progress:
    tally = new_tally()
    tally[Field.PAIR_SCORE + 1] = 150
    tally[Field.PAIR_SCORE + 2] = 700
    tally[Field.PAIR_SCORE + 3] = 150
    match = Match(Pairing(1, 0, 1), "table", ("heuristic", "heuristic"), 5_000)
    return Progress(1_000, 5_000, 2.0, match, tally)


def test_a_terminal_gets_a_line_twice_a_second(
    clock: Clock, progress: Progress
) -> None:
    screen = Terminal()
    line = ProgressLine(screen, NAMES, width=120, clock=clock)
    for clock.seconds in (0.1, 0.5, 0.6, 0.9, 1.0):
        line(progress)

    assert screen.getvalue() == f"\r\x1b[2K{LINE}" * 2


def test_a_narrow_terminal_is_not_wrapped(clock: Clock, progress: Progress) -> None:
    screen = Terminal()
    line = ProgressLine(screen, NAMES, width=40, clock=clock)
    clock.seconds = 1
    line(progress)

    assert screen.getvalue() == f"\r\x1b[2K{LINE[:39]}"


def test_a_log_gets_a_line_now_and_then(clock: Clock, progress: Progress) -> None:
    log = io.StringIO()
    line = ProgressLine(log, NAMES, clock=clock)
    for clock.seconds in range(12):
        line(progress)

    assert log.getvalue() == f"{LINE}\n" * 2


def test_quiet_says_nothing_and_knows_all(clock: Clock, progress: Progress) -> None:
    screen = Terminal()
    line = ProgressLine(screen, NAMES, quiet=True, clock=clock)
    clock.seconds = 9
    line(progress)
    line.clear()

    assert screen.getvalue() == ""
    assert line.summary().startswith("2,000 of 10,000 games; Siege masters")


def test_before_the_first_block_nothing_was_played() -> None:
    assert ProgressLine(io.StringIO(), NAMES).summary() == "no game was played"
