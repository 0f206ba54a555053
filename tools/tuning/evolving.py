"""An evolution strategy for whole numbers, each with a step of its own.

Separable CMA-ES (Ros and Hansen 2008): a normal distribution with a variance for each
figure, moved towards the better half of its samples. All samples of a generation play
the same games, so that their differences are hardly luck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
import numpy.typing as npt

__all__ = ["Evolution"]

Vector = npt.NDArray[np.float64]


@dataclass
class Evolution:
    """The distribution: `mean` and `step` in units of each figure's own `scale`."""

    mean: Vector
    scale: Vector
    seed: int
    size: int = 24
    step: float = 1.0
    variance: Vector = field(init=False)
    chance: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.mean)
        self.mean = self.mean / self.scale
        self.variance = np.ones(n)
        self.chance = np.random.default_rng(self.seed)
        ranks = np.log(self.size / 2 + 0.5) - np.log(np.arange(1, self.size // 2 + 1))
        self.weights = ranks / ranks.sum()
        parents = 1 / float((self.weights**2).sum())
        self.parents = parents
        self.step_rate = (parents + 2) / (n + parents + 5)
        self.path_rate = (4 + parents / n) / (n + 4 + 2 * parents / n)
        one = 2 / ((n + 1.3) ** 2 + parents)
        many = 2 * (parents - 2 + 1 / parents) / ((n + 2) ** 2 + parents)
        # Only the diagonal is learned, which may go faster by this factor.
        self.one_rate = min(1.0, one * (n + 2) / 3)
        self.many_rate = min(1 - self.one_rate, many * (n + 2) / 3)
        self.damping = 1 + self.step_rate
        self.step_path, self.path = np.zeros(n), np.zeros(n)
        self.expected = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))

    def values(self, point: Vector) -> npt.NDArray[np.int64]:
        """Whole numbers at a point of the search."""
        return np.rint(point * self.scale).astype(np.int64)

    def advance(self, worth: Callable[[npt.NDArray[np.int64]], float]) -> list[float]:
        """One generation; returns what the samples are worth, the best first."""
        normal = self.chance.standard_normal((self.size, len(self.mean)))
        steps = normal * np.sqrt(self.variance)
        points = self.mean + self.step * steps
        found = np.array([worth(self.values(point)) for point in points])
        order = np.argsort(-found)
        best = order[: self.size // 2]
        move = self.weights @ steps[best]
        self.mean = self.mean + self.step * move
        self._learn(move, steps[best])
        return [float(value) for value in found[order]]

    def _learn(self, move: Vector, steps: Vector) -> None:
        """Adapt step and variances to the way that the mean went."""
        a, c = self.step_rate, self.path_rate
        white = move / np.sqrt(self.variance)
        self.step_path = (1 - a) * self.step_path + sqrt(
            a * (2 - a) * self.parents
        ) * white
        self.path = (1 - c) * self.path + sqrt(c * (2 - c) * self.parents) * move
        length = float(np.linalg.norm(self.step_path))
        self.step *= float(np.exp(a / self.damping * (length / self.expected - 1)))
        self.variance = (
            (1 - self.one_rate - self.many_rate) * self.variance
            + self.one_rate * self.path**2
            + self.many_rate * (self.weights @ steps**2)
        )
