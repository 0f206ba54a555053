"""Ctrl-C during a run: noted when it comes, obeyed between two blocks.

So are the signals by which others end a process: a closed terminal, a batch system.
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
"""What ends a run; Ctrl-C comes first."""

TERMINAL_SIGNALS = tuple(number for number in SIGNALS if number != signal.SIGTERM)
"""What a terminal sends to all processes of a run at once."""

REPEAT_SECONDS = 1.0
"""Seconds within which the same end may be asked for twice, as `timeout` does."""


class _Handling:
    """Within this context signals that somebody else handled come here."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}

    def _handle(self, by: Any, instead_of: Callable[[Any], bool]) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in SIGNALS:
            if instead_of(signal.getsignal(number)):
                self._before[number] = signal.signal(number, by)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


class Ending(_Handling):
    """Within this context other signals raise KeyboardInterrupt too, as Ctrl-C does.

    Signals with a handler, and ignored signals as under `nohup`, are left alone.
    """

    def __init__(self) -> None:
        super().__init__()
        self._came: int | None = None
        self._at = -REPEAT_SECONDS

    @property
    def code(self) -> int:
        """The exit code of a process that was ended by the last signal."""
        return 128 + (signal.SIGINT if self._came is None else self._came)

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal has arrived, even a swallowed one."""
        if self._came is not None:
            raise KeyboardInterrupt

    def __enter__(self) -> Ending:
        plain = (signal.SIG_DFL, signal.default_int_handler)
        self._handle(self, lambda handler: handler in plain)
        return self

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Take a signal."""
        now = monotonic()
        if now - self._at < REPEAT_SECONDS:
            return
        self._at = now
        self._came = number
        raise KeyboardInterrupt


class Interrupts(_Handling):
    """Within this context Ctrl-C raises nothing until `check` is called.

    Python swallows a KeyboardInterrupt that arrives in a destructor or in a callback of
    a weak reference, which every import has: it prints the exception and goes on. A
    second Ctrl-C raises at once. Signals that `Ending` treats as Ctrl-C are noted, too.
    """

    def __init__(self) -> None:
        super().__init__()
        self._noted: int | None = None

    def __enter__(self) -> Interrupts:
        python = signal.default_int_handler
        self._handle(self._note, lambda h: h is python or isinstance(h, Ending))
        return self

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C has come."""
        if self._noted is not None:
            self._before[self._noted](self._noted, None)
        for handler in self._before.values():
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

        # A process takes over from this one that Ctrl-C is ignored.
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
