"""The hash of a game's moves, by which runs are compared (their checksum)."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Move

MASK = 0xFFFFFFFF


@jit
def extended(history: int, move: Move) -> int:
    """The 32-bit hash `history` with one more move, or another number that counts."""
    return (history * 31 + move + 1) & MASK
