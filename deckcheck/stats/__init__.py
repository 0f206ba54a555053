"""Statistics of games: pure functions that know nothing of any game."""

from __future__ import annotations

from deckcheck.stats.distributions import Histogram, round_width
from deckcheck.stats.intervals import (
    Interval,
    Verdict,
    agreed,
    games_needed,
    mean_interval,
    mean_score,
    mean_score_interval,
    verdict_of,
    wilson,
)
from deckcheck.stats.regression import (
    Combination,
    Estimate,
    Sample,
    correlated_difference,
    difference,
    mean_of,
)
from deckcheck.stats.sequential import (
    Elimination,
    EloScale,
    Sprt,
    SprtDecision,
    anytime_mean_interval,
    anytime_score_interval,
    elo_to_score,
    log_wealth,
    score_to_elo,
)

__all__ = [
    "Combination",
    "Elimination",
    "EloScale",
    "Estimate",
    "Histogram",
    "Interval",
    "Sample",
    "Sprt",
    "SprtDecision",
    "Verdict",
    "agreed",
    "anytime_mean_interval",
    "anytime_score_interval",
    "correlated_difference",
    "difference",
    "elo_to_score",
    "games_needed",
    "log_wealth",
    "mean_interval",
    "mean_of",
    "mean_score",
    "mean_score_interval",
    "round_width",
    "score_to_elo",
    "verdict_of",
    "wilson",
]
