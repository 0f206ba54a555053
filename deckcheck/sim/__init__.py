"""Default settings and bounds, shared by the command line, the API and plans.

It imports nothing, so that the command line can show them in no time.
"""

from __future__ import annotations

SEED = 1

REFERENCE = "reference"
"""Stands for the field that a format comes with, where decks to meet are named."""

SIMULATE_GAMES = 10_000
ALPHA = 0.05
BETA = 0.05

CONFIRM = "auto"
NOBODY = "none"
"""What `confirm` says: who is usual, and nobody."""

COMPARE_MARGIN = 0.5
MINE_GAMES = 1_000
IMPACT_GAMES = 2_000

TUNE_GAMES = 200_000
TUNE_CHANGES = 4

BUILD_GAMES = 200_000

SOLVE_GAMES = 100_000
SOLVE_BOUND = 3.0
SOLVE_ROUNDS = 60

BALANCE_GAMES = 400
BALANCE_STRENGTH = 2
BALANCE_CHANGES = 5

LOSSES_SAMPLE = 200

LARGEST_SEED = 2**62 - 1
MOST_GAMES = 2**32
MOST_JOBS = 1024
