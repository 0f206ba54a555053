"""Says once, as soon as the speed is known, that a run takes more than a minute."""

from __future__ import annotations

from collections.abc import Callable

from deckcheck.policies.host.registry import PLAYERS, policy_label, policy_strength
from deckcheck.sim.scheduling.scheduler import Progress, Watch

LONG = 60.0
"""Runs that take more seconds than this are announced."""

MEASURED = 6.0
"""How many seconds of playing tell the speed: blocks that take a second or two count
when they end, so that fewer seconds would show half of it."""

DIGITS = 10


class Forecast:
    """Passes progress on to `watch`, and hands `tell` a sentence about a long run.

    `games` is the number that was asked for with `--games`, None if there is none;
    `least` the fewest that may be.
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
        """Workers that still load the engine, and parts played before, do not count."""
        if progress.ready < progress.workers or progress.until:
            return
        if self._start is None:
            self._start = progress
            return
        seconds = progress.seconds - self._start.seconds
        games = progress.games - self._start.games
        if seconds < MEASURED or games <= 0:
            return
        self._is_done = True
        rate = games / seconds
        left = (progress.games_total - progress.games) / rate
        if left > LONG:
            self._tell(self._sentence(progress, rate, left))

    def _sentence(self, progress: Progress, rate: float, left: float) -> str:
        players = [p for p in progress.job.policies if p.partition(":")[0] in PLAYERS]
        who = policy_label(max(players, key=policy_strength))
        said = f"About {_in_words(left)} here ({who} plays {rate:,.0f} games/s)"
        whole = progress.games_total - progress.before
        fewer = _rounded((self._games or 0) * LONG * rate / whole)
        if fewer < self._least:
            return said
        return f"{said}; `--games {fewer}` takes one minute"


def _in_words(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:,.0f} h"


def _rounded(number: float) -> int:
    """The number with one digit that is not 0, at most as large."""
    power = 1
    while number >= DIGITS * power:
        power *= DIGITS
    return int(number / power) * power
