"""Running the engine as plain Python, where compiling takes longer than playing."""

from __future__ import annotations

import os
import sys

__all__ = ["play_uncompiled"]

SWITCH = "NUMBA_DISABLE_JIT"


def play_uncompiled() -> None:
    """Let the engine of this process run uncompiled; it plays the same games.

    Nothing changes if the engine was imported before, or if NUMBA_DISABLE_JIT says
    what is wanted.
    """
    if SWITCH not in os.environ and "deckcheck.engine.jit" not in sys.modules:
        import numba

        numba.config.DISABLE_JIT = True  # type: ignore[attr-defined]
