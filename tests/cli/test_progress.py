"""Progress of a simulation on stderr."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from deckcheck.cli.progress import ProgressKind, ProgressLine
from deckcheck.playing.kernel import Head, Ints, SeatColumns, new_tally
from deckcheck.playing.table import Table
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import Progress

LABEL = "Siege masters against The swarm"
DONE = "10,000 of 100,000 games"
WIDEST = "widest interval 1.70 points"
LINE = f"{DONE}, 2,000/s, 45 s left; {WIDEST}"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def tally_of(pairs: int) -> Ints:
    tally = new_tally(2, 2)
    tally[0, [Head.SETS, Head.GAMES]] = pairs, 2 * pairs
    for row in (1, 2):
        tally[row, [SeatColumns.GAMES, SeatColumns.GAMES_SQUARED]] = (
            2 * pairs,
            4 * pairs,
        )
        won = (0, 3 * pairs // 20, 14 * pairs // 20, 3 * pairs // 20, 0)
        tally[row, SeatColumns.SHARES : SeatColumns.SHARES + 5] = won
    return tally


def progress_after(seconds: float) -> Progress:
    """A thousand pairs each second; another job has a fifth of them."""
    pairs = round(1_000 * seconds)
    table = Table("gwent", "two", ())
    work = {
        number: Job(number, LABEL, table, ("heuristic",) * 2, 25_000)
        for number in (1, 2)
    }
    tallies = {1: tally_of(4 * pairs // 5), 2: tally_of(pairs // 5)}
    return Progress(
        2 * pairs,
        100_000,
        seconds,
        work[1],
        tallies[1],
        work=work,
        tallies=tallies,
        sets={1: 4 * pairs // 5, 2: pairs // 5},
    )


def show(
    stream: io.StringIO,
    times: Iterable[float],
    width: int = 120,
    kind: ProgressKind = "auto",
) -> str:
    line = ProgressLine(stream, kind, width=width)
    for seconds in times:
        line(progress_after(seconds))
    return stream.getvalue()


def test_a_terminal_gets_a_bar_twice_a_second() -> None:
    shown = show(Terminal(), (0.1, 0.4, 0.7, 0.9, 1.1, 1.2))

    assert [line.split(" of")[0] for line in shown.split(f"\r{' ' * 119}\r")[1:]] == [
        "[--------------------] 1,400",
        "[--------------------] 2,400",
    ]


def test_a_line_has_games_rate_time_left_and_the_widest_interval() -> None:
    assert show(io.StringIO(), [5]) == f"{LINE}\n"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, f"[##------------------] {LINE}"),
        (80, LINE),
        (60, f"{DONE}; {WIDEST}"),
        (40, WIDEST),
        (12, "widest int…"),
    ],
)
def test_a_terminal_keeps_the_interval(width: int, line: str) -> None:
    assert show(Terminal(), [5], width) == f"\r{' ' * (width - 1)}\r{line}"
    assert len(line) < width


def test_intervals_are_wider_where_they_may_stop_the_run() -> None:
    shown = io.StringIO()
    ProgressLine(shown)(replace(progress_after(5), looked=True))

    assert "widest interval 3.00 points" in shown.getvalue()


def test_a_log_gets_a_line_now_and_then() -> None:
    assert show(io.StringIO(), range(12)).count("\n") == 2


def test_a_program_gets_a_document_each_second() -> None:
    lines = show(io.StringIO(), (0.5, 1, 1.5, 2), kind="json").splitlines()

    assert [json.loads(line)["games"] for line in lines] == [2_000, 4_000]
    assert json.loads(lines[0]) == {
        "schema_version": 1,
        "games": 2_000,
        "games_total": 100_000,
        "noun": "games",
        "seconds": 1,
        "games_per_second": 2_000.0,
        "seconds_left": 49.0,
        "widest_interval": pytest.approx(0.038, abs=1e-3),
        "until": None,
        "note": None,
        "workers": 1,
        "workers_ready": 1,
    }


def test_a_search_tells_its_best_deck_instead_of_an_interval() -> None:
    shown = io.StringIO()
    ProgressLine(shown)(replace(progress_after(5), note="best so far 57.1 %"))

    assert shown.getvalue() == f"{DONE}, 2,000/s, 45 s left; best so far 57.1 %\n"


def test_who_cannot_know_the_end_says_until_when_games_are_counted() -> None:
    shown = io.StringIO()
    ProgressLine(shown)(replace(progress_after(5), until="look 7"))

    assert shown.getvalue().startswith(f"{DONE}, 2,000/s, 45 s until look 7; ")


def test_a_run_that_is_taken_up_again_has_its_own_rate() -> None:
    shown = io.StringIO()
    progress = replace(progress_after(5), games=60_000, before=50_000)
    ProgressLine(shown)(progress)

    assert shown.getvalue().startswith("60,000 of 100,000 games, 2,000/s, 20 s left")


def test_workers_that_load_the_engine_are_told() -> None:
    shown = io.StringIO()
    ProgressLine(shown)(replace(progress_after(5), workers=4, ready=3))

    assert ", 45 s left, 1 of 4 workers loads the engine; " in shown.getvalue()


def test_the_bar_leaves_a_terminal() -> None:
    screen = Terminal()
    ProgressLine(screen).clear()

    assert screen.getvalue() == f"\r{' ' * 79}\r"


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")

    assert show(Terminal(), [5]) == f"{LINE}\n"


def test_lines_stay_on_a_terminal_that_asks_for_them() -> None:
    screen = Terminal()
    line = ProgressLine(screen, "lines")
    line(progress_after(5))
    line.clear()

    assert screen.getvalue() == f"{LINE}\n"


def test_none_says_nothing_and_knows_all() -> None:
    screen = Terminal()
    line = ProgressLine(screen, "none")
    line(progress_after(5))
    line.clear()

    assert screen.getvalue() == ""
    assert line.summary() == f"{DONE}; {WIDEST}"


def test_before_the_first_block_nothing_was_played() -> None:
    assert ProgressLine(io.StringIO()).summary() == "no game was played"


def test_matches_are_called_so() -> None:
    shown = io.StringIO()
    progress = progress_after(5.0)
    job = replace(progress.job, noun="matches")
    ProgressLine(shown, width=120)(replace(progress, job=job))

    assert shown.getvalue().startswith("10,000 of 100,000 matches, ")
