"""Progress of a simulation on stderr."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace

import pytest

from deckcheck.cli.progress import ProgressLine
from deckcheck.playing.host.table import Table
from deckcheck.playing.tally import Head, Part, new_tally
from deckcheck.sim.blocks import Job
from deckcheck.sim.run import Progress

LABEL = "Siege masters against The swarm"
LINE = (
    "10,000 of 100,000 games, 2,000/s, 45 s left; "
    "Siege masters against The swarm 50.0 % (49.1 to 50.9)"
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress_after(seconds: float) -> Progress:
    """A thousand pairs each second."""
    pairs = round(1_000 * seconds)
    tally = new_tally(2, 2)
    tally[0, [Head.SETS, Head.GAMES]] = 1_000, 2_000
    tally[1, [Part.GAMES, Part.GAMES_SQUARED]] = 2_000, 4_000
    tally[1, Part.SHARES : Part.SHARES + 5] = 0, 150, 700, 150, 0
    table = Table("gwent", "two", ())
    job = Job(1, LABEL, table, ("heuristic", "heuristic"), 50_000)
    return Progress(2 * pairs, 100_000, seconds, job, tally)


def show(stream: io.StringIO, times: Iterable[float], width: int = 120) -> str:
    line = ProgressLine(stream, width=width)
    for seconds in times:
        line(progress_after(seconds))
    return stream.getvalue()


def test_a_terminal_gets_a_line_twice_a_second() -> None:
    shown = show(Terminal(), (0.1, 0.4, 0.7, 0.9, 1.1, 1.2))

    assert [line.split(" of")[0] for line in shown.split("\r\x1b[2K")[1:]] == [
        "1,400",
        "2,400",
    ]


def test_a_line_has_games_rate_time_left_and_interval() -> None:
    assert show(io.StringIO(), [5]) == f"{LINE}\n"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, LINE),
        (
            80,
            "10,000 of 100,000 games, 2,000/s, 45 s left; "
            "Siege maste… 50.0 % (49.1 to 50.9)",
        ),
        (70, "10,000 of 100,000 games, 2,000/s, 45 s left; 50.0 % (49.1 to 50.9)"),
        (50, "10,000 of 100,000 games; 50.0 % (49.1 to 50.9)"),
        (40, "50.0 % (49.1 to 50.9)"),
        (12, "50.0 % (49…"),
    ],
)
def test_a_terminal_keeps_the_interval(width: int, line: str) -> None:
    assert show(Terminal(), [5], width) == f"\r\x1b[2K{line}"
    assert len(line) < width


def test_names_do_not_steer_a_terminal() -> None:
    shown = Terminal()
    progress = progress_after(5)
    job = replace(progress.job, label="Siege\x1b[2J against The swarm")
    ProgressLine(shown, width=120)(replace(progress, job=job))

    assert "Siege\\x1b[2J against" in shown.getvalue()


def test_a_log_gets_a_line_now_and_then() -> None:
    assert show(io.StringIO(), range(12)).count("\n") == 2


def test_the_line_leaves_a_terminal() -> None:
    screen = Terminal()
    ProgressLine(screen).clear()

    assert screen.getvalue() == "\r\x1b[2K"


def test_quiet_says_nothing_and_knows_all() -> None:
    screen = Terminal()
    line = ProgressLine(screen, quiet=True)
    line(progress_after(5))
    line.clear()

    assert screen.getvalue() == ""
    assert line.summary().startswith("10,000 of 100,000 games; Siege masters")


def test_before_the_first_block_nothing_was_played() -> None:
    assert ProgressLine(io.StringIO()).summary() == "no game was played"


def test_matches_are_called_so() -> None:
    shown = io.StringIO()
    progress = progress_after(5.0)
    job = replace(progress.job, noun="matches")
    ProgressLine(shown, width=120)(replace(progress, job=job))

    assert shown.getvalue().startswith("10,000 of 100,000 matches, ")
