"""Ctrl-C during a run: noted when it comes, obeyed between two blocks."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

__all__ = ["Interrupts", "interrupts_held_back"]


class Interrupts:
    """Within this context Ctrl-C raises nothing until `check` is called.

    Raised where it happens to arrive, KeyboardInterrupt may be swallowed: in a
    destructor or a weak reference's callback, as every import has them, Python prints
    the exception and goes on. A second Ctrl-C does raise at once.
    """

    def __init__(self) -> None:
        self._noted = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C has come."""
        if self._noted:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._noted:
            signal.default_int_handler(number, frame)
        self._noted = True


@contextmanager
def interrupts_held_back() -> Iterator[Any]:
    """Hold Ctrl-C back, so that a process started meanwhile is born deaf to it.

    The terminal sends Ctrl-C to all processes; one that is still importing would
    print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
