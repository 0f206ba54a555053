"""How many games, workers and seeds there may be."""

from __future__ import annotations

LARGEST_SEED = 2**62 - 1
MOST_GAMES = 2**32
MOST_JOBS = 1024
