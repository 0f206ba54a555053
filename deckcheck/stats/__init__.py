"""Statistics of games: pure functions that know nothing of any game."""

from deckcheck.stats.combine import Estimate, mean_estimate
from deckcheck.stats.intervals import (
    Interval,
    mean_interval,
    mean_score,
    mean_score_interval,
    wilson,
)

__all__ = [
    "Estimate",
    "Interval",
    "mean_estimate",
    "mean_interval",
    "mean_score",
    "mean_score_interval",
    "wilson",
]
