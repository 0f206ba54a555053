"""Statistics of games: pure functions that know nothing of any game."""

from __future__ import annotations

from deckcheck.stats.distributions import Histogram
from deckcheck.stats.distributions import round_width
from deckcheck.stats.intervals import Interval
from deckcheck.stats.intervals import mean_interval
from deckcheck.stats.intervals import mean_score
from deckcheck.stats.intervals import mean_score_interval
from deckcheck.stats.intervals import wilson
from deckcheck.stats.regression import Combination
from deckcheck.stats.regression import Estimate
from deckcheck.stats.regression import Sample
from deckcheck.stats.regression import correlated_difference
from deckcheck.stats.regression import difference
from deckcheck.stats.regression import mean_of
from deckcheck.stats.sequential import Elimination
from deckcheck.stats.sequential import EloScale
from deckcheck.stats.sequential import Sprt
from deckcheck.stats.sequential import Verdict
from deckcheck.stats.sequential import anytime_mean_interval
from deckcheck.stats.sequential import anytime_score_interval
from deckcheck.stats.sequential import elo_of
from deckcheck.stats.sequential import log_wealth
from deckcheck.stats.sequential import score_of

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



