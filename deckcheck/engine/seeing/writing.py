"""Features are written one after the other, within their limits."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Workspace

LIMIT = 255  # no feature is larger than this, nor smaller than its negative


@jit
def put(q: Workspace, at: int, value: int) -> int:
    """Write a feature, within its limits; returns the next place."""
    q.features[at] = max(-LIMIT, min(LIMIT, value))
    return at + 1


@jit
def flag(q: Workspace, at: int, holds: bool) -> int:
    """Write a feature that is 1 or 0; returns the next place."""
    q.features[at] = 1 if holds else 0
    return at + 1
