"""The bar, the lines and the forecast of a long run. Imports the engine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from typing import Literal, TextIO

from deckcheck.engine.cache import is_warm
from deckcheck.messages import game_count, quote
from deckcheck.playing.kernel import Head, Ints
from deckcheck.policies.registry import find_player, policy_label, policy_strength
from deckcheck.report.tables import percent, ranged
from deckcheck.sim.errors import NoWorkersError
from deckcheck.sim.figures import round_figure
from deckcheck.sim.jobs import Block, Job, is_slow
from deckcheck.sim.playing_blocks import BlockResult, play_block
from deckcheck.sim.scheduler import Progress, Watch
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.table_results import estimate_shares
from deckcheck.sim.workers import WorkerProcesses, usable_cores
from deckcheck.terminal import cut, width

# Progress of a simulation on stderr: a bar, lines now and then, or JSON.

ProgressKind = Literal["auto", "bar", "lines", "json", "none"]
SECONDS_BETWEEN = {"bar": 0.5, "lines": 30.0, "json": 1.0}
"""The time from one display to the next."""
FIRST_SECONDS = 5.0
"""The time before the first line is shown, at the latest."""
BAR_WIDTH = 20
MIN_SECONDS_LEFT = 3
"""An event that comes sooner is named without the time until then."""


class ProgressLine:
    """Shows progress on `stream`, and keeps the last state for `summary`.

    The `kind` `auto` is a bar on a terminal, twice a second, and elsewhere a line after
    5 s and every 30 s. A bar is wiped with blanks, since not every terminal understands
    escapes. `json` is a document on a line, every second.
    """

    def __init__(
        self,
        stream: TextIO,
        kind: ProgressKind = "auto",
        *,
        width: int = 80,
    ) -> None:
        if kind == "auto" and stream.isatty() and os.environ.get("TERM") != "dumb":
            kind = "bar"
        elif kind == "auto":
            kind = "lines"
        self._stream = stream
        self._kind = kind
        self._width = width
        self._widths = _Widths()
        self._every = SECONDS_BETWEEN.get(kind, 0.0)
        self._next = min(self._every, FIRST_SECONDS)
        self._seconds_before = 0.0
        self._last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Take note of `progress`, and show it if it is time to.

        Each phase of a study counts its own seconds.
        """
        last = self._last
        if last is not None and progress.seconds < last.seconds:
            self._seconds_before += last.seconds + last.loading
        self._last = progress
        seconds = self._seconds_before + progress.seconds + progress.loading
        if self._kind == "none" or seconds < self._next:
            return
        self._next = seconds + self._every
        self._stream.write(self._describe_rates(progress))
        self._stream.flush()

    def clear(self) -> None:
        """Remove the bar from a terminal."""
        if self._kind == "bar":
            self._stream.write(self._blank)
            self._stream.flush()

    def summary(self) -> str:
        """Return the games played so far, in a sentence."""
        if self._last is None:
            return "no game was played"
        return _join_width(_describe_done(self._last), self._widest(self._last))

    def _describe_rates(self, progress: Progress) -> str:
        widest = self._widest(progress)
        if self._kind == "json":
            return _progress_json(progress, self._widths.widest(progress))
        if self._kind == "lines":
            line = _describe_done(progress) + _describe_left(progress)
            return f"{_join_width(line, widest)}\n"
        return self._blank + _fit_line(progress, widest, self._width - 1)

    @property
    def _blank(self) -> str:
        """The characters that empty the line of a terminal and return to its start."""
        return f"\r{' ' * (self._width - 1)}\r"

    def _widest(self, progress: Progress) -> str:
        """Return the note of a run, or else the width of its widest interval."""
        interval_width = self._widths.widest(progress)
        if progress.note:
            return progress.note
        if interval_width is None:
            return ""
        return f"widest interval {100 * interval_width:.2f} points"


