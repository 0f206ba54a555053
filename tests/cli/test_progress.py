"""Progress of a simulation on stderr."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace

from deckcheck.cli.progress import ProgressLine
from deckcheck.engine.tally import Field, new_tally
from deckcheck.sim.blocks import Match
from deckcheck.sim.run import Progress
from deckcheck.sim.totals import win_rate_of

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
    tally = new_tally()
    tally[Field.PAIR_SCORE + 1] = tally[Field.PAIR_SCORE + 3] = 150
    tally[Field.PAIR_SCORE + 2] = 700
    match = Match(1, LABEL, "table", ("heuristic", "heuristic"), 50_000)
    return Progress(2 * pairs, 100_000, seconds, match, tally)


def show(stream: io.StringIO, times: Iterable[float], width: int = 120) -> str:
    line = ProgressLine(stream, win_rate_of, width=width)
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


def test_a_narrow_terminal_is_not_wrapped() -> None:
    assert show(Terminal(), [5], width=40) == f"\r\x1b[2K{LINE[:39]}"


def test_a_log_gets_a_line_now_and_then() -> None:
    assert show(io.StringIO(), range(12)).count("\n") == 2


def test_the_line_leaves_a_terminal() -> None:
    screen = Terminal()
    ProgressLine(screen, win_rate_of).clear()

    assert screen.getvalue() == "\r\x1b[2K"


def test_quiet_says_nothing_and_knows_all() -> None:
    screen = Terminal()
    line = ProgressLine(screen, win_rate_of, quiet=True)
    line(progress_after(5))
    line.clear()

    assert screen.getvalue() == ""
    assert line.summary().startswith("10,000 of 100,000 games; Siege masters")


def test_before_the_first_block_nothing_was_played() -> None:
    assert ProgressLine(io.StringIO(), win_rate_of).summary() == "no game was played"


def test_matches_are_called_so() -> None:
    shown = io.StringIO()
    progress = progress_after(5.0)
    match = replace(progress.match, noun="matches")
    ProgressLine(shown, win_rate_of, width=120)(replace(progress, match=match))

    assert shown.getvalue().startswith("10,000 of 100,000 matches, ")
