"""Mixed strategies of zero-sum games: what to bring, and how often.

A game is a matrix of what the row wins from the column, both payoffs adding up to a
constant. Win rates of decks against each other are such a matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float64]
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Shares of the rows that no answer of the column can hold below `value`."""

    shares: tuple[float, ...]
    value: float


def equilibrium(payoffs: Matrix) -> Equilibrium:
    """Return the mixed strategy of the row whose worst payoff is the best.

    `payoffs[i, j]` is what row `i` gets against column `j`. Where several strategies
    are equally good, one of them is returned, the same each time.

    Source: J. von Neumann (1928), Zur Theorie der Gesellschaftsspiele, Mathematische
    Annalen 100; as a linear program, solved by HiGHS.
    """
    from scipy.optimize import linprog

    rows, columns = payoffs.shape
    # Variables are the shares and the value, which is made as large as possible.
    goal = np.zeros(rows + 1)
    goal[-1] = -1.0
    solved = linprog(
        goal,
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.hstack([np.ones((1, rows)), np.zeros((1, 1))]),
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
        method="highs",
    )
    shares = np.where(solved.x[:-1] < _NOTHING, 0.0, solved.x[:-1])
    shares /= shares.sum()
    return Equilibrium(
        tuple(float(share) for share in shares), float(min(shares @ payoffs))
    )


def payoffs_against(payoffs: Matrix, shares: Sequence[float]) -> Matrix:
    """Return what each row gets against columns that come with these shares.

    The shares need not add up to 1. Raises ValueError when none is positive.
    """
    weights = np.asarray(shares, float)
    if weights.min() < 0 or weights.sum() <= 0:
        raise ValueError("shares must be positive numbers")
    against: Matrix = payoffs @ (weights / weights.sum())
    return against


def resampled_rates(
    scores: Sequence[Sequence[int]], chance: np.random.Generator
) -> Matrix:
    """Return mean scores as another run of the same length could have had them.

    `scores[k][i]` counts how often pairing `k` had the score `i / (len - 1)`; each
    pairing is drawn again with replacement (the bootstrap of B. Efron, 1979).
    """
    means = []
    for counts in scores:
        total = sum(counts)
        drawn = chance.multinomial(total, np.asarray(counts) / total)
        means.append(drawn @ np.arange(len(counts)) / (total * (len(counts) - 1)))
    return np.asarray(means)
