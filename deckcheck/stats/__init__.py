"""Statistics of games: pure functions that know nothing of any game."""

from deckcheck.stats.combine import (
    Combination,
    Estimate,
    Sample,
    correlated_difference,
    difference,
    mean_of,
)
from deckcheck.stats.elimination import Elimination
from deckcheck.stats.histogram import Histogram, round_width
from deckcheck.stats.intervals import (
    Interval,
    mean_interval,
    mean_score,
    mean_score_interval,
    wilson,
)
from deckcheck.stats.sequences import (
    anytime_mean_interval,
    anytime_score_interval,
    log_wealth,
)
from deckcheck.stats.sprt import EloScale, Sprt, Verdict, elo_of, score_of

__all__ = [
    "Combination",
    "Elimination",
    "EloScale",
    "Estimate",
    "Histogram",
    "Interval",
    "Sample",
    "Sprt",
    "Verdict",
    "anytime_mean_interval",
    "anytime_score_interval",
    "correlated_difference",
    "difference",
    "elo_of",
    "log_wealth",
    "mean_interval",
    "mean_of",
    "mean_score",
    "mean_score_interval",
    "round_width",
    "score_of",
    "wilson",
]
