"""The cheapest choice of options whose effects add up to what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DIGITS = 6
NODES = 100_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure, what each option adds to it, and between what it is to come to lie."""

    value: float
    effects: tuple[float, ...]
    low: float
    high: float


def cheapest_choice(
    costs: Sequence[float],
    groups: Sequence[Sequence[int]],
    wanted: Sequence[Wanted],
    penalty: float,
    most: int,
) -> tuple[int, ...]:
    """Return the options to take, by their places.

    At most one of each of `groups` is taken, and at most `most` in all. By how much a
    figure misses what is wanted costs `penalty` for each whole 1, so that there is
    always a choice. Figures are rounded first, so that noise in the last digits of sums
    changes nothing.

    Source: an integer linear program, solved by HiGHS (Q. Huangfu and J. A. J. Hall,
    2018, Parallelizing the dual revised simplex method).
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    options, figures = len(costs), len(wanted)
    # Variables are the options, then by how much each figure misses its range.
    goal = np.concatenate([costs, np.full(figures, penalty)])
    effects = np.array([choice.effects for choice in wanted]).reshape(figures, options)
    value = np.array([choice.value for choice in wanted])
    own = np.eye(figures)
    above = np.hstack([effects, -own])
    below = np.hstack([effects, own])
    high = np.array([choice.high for choice in wanted]) - value
    low = np.array([choice.low for choice in wanted]) - value
    alone = np.zeros((len(groups) + 1, options + figures))
    for row, group in enumerate(groups):
        alone[row, list(group)] = 1.0
    alone[-1, :options] = 1.0
    solved = milp(
        np.round(goal, DIGITS),
        constraints=[
            LinearConstraint(_rounded(above), ub=_rounded(high)),
            LinearConstraint(_rounded(below), lb=_rounded(low)),
            LinearConstraint(alone, ub=[*[1.0] * len(groups), float(most)]),
        ],
        integrality=[1] * options + [0] * figures,
        bounds=Bounds(0.0, [1.0] * options + [np.inf] * figures),
        options={"node_limit": NODES},
    )
    if solved.x is None:
        return ()
    return tuple(int(i) for i in np.flatnonzero(solved.x[:options] > 0.5))


def _rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    # HiGHS takes values near zero for zero, with a warning.
    return np.round(values, DIGITS) + 0.0
