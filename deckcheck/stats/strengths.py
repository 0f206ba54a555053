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

            d = free + pull response, where I free = U and I response = c
            pull = (value - c (s + free)) / (c response)

        At the solution U is `-pull c`, so that the score statistic, U times the inverse
        of I times U, is `pull^2 (c response)`.
        """
        # The ridge grows with the most games of a pair, or rounding would lose it.
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
            right_sides = np.stack([slope, contrasts], axis=2)
            solutions = np.linalg.solve(information, right_sides)
            free, response = np.moveaxis(solutions, 2, 0)
            variance = (contrasts * response).sum(axis=1)
            gap = values - (contrasts * (strengths + free)).sum(axis=1)
            pull = gap / np.where(variance > 0, variance, 1.0)
            step = free + pull[:, None] * response
            size = np.abs(step).max()
            strengths = strengths + step * limit_stride(size)
            if size < _STEP_PRECISION:
                break
        return strengths, pull * np.sqrt(variance)

    def find_ends(self, start: Floats, contrasts: Floats, reach: float) -> Floats:
        """Return the contrasts, in Elo, `reach` standard errors above the likeliest.

        Each row of `contrasts` has the weights of all strengths, which add up to 0.
        `start` are strengths that are nearer than the ends, such as the likeliest.
        """
        step = max(1, _MAX_CELLS // len(start) ** 2)
        ends = []
        for first in range(0, len(contrasts), step):
            part = contrasts[first : first + step]
            ends.append(self._find_some_ends(start, part, reach))
        return np.concatenate(ends)

    def _find_some_ends(self, start: Floats, contrasts: Floats, reach: float) -> Floats:
        """Find the ends by doubled steps, then by false position.

        Every third turn bisects, so that neither side gets stuck. `inner` is always
        nearer than the end, and `outer` farther. Their excesses over `reach`, in
        standard errors, are negative and positive.
        """
        strengths = np.tile(start, (len(contrasts), 1))
        inner = contrasts @ start
        outer = inner.copy()
        inner_excess = np.full(len(inner), -abs(reach))
        outer_excess = np.full(len(inner), -inf)
        step = np.sign(reach)
        while (outer_excess < 0).any():
            outer = np.where(outer_excess < 0, outer + step, outer)
            strengths, roots = self._fit_constrained(strengths, contrasts, outer)
            outer_excess = np.abs(roots) - abs(reach)
            inner = np.where(outer_excess < 0, outer, inner)
            inner_excess = np.where(outer_excess < 0, outer_excess, inner_excess)
            step *= 2
        for turn in range(MAX_STEPS):
            fraction = inner_excess / (inner_excess - outer_excess)
            if turn % 3 == 2:
                fraction = np.full(len(inner), 0.5)
            middle = inner + fraction * (outer - inner)
            strengths, roots = self._fit_constrained(strengths, contrasts, middle)
            excess = np.abs(roots) - abs(reach)
            is_inner = excess < 0
            inner = np.where(is_inner, middle, inner)
            inner_excess = np.where(is_inner, excess, inner_excess)
            outer = np.where(is_inner, outer, middle)
            outer_excess = np.where(is_inner, outer_excess, excess)
            error = np.minimum(np.abs(excess), np.abs(outer - inner)).max()
            if error < _STEP_PRECISION:
                break
        return ELO * np.asarray(middle)
