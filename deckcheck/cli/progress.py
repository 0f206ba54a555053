"""How far a simulation is, on stderr: a line that changes, or a line now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

from deckcheck.sim.run import Progress
from deckcheck.stats import Estimate

__all__ = ["ProgressLine"]

TERMINAL_SECONDS = 0.5
LOG_SECONDS = 5.0
CLEAR_LINE = "\r\x1b[2K"


class ProgressLine:
    """Shows progress on `stream`: twice a second on a terminal, else every 5 s.

    `rate_of` reads the win rate of the first named off a tally. Keeps the
    last progress for `summary`.
    """

    def __init__(
        self,
        stream: TextIO,
        rate_of: Callable[[Any], Estimate],
        *,
        quiet: bool = False,
        width: int = 80,
    ) -> None:
        self._stream = stream
        self._rate_of = rate_of
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
        line = f"{_done(progress)}{_left(progress)}; {self._matchup(progress)}"
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
        return f"{_done(self._last)}; {self._matchup(self._last)}"

    def _matchup(self, progress: Progress) -> str:
        label = progress.match.label
        if progress.tally is None:
            return label
        rate = self._rate_of(progress.tally)
        low, high = rate.interval
        return f"{label} {100 * rate.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _done(progress: Progress) -> str:
    return f"{progress.games:,} of {progress.games_total:,} {progress.match.noun}"


def _left(progress: Progress) -> str:
    if not progress.games or not progress.seconds:
        return ""
    rate = progress.games / progress.seconds
    seconds = round((progress.games_total - progress.games) / rate)
    minutes, rest = divmod(seconds, 60)
    left = f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f", {rate:,.0f}/s, {left} left"
