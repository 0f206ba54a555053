"""The players as numbers."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Policy"]


class Policy(IntEnum):
    """Built-in players; the name in lower case is what users write."""

    RANDOM = 0
    SANE_RANDOM = 1
    HEURISTIC = 2
    NO_PASS = 3
