"""Levels of several kinds at once, such as decks and the players who pilot them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from deckcheck.stats.combinations import Estimate
from deckcheck.stats.intervals import DEFAULT_LEVEL, Interval, normal_quantile
from deckcheck.stats.strengths import MAX_STEPS, expect_scores, limit_stride
from deckcheck.stats.weighted_sums import Floats

K = TypeVar("K", bound=Hashable)
Indexes: TypeAlias = npt.NDArray[np.intp]

_STEP_PRECISION = 1e-6
"""The size of a step, in log-odds, at which a fit ends."""
_HIDDEN_PART = 1e-9
"""The squared part of a combination of levels that games may leave open."""


@dataclass(frozen=True, slots=True)
class Levels(Generic[K]):
    """Levels in log-odds, with their covariance."""

    rows: Mapping[K, int]
    """The index of each level in the arrays below."""
    values: Floats
    """The levels, in log-odds."""
    covariance: Floats
    """The covariance of the values."""
    hidden: Floats
    """The projection on the combinations of levels that no games determine."""

    def estimate(
        self, weights: Mapping[K, float], games: int, level: float = DEFAULT_LEVEL
    ) -> Estimate | None:
        """Return the sum of levels with these weights, or None if no games show it.

        `games` is the number behind it, and `level` the coverage of its interval.
        """
        vector = np.zeros(len(self.values))
        for key, weight in weights.items():
            vector[self.rows[key]] += weight
        if vector @ self.hidden @ vector > _HIDDEN_PART:
            return None
        deviation = sqrt(max(0.0, float(vector @ self.covariance @ vector)))
        reach = normal_quantile(level) * deviation
        value = float(vector @ self.values)
        return Estimate(value, Interval(value - reach, value + reach), games)

    def estimate_each(
        self, scores: Mapping[K, Sequence[float]], level: float = DEFAULT_LEVEL
    ) -> dict[K, Estimate]:
        """Return levels less their mean, for the largest group that games compare.

        `scores` has the scores of each level, of which only the number counts.
        """
        if not scores:
            return {}
        group = self._find_largest_group(list(scores))
        estimates: dict[K, Estimate] = {}
        if len(group) == 1:
            return estimates
        for key in group:
            weights = dict.fromkeys(group, -1 / len(group))
            weights[key] += 1
            found = self.estimate(weights, len(scores[key]), level)
            if found is not None:
                estimates[key] = found
        return estimates

    def _find_largest_group(self, keys: Sequence[K]) -> list[K]:
        """Return the largest group of levels whose differences games show."""
        rows = [self.rows[key] for key in keys]
        block = self.hidden[np.ix_(rows, rows)]
        diagonal = np.diag(block)
        # The squared part of each difference of two levels that games do not show.
        is_shown = diagonal[:, None] + diagonal - 2 * block < _HIDDEN_PART
        largest = is_shown.sum(axis=1).argmax()
        return [keys[index] for index in np.flatnonzero(is_shown[largest]).tolist()]


def fit_levels(
    games: Iterable[Mapping[K, float]],
    scores: Sequence[float],
    offsets: Sequence[float] | None = None,
) -> Levels[K]:
    """Fit the levels whose sums explain the scores of games best.

    Each of `games` has 1 for each level of its first side, and -1 for each level of its
    second side. `scores` are the scores of the first side, 0 to 1. `offsets` are the
    known log-odds of each game, by default 0.

    No level is assumed to be near others. An assumed spread of players would lend a
    part of their strength to the decks that strong players prefer.

    Source: D. Firth (1993), Bias reduction of maximum likelihood estimates, Biometrika
    80, for many levels with few games each. G. Heinze and M. Schemper (2002), A
    solution to the problem of separation in logistic regression, Statistics in Medicine
    21, for levels that win all games.
    """
    # `game_rows` and `signs` are games x places, `pairs` and `products` have each two
    # places of a game.
    level_rows, game_rows, signs = _lay_out_levels(games)
    count = len(level_rows)
    pairs = game_rows[:, :, None], game_rows[:, None, :]
    products = signs[:, :, None] * signs[:, None, :]
    observed = np.asarray(scores)
    known_odds = np.zeros(len(game_rows)) if offsets is None else np.asarray(offsets)
    hidden = _find_hidden(count, pairs, products)
    values = np.zeros(count)
    # Steps solve Firth's equations: over all games, the sum of
    # row * (score - p + h * (1/2 - p)) is 0, where p is the expected score of a game
    # and h its leverage.
    for _ in range(MAX_STEPS):
        expected = expect_scores(known_odds + (signs * values[game_rows]).sum(axis=1))
        worth = expected * (1 - expected)
        information = hidden.copy()
        np.add.at(information, pairs, worth[:, None, None] * products)
        covariance = np.linalg.inv(information) - hidden
        # Without the leverage, levels with few games would be too far from each other.
        leverage = worth * (products * covariance[pairs]).sum(axis=(1, 2))
        surprise = observed - expected + leverage * (0.5 - expected)
        slope = np.zeros(count)
        np.add.at(slope, game_rows, signs * surprise[:, None])
        weight = worth * (1 + leverage)
        curvature = hidden.copy()
        np.add.at(curvature, pairs, weight[:, None, None] * products)
        step = np.linalg.solve(curvature, slope)
        size = float(np.abs(step).max())
        values += step * limit_stride(size)
        if size < _STEP_PRECISION:
            break
    return Levels(level_rows, values, np.asarray(covariance, float), hidden)


def _find_hidden(
    count: int, pairs: tuple[Indexes, Indexes], products: Floats
) -> Floats:
    """Return the projection on combinations of levels that no games determine.

    `count` is the number of levels, `pairs` are the rows of each two levels of a game,
    `products` of their signs.
    """
    shared = np.zeros((count, count))
    np.add.at(shared, pairs, products)
    sizes, vectors = np.linalg.eigh(shared)
    hidden = vectors[:, sizes < _HIDDEN_PART * sizes[-1]]
    return np.asarray(hidden @ hidden.T)


def _lay_out_levels(
    games: Iterable[Mapping[K, float]],
) -> tuple[dict[K, int], Indexes, Floats]:
    """Return the row of each level, and the rows and signs of levels in each game.

    A game with fewer levels than others has the sign 0 in the places that are left.
    """
    signs_by_game = list(games)
    level_rows: dict[K, int] = {}
    for game in signs_by_game:
        for level in game:
            level_rows.setdefault(level, len(level_rows))
    shape = len(signs_by_game), max(map(len, signs_by_game))
    rows = np.zeros(shape, np.intp)
    signs = np.zeros(shape)
    for index, game in enumerate(signs_by_game):
        rows[index, : len(game)] = [level_rows[level] for level in game]
        signs[index, : len(game)] = list(game.values())
    return level_rows, rows, signs
