"""Ctrl-C, and what else ends a run: what is said then."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from deckcheck.cli.printing import tell
from deckcheck.sim.scheduling.interrupts import SIGNALS, Ending

INTERRUPTED = 130
"""The exit code; `main` makes another one of it when it was not Ctrl-C."""

NOTHING = "no game was played"


def tell_interrupt(resume: str, state: str = NOTHING) -> int:
    """Say how far a run came and, if it is kept, how to resume it; the exit code."""
    tell(_said(resume, state))
    return INTERRUPTED


@contextmanager
def interrupts_end_at_once(state: str = NOTHING, resume: str = "") -> Iterator[None]:
    """Let Ctrl-C end the process without raising KeyboardInterrupt.

    What is said then is that of `tell_interrupt`. The compiler calls back into Python
    where an exception is printed and lost, so that the interrupt would be both noisy
    and without effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _frame: FrameType | None) -> None:
        os.write(sys.stderr.fileno(), f"{_said(resume, state)}\n".encode())
        os._exit(128 + number)

    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    for ending in handlers.values():
        if isinstance(ending, Ending):
            ending.check()
    before = {
        number: signal.signal(number, end)
        for number, handler in handlers.items()
        if number == signal.SIGINT or isinstance(handler, Ending)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _said(resume: str, state: str) -> str:
    said = f"Interrupted: {state}" if state else "interrupted"
    return f"{said}\nhelp: Go on with `{resume}`" if resume else said
