"""The likeliest strengths of players by their wins, and intervals of sums of them.

A strength is in log-odds: `a` beats `b` with the probability `1 / (1 + exp(b - a))`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np

from deckcheck.stats.weighted_sums import Floats

ELO = 400 / log(10)
"""The points of Elo for one unit of log-odds."""
MAX_STEPS = 100
"""The most steps of a fit."""
FAR_STRENGTH = 20.0
"""A strength, in log-odds, from which nobody ever wins."""
_MAX_STRIDE = 1.0
"""The most that a step changes a strength, so that no step goes far beyond the fit."""
_SMALLEST_STEP = 1e-12
_RIDGE_SIZE = 1e-7
"""The information added to each strength, for players who never lose."""
_STEP_PRECISION = 1e-9
_MAX_CELLS = 2**21
"""The most values that are solved for at once, which bounds the memory."""


def expect_scores(odds: Floats) -> Floats:
    """Return the scores, 0 to 1, that differences of strengths imply."""
    limit = 2 * FAR_STRENGTH
    return np.asarray(1 / (1 + np.exp(-odds.clip(-limit, limit))))


def limit_stride(size: float) -> float:
    """Return the factor for a step whose largest part is `size`, at most 1."""
    return min(1.0, _MAX_STRIDE / max(size, _SMALLEST_STEP))


@dataclass(frozen=True)
class Wins:
    """Independent games between each pair of players, and the wins of each player."""

    games: Floats
    """The number of games of each two players, a symmetric matrix."""
    won: Floats
    """The number of games that each player won."""

    @classmethod
    def of(cls, edges: Floats, scores: Floats, games: Floats) -> Wins:
        """Return the wins of pairings.

        A row of `edges` has 1 for the first player of a pairing and -1 for the second
        player. `scores` has the mean scores of first players, 0 to 1.
        """
        firsts, seconds = edges.argmax(axis=1), edges.argmin(axis=1)
        counts = np.zeros((edges.shape[1],) * 2)
        np.add.at(counts, (firsts, seconds), games)
        won_first = edges.clip(0).T @ (games * scores)
        won_second = -edges.clip(max=0).T @ (games * (1 - scores))
        return cls(counts + counts.T, won_first + won_second)

    def fit_strengths(self) -> Floats:
        """Return the strengths that explain the games best, with a mean of 0."""
        start = np.zeros((1, len(self.won)))
        strengths, _ = self._fit_constrained(start, start, np.zeros(1))
        return np.asarray(strengths[0])

    def _fit_constrained(
        self, strengths: Floats, contrasts: Floats, values: Floats
    ) -> tuple[Floats, Floats]:
        """Fit for each value the likeliest strengths whose contrast has that value.

        Also returns the roots of the score statistics: how many of their standard
        errors the contrasts are above the likeliest values.

        Each step is by Newton's method with a Lagrange multiplier. If i and j play `n`
        games, and i is expected to win a share `p`, then slope and information of the
        log-likelihood of strengths `s` are

            U[i] = won[i] - sum over j of n p
            I[i, j] = -n p (1 - p), and I[i, i] makes the sum of each row 0

        The step `d` to the constraint `c (s + d) = value` solves `I d = U + pull c`:

            d = free + pull bound, where I free = U and I bound = c
            pull = (value - c (s + free)) / (c bound)

        At the solution U is `-pull c`, so that the score statistic, U times the inverse
        of I times U, is `pull^2 (c bound)`.
        """
        # With more games than can be played, rounding would lose the terms added here.
        scale = max(1.0, float(self.games.max()) * _RIDGE_SIZE**2)
        diagonal = np.arange(len(self.won))
        for _ in range(MAX_STEPS):
            expected = expect_scores(strengths[:, :, None] - strengths[:, None, :])
            slope = self.won - (self.games * expected).sum(axis=2)
            information = -self.games * expected * (1 - expected)
            # The ridge makes a step come back that went too far, where nobody loses.
            information[:, diagonal, diagonal] -= (
                information.sum(axis=2) - _RIDGE_SIZE * scale
            )
            # Strengths are known except for their mean, which no contrast depends on.
            information += scale / len(self.won)
            sides = np.stack([slope, contrasts], axis=2)
            free, bound = np.moveaxis(np.linalg.solve(information, sides), 2, 0)
            variance = (contrasts * bound).sum(axis=1)
            missing = values - (contrasts * (strengths + free)).sum(axis=1)
            pull = missing / np.where(variance > 0, variance, 1.0)
            step = free + pull[:, None] * bound
            size = np.abs(step).max()
            strengths = strengths + step * limit_stride(size)
            if size < _STEP_PRECISION:
                break
        return strengths, pull * np.sqrt(variance)

    def find_ends(self, start: Floats, contrasts: Floats, reach: float) -> Floats:
        """Return the contrasts, in Elo, `reach` standard errors above the likeliest.

        Each row of `contrasts` has the weights of all strengths, which add up to 0.
        `start` are strengths with a smaller distance.
        """
        step = max(1, _MAX_CELLS // len(start) ** 2)
        ends = []
        for first in range(0, len(contrasts), step):
            part = contrasts[first : first + step]
            ends.append(self._find_some_ends(start, part, reach))
        return np.concatenate(ends)

    def _find_some_ends(self, start: Floats, contrasts: Floats, reach: float) -> Floats:
        """Find the ends by doubled steps, then by false position (Illinois).

        `near` is always nearer than the end, by `below` standard errors, and `far`
        farther, by `above`.
        """
        strengths = np.tile(start, (len(contrasts), 1))
        near = contrasts @ start
        far = near.copy()
        below = np.full(len(near), -abs(reach))
        above = np.full(len(near), -inf)
        step = np.sign(reach)
        while (above < 0).any():
            far = np.where(above < 0, far + step, far)
            strengths, roots = self._fit_constrained(strengths, contrasts, far)
            above = np.abs(roots) - abs(reach)
            near = np.where(above < 0, far, near)
            below = np.where(above < 0, above, below)
            step *= 2
        for turn in range(MAX_STEPS):
            part = below / (below - above)
            if turn % 3 == 2:
                part = np.full(len(near), 0.5)
            middle = near + part * (far - near)
            strengths, roots = self._fit_constrained(strengths, contrasts, middle)
            missed = np.abs(roots) - abs(reach)
            is_below = missed < 0
            near = np.where(is_below, middle, near)
            below = np.where(is_below, missed, below)
            far = np.where(is_below, far, middle)
            above = np.where(is_below, above, missed)
            if np.minimum(np.abs(missed), np.abs(far - near)).max() < _STEP_PRECISION:
                break
        return ELO * np.asarray(middle)
