"""Statistics of games: pure functions that know nothing of any game."""

from __future__ import annotations

from deckcheck.stats.combinations import (
    Combination,
    Estimate,
    Sample,
    average,
    correlated_difference,
    difference,
)
from deckcheck.stats.distributions import Histogram, round_width
from deckcheck.stats.intervals import (
    Interval,
    Verdict,
    find_verdict,
    games_needed,
    mean_interval,
    mean_score,
    mean_score_interval,
    merge_verdicts,
    wilson,
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
    "anytime_mean_interval",
    "anytime_score_interval",
    "average",
    "correlated_difference",
    "difference",
    "elo_to_score",
    "find_verdict",
    "games_needed",
    "log_wealth",
    "mean_interval",
    "mean_score",
    "mean_score_interval",
    "merge_verdicts",
    "round_width",
    "score_to_elo",
    "wilson",
]
