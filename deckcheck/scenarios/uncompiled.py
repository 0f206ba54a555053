"""Running the engine as plain Python, where compiling takes longer than playing."""

from __future__ import annotations

import sys

__all__ = ["play_uncompiled"]


def play_uncompiled() -> None:
    """Let the engine of this process run uncompiled, unless it was imported before.

    It plays the same games either way.
    """
    if "deckcheck.engine.jit" not in sys.modules:
        import numba

        numba.config.DISABLE_JIT = True  # type: ignore[attr-defined]
