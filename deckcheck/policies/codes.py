"""The players as numbers."""

from __future__ import annotations

from enum import IntEnum


class Policy(IntEnum):
    """What decides a player's moves; the names users write are in `host.registry`."""

    RANDOM = 0
    SANE_RANDOM = 1
    HEURISTIC = 2
    NO_PASS = 3
    SEARCH = 4
    LEARNED = 5
    FIRST_SEARCH = 6
    LEARNED_2 = 7
