"""How far a simulation is, on stderr: a line that changes, or a line now and then."""

from __future__ import annotations

from typing import TextIO

from deckcheck.sim.run import Progress

__all__ = ["ProgressLine"]

TERMINAL_SECONDS = 0.5
LOG_SECONDS = 5.0
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
        line = f"{_done(progress)}{_left(progress)}; {_matchup(progress)}"
        if self._terminal:
            self._stream.write(CLEAR_LINE + line[: self._width - 1])
        else:
            self._stream.write(line + "\n")
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


def _matchup(progress: Progress) -> str:
    label, rate = progress.job.label, progress.rate
    if rate is None:
        return label
    low, high = rate.interval
    return f"{label} {100 * rate.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _done(progress: Progress) -> str:
    return f"{progress.games:,} of {progress.games_total:,} {progress.job.noun}"


def _left(progress: Progress) -> str:
    if not progress.games or not progress.seconds:
        return ""
    rate = progress.games / progress.seconds
    seconds = round((progress.games_total - progress.games) / rate)
    minutes, rest = divmod(seconds, 60)
    left = f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f", {rate:,.0f}/s, {left} left"