class _Widths:
    """The widths of the intervals of each job, also of jobs that restarted."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, float]] = {}

    def widest(self, progress: Progress) -> float | None:
        """Return the width of the widest interval of all jobs, if any."""
        for number, sets in progress.sets.items():
            if self._known.get(number, (0, 0.0))[0] != sets:
                tally = progress.tallies[number]
                entrants = progress.work[number].entrants
                shares = estimate_shares(tally, entrants, anytime=progress.looked)
                widths = [s.interval.high - s.interval.low for s in shares]
                self._known[number] = sets, max(widths)
        return max((width for _, width in self._known.values()), default=None)


def _fit_line(progress: Progress, widest: str, room: int) -> str:
    """Return the line in `room` columns, without bar and time if it is too long."""
    done, left = _describe_done(progress), _describe_left(progress)
    for head in (f"{_draw_bar(progress)} {done}{left}", done + left, done):
        line = _join_width(head, widest)
        if width(line) <= room:
            return line
    return cut(widest or done, room)


def _join_width(head: str, widest: str) -> str:
    if not widest:
        return head
    return f"{head}; {widest}"


def _draw_bar(progress: Progress) -> str:
    done = BAR_WIDTH * progress.games // max(1, progress.games_total)
    return f"[{'#' * done}{'-' * (BAR_WIDTH - done)}]"


def _describe_done(progress: Progress) -> str:
    return f"{progress.games:,} of {progress.games_total:,} {progress.job.noun}"


def _describe_left(progress: Progress) -> str:
    rate = _games_per_second(progress)
    # Those who load the engine hold up the others: the rate would be far too low.
    if not rate or progress.ready < progress.workers:
        return _count_loading(progress)
    seconds = round(seconds_left(progress) or 0)
    left = _format_seconds(seconds)
    if not progress.until:
        return f", {rate:,.0f}/s, {left} left"
    if seconds < MIN_SECONDS_LEFT:
        return f", {rate:,.0f}/s, until {progress.until}"
    return f", {rate:,.0f}/s, {left} until {progress.until}"


def _format_seconds(seconds: int) -> str:
    """Return a time in its two largest units, such as `2 min 5 s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {rest} s"
    return f"{rest} s"


def seconds_left(progress: Progress) -> float | None:
    """Return the time that the remaining games will take, None if unknown."""
    if progress.seconds_left is not None:
        return progress.seconds_left
    rate = _games_per_second(progress)
    if rate == 0:
        return None
    return (progress.games_total - progress.games) / rate


def _count_loading(progress: Progress) -> str:
    """Return how many workers have yet to load the engine, or to compile it."""
    loading = progress.workers - progress.ready
    if loading <= 0:
        return ""
    verb = "loads" if loading == 1 else "load"
    return f", {loading} of {progress.workers} workers {verb} the engine"


def _games_per_second(progress: Progress) -> float:
    """Return the games a second since the run began or was resumed."""
    if progress.seconds == 0:
        return 0.0
    return (progress.games - progress.before) / progress.seconds


def _progress_json(progress: Progress, widest: float | None) -> str:
    document = {
        "schema_version": 1,
        "games": progress.games,
        "games_total": progress.games_total,
        "noun": progress.job.noun,
        "seconds": round(progress.seconds, 3),
        "games_per_second": round(_games_per_second(progress), 1),
        "seconds_left": round_figure(seconds_left(progress), digits=1),
        "widest_interval": round_figure(widest),
        "until": progress.until or None,
        "note": progress.note or None,
        "workers": progress.workers,
        "workers_ready": progress.ready,
    }
    return json.dumps(document) + "\n"


# A single note, as soon as the speed is known, that a run takes more than a minute.

LONG_RUN_SECONDS = 60.0
"""The time above which a run is announced."""

MEASURED_SECONDS = 3.0
"""The time of play after which the speed is known."""


class Forecast:
    """Passes progress on to `watch`, and gives `tell` a sentence about a long run.

    `games` is the number from `--games`, None without it, and `least` the smallest
    allowed number.
    """

    def __init__(
        self,
        watch: Watch,
        tell: Callable[[str], None],
        games: int | None = None,
        least: int = 2,
    ) -> None:
        self._watch = watch
        self._tell = tell
        self._games = games
        self._least = least
        self._start: Progress | None = None
        self._is_done = False

    def __call__(self, progress: Progress) -> None:
        """Pass `progress` on, once the speed is known with a sentence before it."""
        if not self._is_done:
            self._measure(progress)
        self._watch(progress)

    def _measure(self, progress: Progress) -> None:
        """Announce a long run once all workers have played for a while."""
        if progress.ready < progress.workers or progress.until:
            return
        if self._start is None:
            self._start = progress
            return
        seconds = progress.seconds - self._start.seconds
        games = progress.games - self._start.games
        if seconds < MEASURED_SECONDS or games <= 0:
            return
        self._is_done = True
        left = progress.seconds_left
        if left is None:
            left = (progress.games_total - progress.games) * seconds / games
        if left > LONG_RUN_SECONDS:
            self._tell(self._describe_progress(progress, games / seconds, left))

    def _describe_progress(self, progress: Progress, rate: float, left: float) -> str:
        policies = []
        for policy in progress.job.policies:
            if find_player(policy.partition(":")[0]) is not None:
                policies.append(policy)
        strongest = policy_label(max(policies, key=policy_strength))
        speed = f"{strongest} plays {rate:,.0f} games/s"
        sentence = f"About {_describe_seconds(left)} here ({speed})"
        all_seconds = progress.seconds + left
        fewer = _round_down((self._games or 0) * LONG_RUN_SECONDS / all_seconds)
        if fewer < self._least:
            return sentence
        return f"{sentence}. `--games {fewer}` takes a minute"


def _describe_seconds(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes / 60:,.0f} h"


def _round_down(number: float) -> int:
    """Round a number down to a single nonzero digit, such as 3,456 to 3,000."""
    power = 1
    while number >= 10 * power:
        power *= 10
    return int(number / power) * power


# Preliminary results while the engine is compiled.

FIRST_SETS = (2, 10)
"""Numbers of sets after which figures are shown."""


@contextmanager
def preliminary_figures(study: object, tell: Callable[[str], None]) -> Iterator[None]:
    """Show figures of a simulation's first games, if its engine is not compiled.

    Another process plays them uncompiled, if there is a core for it, and the run itself
    plays them again. Nothing is shown for several tables or for slow players.
    """
    job = _find_job_to_compile(study)
    if job is None or usable_cores() == 1:
        yield
        return
    assert isinstance(study, Simulation)
    seed = study.setting.request.seed
    first = FirstGames(job, tell)
    with ExitStack() as stack:
        with suppress(NoWorkersError):  # the run needs none
            workers = WorkerProcesses(1, uncompiled=True)
            stack.callback(workers.stop)
            for number in range(min(FIRST_SETS[-1], job.sets)):
                played = workers.submit(play_block, seed, Block(job, number, 1))
                played.add_done_callback(first)
        yield


def _find_job_to_compile(study: object) -> Job | None:
    """Return the only job of a simulation whose engine has to be compiled."""
    if not isinstance(study, Simulation) or study.tournament:
        return None
    if all(map(is_warm, study.engines)):
        return None
    jobs = study.jobs()
    if len(jobs) != 1 or is_slow(jobs[0]):
        return None
    return jobs[0]


class FirstGames:
    """Adds up the first sets of a job as they are played, and reports their figures."""

    def __init__(self, job: Job, tell: Callable[[str], None]) -> None:
        self._job = job
        self._tell = tell
        self._tally: Ints | None = None

    def __call__(self, done: Future[BlockResult]) -> None:
        """Add the next set, unless nobody waits for it any more."""
        if done.cancelled() or done.exception() is not None:
            return
        tally = done.result().tally.unpack()
        if self._tally is not None:
            tally = self._tally + tally
        self._tally = tally
        if tally[0, Head.SETS] in FIRST_SETS:
            rate = estimate_shares(tally, self._job.entrants, anytime=False)[0]
            games = f"the first {game_count(rate.games)} ({ranged(rate.interval)})"
            name = quote(self._job.names[0])
            self._tell(f"preliminary: {name} wins {percent(rate.value)} of {games}")
