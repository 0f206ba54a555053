"""How far a simulation is, on stderr: a line that changes, or a line now and then."""

from __future__ import annotations

from typing import TextIO

from deckcheck.findings.columns import cut, width
from deckcheck.findings.words import printable
from deckcheck.sim.run import Progress

__all__ = ["ProgressLine"]

TERMINAL_SECONDS = 0.5
LOG_SECONDS = 5.0
SHORTEST_NAMES = 8
CLEAR_LINE = "\r\x1b[2K"


class ProgressLine:
    """Shows progress on `stream`: twice a second on a terminal, else every 5 s.

    Keeps the last progress for `summary`.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        quiet: bool = False,
        width: int = 80,
    ) -> None:
        self._stream = stream
        self._quiet = quiet
        self._width = width
        self._terminal = stream.isatty()
        self._every = TERMINAL_SECONDS if self._terminal else LOG_SECONDS
        self._next = self._every
        self._last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Take note of `progress`, and show it if it is time to."""
        self._last = progress
        if self._quiet or progress.seconds < self._next:
            return
        self._next = progress.seconds + self._every
        if self._terminal:
            self._stream.write(CLEAR_LINE + _fitted(progress, self._width - 1))
        else:
            done = f"{_done(progress)}{_left(progress)}"
            self._stream.write(f"{done}; {_matchup(progress)}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line from a terminal."""
        if self._terminal and not self._quiet:
            self._stream.write(CLEAR_LINE)
            self._stream.flush()

    def summary(self) -> str:
        """Return what was played so far, in one sentence."""
        if self._last is None:
            return "no game was played"
        return f"{_done(self._last)}; {_matchup(self._last)}"


def _fitted(progress: Progress, room: int) -> str:
    """The line in `room` columns: the names give way first, the interval never."""
    done, interval = _done(progress), _interval(progress)
    for head in (done + _left(progress), done):
        left = room - width(f"{head}; {interval}")
        if left >= SHORTEST_NAMES:
            return f"{head}; {cut(_names(progress), left)}{interval}"
        if left >= 0:
            return f"{head};{interval}"
    return cut(interval.strip() or done, room)


def _matchup(progress: Progress) -> str:
    return f"{_names(progress)}{_interval(progress)}"


def _names(progress: Progress) -> str:
    return printable(progress.job.label)


def _interval(progress: Progress) -> str:
    if progress.rate is None:
        return ""
    rate = progress.rate
    low, high = rate.interval
    return f" {100 * rate.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _done(progress: Progress) -> str:
    return f"{progress.games:,} of {progress.games_total:,} {progress.job.noun}"


def _left(progress: Progress) -> str:
    played = progress.games - progress.before
    if not played or not progress.seconds:
        return _loading(progress)
    rate = played / progress.seconds
    seconds = round((progress.games_total - progress.games) / rate)
    minutes, rest = divmod(seconds, 60)
    left = f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f", {rate:,.0f}/s, {left} left{_loading(progress)}"


def _loading(progress: Progress) -> str:
    """How many workers have still to load the engine, or to compile it."""
    loading = progress.workers - progress.ready
    if loading <= 0:
        return ""
    who = f"{loading} of {progress.workers} workers"
    return f", {who} {'loads' if loading == 1 else 'load'} the engine"
