"""Running the engine as plain Python, where compiling takes longer than playing."""

from __future__ import annotations

import sys

from deckcheck.findings.errors import UsageError

ENGINE = "deckcheck.engine.jit"


def play_uncompiled() -> None:
    """Let the engine of this process run uncompiled; it plays the same games.

    Raises UsageError if this process has the compiled engine already.
    """
    if ENGINE not in sys.modules:
        import numba

        numba.config.DISABLE_JIT = True
    elif sys.modules[ENGINE].compiled:
        raise UsageError(
            "scenarios are played by the engine uncompiled, here it is compiled",
            "Play them in a process of their own, or set NUMBA_DISABLE_JIT=1",
        )
