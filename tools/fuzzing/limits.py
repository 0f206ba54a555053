"""A limit to the time that one input may take."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["no_longer_than"]


class HangError(Exception):
    """A reader that took too long."""


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Raise HangError after so many seconds; may stand within another limit."""

    def stop(number: int, frame: object) -> None:
        raise HangError(f"no end after {seconds} seconds")

    old = signal.signal(signal.SIGALRM, stop)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, old)
