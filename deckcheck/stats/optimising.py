"""The equilibrium of a matrix game, and the cheapest choice of options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

# Mixed strategies of zero-sum games: which decks to bring, and how often
#
# A game is a matrix of the payoffs of rows against columns. The payoffs of both add up
# to a constant. Win rates of decks against each other are such a matrix.

Matrix: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.intp]
UNSETTLED_WIDTH = 0.2
"""The width of an interval above which a share is hardly known."""

_NO_GAIN = 1e-9
_FIRST_STRATEGIES = 32
"""The rows and columns of the first part of a game: all of most fields."""
_ADDED_STRATEGIES = 8


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A mixed strategy of the row, and its payoff."""

    shares: tuple[float, ...]
    """The share of each row."""
    value: float
    """The least payoff of these shares against any column."""


def equilibrium(payoffs: Matrix) -> Equilibrium:
    """Return the mixed strategy of the row whose worst payoff is the best.

    `payoffs[i, j]` is the payoff of row `i` against column `j`. Among several equally
    good strategies the same one is returned each time.

    >>> game = equilibrium(np.array([[0.5, 0.2], [0.8, 0.5]]))
    >>> game.shares, game.value
    ((0.0, 1.0), 0.5)

    A large game is solved by a part of it: the rows and columns with the best means,
    with every row and column that does better against the strategies of the part.

    Source: J. von Neumann (1928), Zur Theorie der Gesellschaftsspiele, Mathematische
    Annalen 100. As a linear program, solved by HiGHS. For the parts H. B. McMahan, G.
    J. Gordon and A. Blum (2003), Planning in the presence of cost functions controlled
    by an adversary, ICML 20.
    """
    rows = _find_largest(payoffs.mean(axis=1), _FIRST_STRATEGIES)
    columns = _find_largest(-payoffs.mean(axis=0), _FIRST_STRATEGIES)
    while True:
        shares = np.zeros(len(payoffs))
        answers = np.zeros(payoffs.shape[1])
        part = payoffs[np.ix_(rows, columns)]
        shares[rows], answers[columns] = _solve_strategies(part)
        against_columns = shares @ payoffs
        against_answers = payoffs @ answers
        value = float(against_columns[columns].min())
        more_rows = _find_better(against_answers - value, rows)
        more_columns = _find_better(value - against_columns, columns)
        if not len(more_rows) and not len(more_columns):
            break
        rows = np.union1d(rows, more_rows)
        columns = np.union1d(columns, more_columns)
    return Equilibrium(tuple(map(float, shares)), float(against_columns.min()))


def _find_largest(values: Matrix, most: int) -> Places:
    """Return the indices of the largest values, in rising order."""
    return np.sort(np.argsort(-values, kind="stable")[:most])


def _find_better(gains: Matrix, known: Places) -> Places:
    """Return the indices of the largest gains, if they are not `known`."""
    gains[known] = 0.0
    best = _find_largest(gains, _ADDED_STRATEGIES)
    return best[gains[best] > _NO_GAIN]


def _solve_strategies(payoffs: Matrix) -> tuple[Matrix, Matrix]:
    """Return the best shares of the rows and of the columns, by a linear program."""
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
    shares = np.where(solved.x[:-1] < _NO_GAIN, 0.0, solved.x[:-1])
    # The gain of the value if a column paid more is how often the column is played.
    return shares / shares.sum(), np.abs(solved.ineqlin.marginals)


def payoffs_against(payoffs: Matrix, shares: Sequence[float]) -> Matrix:
    """Return the payoff of each row against columns with these shares.

    The shares need not add up to 1. Raises ValueError if none is positive.
    """
    weights = np.asarray(shares, float)
    if weights.min() < 0 or weights.sum() <= 0:
        raise ValueError("shares must be positive numbers")
    against: Matrix = payoffs @ (weights / weights.sum())
    return against


def resampled_rates(scores: npt.ArrayLike, chance: np.random.Generator) -> Matrix:
    """Return mean scores as another run of the same length could have had them.

    `scores[k][i]` counts how often pairing `k` had the score `i / (len - 1)`. Each
    pairing is drawn again with replacement (the bootstrap of B. Efron, 1979).
    """
    counts = np.asarray(scores)
    totals = counts.sum(axis=1)
    drawn = chance.multinomial(totals, counts / totals[:, None])
    steps = counts.shape[1] - 1
    means: Matrix = drawn @ np.arange(steps + 1) / (totals * steps)
    return means


# The cheapest choice of options whose effects move figures into wanted ranges

ROUNDED_DIGITS = 6
MAX_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure that options change."""

    value: float
    effects: tuple[float, ...]
    """The change of the figure by each option."""
    low: float
    """The lowest wanted value."""
    high: float
    """The highest wanted value."""


def cheapest_choice(
    costs: Sequence[float],
    groups: Sequence[Sequence[int]],
    wanted: Sequence[Wanted],
    penalty: float,
    most: int,
) -> tuple[int, ...]:
    """Return the options to take, by their indices.

    At most one option of each of `groups` is taken, and at most `most` in all. The
    distance of a figure from its wanted range costs `penalty` for each whole 1, so that
    there is always a choice. Figures are rounded first, so that noise in the last
    digits of sums changes nothing.

    Source: an integer linear program, solved by HiGHS (Q. Huangfu and J. A. J. Hall,
    2018, Parallelizing the dual revised simplex method).
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    options = len(costs)
    figures = len(wanted)
    # Variables are the options, then by how much each figure misses its range.
    goal = np.concatenate([costs, np.full(figures, penalty)])
    effects = np.array([choice.effects for choice in wanted]).reshape(figures, options)
    value = np.array([choice.value for choice in wanted])
    misses = np.eye(figures)
    above = np.hstack([effects, -misses])
    below = np.hstack([effects, misses])
    high = np.array([choice.high for choice in wanted]) - value
    low = np.array([choice.low for choice in wanted]) - value
    alone = np.zeros((len(groups) + 1, options + figures))
    for row, group in enumerate(groups):
        alone[row, list(group)] = 1.0
    alone[-1, :options] = 1.0
    solved = milp(
        np.round(goal, ROUNDED_DIGITS),
        constraints=[
            LinearConstraint(_round(above), ub=_round(high)),
            LinearConstraint(_round(below), lb=_round(low)),
            LinearConstraint(alone, ub=[*[1.0] * len(groups), float(most)]),
        ],
        integrality=[1] * options + [0] * figures,
        bounds=Bounds(0.0, [1.0] * options + [np.inf] * figures),
        options={"node_limit": MAX_NODES},
    )
    if solved.x is None:
        return ()
    return tuple(int(i) for i in np.flatnonzero(solved.x[:options] > 0.5))


def _round(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round values, as HiGHS takes values near zero for zero, with a warning."""
    return np.round(values, ROUNDED_DIGITS) + 0.0
