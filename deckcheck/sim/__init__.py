"""Default settings and bounds, shared by the command line, the API and plans.

It imports nothing, so that the command line can show them in no time.
"""

from __future__ import annotations

SEED = 1

REFERENCE = "reference"
"""Stands for the field that a format comes with, where decks to meet are named."""

SIMULATE_GAMES = 10_000
"""The games of a matchup by default, where they do not cost more than a run may."""

RUN_COST = 650_000
"""The cost of a run by default, in duels of `heuristic`: less than 30 s of CPU."""
ALPHA = 0.05
BETA = 0.05

CROSS_CHECK = "auto"
NOBODY = "none"
"""What `cross_check` says: who is usual, and nobody."""

COMPARE_MARGIN = 0.5
TUNE_CHANGES = 4
SOLVE_BOUND = 3.0

# Numbers of games by default, such that a command takes less than 30 s of CPU, and then
# those with `thorough`.

CARD_GAMES = 900, 2_000
SEARCH_GAMES = 90_000, 200_000
SOLVE_GAMES = 16_000, 100_000
SOLVE_ROUNDS = 7, 60
LINEUP_GAMES = 30_000, 100_000

BALANCE_GAMES = 300
BALANCE_STRENGTH = 2
BALANCE_CHANGES = 5

LOSSES_SAMPLE = 80

MAX_SEED = 2**62 - 1
MAX_GAMES = 2**32
MAX_JOBS = 1024
