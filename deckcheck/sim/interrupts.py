"""Ctrl-C during a run: noted when it arrives, obeyed between two blocks.

The signals of a closed terminal and of a batch system are treated in the same way.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNALS = tuple(
    getattr(signal, name) for name in _SIGNAL_NAMES if hasattr(signal, name)
)
"""The signals that end a run, Ctrl-C first."""

TERMINAL_SIGNALS = tuple(number for number in SIGNALS if number != signal.SIGTERM)
"""The signals that a terminal sends to all processes of a run at once."""

REPEAT_SECONDS = 1.0
"""Time after a signal in which further signals mean the same end of the process.

The command `timeout` sends a signal to the process, and again to its group.
"""


class _SignalHandlers:
    """Handlers that replace others, and are removed at the end of a context."""

    def __init__(self) -> None:
        self._replaced: dict[int, Any] = {}
        """The earlier handlers, by the number of the signal."""

    def _install(
        self,
        handler: Callable[[int, FrameType | None], None],
        replaces: Callable[[Any], bool],
    ) -> None:
        """Handle each signal whose present handler may be replaced.

        Only the main thread can set handlers. In other threads nothing changes.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        for number in SIGNALS:
            if replaces(signal.getsignal(number)):
                self._replaced[number] = signal.signal(number, handler)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._replaced.items():
            signal.signal(number, handler)


def _is_plain(handler: Any) -> bool:
    return handler in (signal.SIG_DFL, signal.default_int_handler)


def _raises_interrupt(handler: Any) -> bool:
    return handler is signal.default_int_handler or isinstance(handler, Ending)


class Ending(_SignalHandlers):
    """Within this context other signals raise KeyboardInterrupt too, as Ctrl-C does.

    Signals with a handler, and ignored signals as under `nohup`, are left alone.
    """

    def __init__(self) -> None:
        super().__init__()
        self._signal: int | None = None
        self._raised_at = -REPEAT_SECONDS

    @property
    def code(self) -> int:
        """The exit code of a process that was ended by the last signal."""
        return 128 + (signal.SIGINT if self._signal is None else self._signal)

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal has arrived.

        The KeyboardInterrupt that the signal itself raised may have been swallowed.
        """
        if self._signal is not None:
            raise KeyboardInterrupt

    def __enter__(self) -> Ending:
        self._install(self, _is_plain)
        return self

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: raise KeyboardInterrupt, unless it repeats another."""
        now = monotonic()
        if now - self._raised_at < REPEAT_SECONDS:
            return
        self._raised_at = now
        self._signal = number
        raise KeyboardInterrupt


class Interrupts(_SignalHandlers):
    """Within this context Ctrl-C raises nothing until `check` is called.

    A KeyboardInterrupt that is raised within a destructor, or within a callback of a
    weak reference, is lost: Python prints it and goes on. Every import has such
    callbacks. A second Ctrl-C raises at once. Signals that `Ending` handles are noted,
    too.
    """

    def __init__(self) -> None:
        super().__init__()
        self._noted: int | None = None

    def __enter__(self) -> Interrupts:
        self._install(self._note, _raises_interrupt)
        return self

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal has arrived."""
        if self._noted is not None:
            # Python's own handler, or `Ending`, which also keeps the exit code.
            handle = self._replaced[self._noted]
            handle(self._noted, None)
        for handler in self._replaced.values():
            if isinstance(handler, Ending):
                handler.check()

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._noted is None:
            self._noted = number
        elif number == signal.SIGINT:
            signal.default_int_handler(number, frame)


@contextmanager
def interrupts_held_back() -> Iterator[Any]:
    """Block Ctrl-C, so that processes started in the meantime ignore it.

    The terminal sends Ctrl-C, and the signal of its closing, to all processes. A
    process in the middle of its imports would print a traceback.
    """
    if sys.platform == "win32":
        import ctypes

        # A new process inherits that Ctrl-C is ignored.
        ignore = ctypes.windll.kernel32.SetConsoleCtrlHandler
        ignore(None, True)
        try:
            yield
        finally:
            ignore(None, False)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TERMINAL_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
