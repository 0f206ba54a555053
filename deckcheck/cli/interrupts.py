"""Ctrl-C while code is being compiled."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["interrupts_end_at_once"]

INTERRUPTED = 130


@contextmanager
def interrupts_end_at_once(state: str = "no game was played") -> Iterator[None]:
    """Let Ctrl-C end the process without raising KeyboardInterrupt.

    `state` is what is said then. The compiler calls back into Python where an exception
    is printed and lost, so that the interrupt would be both noisy and without effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        os.write(sys.stderr.fileno(), f"Interrupted: {state}\n".encode())
        os._exit(INTERRUPTED)

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
