"""Fitting the network by Adam: numpy in single precision, everything in a fixed order.

The same machine, numpy and number of threads give the same weights to the last bit.
Other builds of numpy add up in another order, so their weights differ by rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckcheck.policies.players import FIRST_UNITS, SECOND_UNITS, UNIT_BITS, UNIT_LIMIT

__all__ = ["Fit", "Floats", "Positions", "Tell", "fit", "new_weights", "scale_of"]

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]
Tell = Callable[[str], None]
"""Prints a line about the training."""

CAP = UNIT_LIMIT >> UNIT_BITS
WARM_UP = 200  # batches
LAST_RATE = 0.02  # of the first one
MEAN, SPREAD = 0.9, 0.999  # how long Adam remembers
HELD = 0.02  # of the positions, the last ones, to see how well it fits


@dataclass(frozen=True)
class Positions:
    """Features of positions, their outcomes, between 0 and 1, and their stages."""

    features: npt.NDArray[np.int16]
    worth: Floats
    stage: npt.NDArray[np.int64]

    def part(self, rows: slice) -> Positions:
        """Some of the positions."""
        return Positions(self.features[rows], self.worth[rows], self.stage[rows])

    def after(self, others: Positions | None) -> Positions:
        """These positions behind others, if there are any."""
        if others is None:
            return self
        return Positions(
            np.concatenate([others.features, self.features]),
            np.concatenate([others.worth, self.worth]),
            np.concatenate([others.stage, self.stage]),
        )


@dataclass(frozen=True)
class Fit:
    """How long and how fast to learn, and by which order of the positions."""

    epochs: int
    rate: float
    decay: float
    seed: int
    batch: int = 2048


def scale_of(features: npt.NDArray[np.int16]) -> Floats:
    """The usual size of each feature, by which it is divided."""
    some = features[:: max(1, len(features) // 50_000)].astype(np.float64)
    size = np.sqrt((some**2).mean(axis=0))
    return np.maximum(size, 0.1).astype(np.float32)


def new_weights(features: int, stages: int, seed: int) -> Weights:
    """Weights to begin with; all stages begin alike."""
    chance = np.random.default_rng(seed)
    first = chance.normal(0, features**-0.5, (features, FIRST_UNITS))
    second = chance.normal(0, (2 / FIRST_UNITS) ** 0.5, (1, FIRST_UNITS, SECOND_UNITS))
    last = chance.normal(0, SECOND_UNITS**-0.5, (1, SECOND_UNITS))
    weights = {
        "first": first,
        "first_bias": np.full(FIRST_UNITS, 0.1),
        "second": np.repeat(second, stages, 0),
        "second_bias": np.full((stages, SECOND_UNITS), 0.1),
        "last": np.repeat(last, stages, 0),
        "last_bias": np.zeros(stages),
    }
    return {name: value.astype(np.float32) for name, value in weights.items()}


def fit(
    weights: Weights,
    positions: Positions,
    scale: Floats,
    how: Fit,
    tell: Tell,
) -> Weights:
    """Learn from positions; returns new weights, for features divided by `scale`."""
    weights = {name: value.copy() for name, value in weights.items()}
    train = int(len(positions.worth) * (1 - HELD))
    held = positions.part(slice(train, None))
    inverse = (1 / scale).astype(np.float32)
    adam = Adam(weights, how, how.epochs * (train // how.batch))
    for epoch in range(how.epochs):
        chance = np.random.default_rng((how.seed, epoch))
        order = chance.permutation(train)
        losses = []
        for first in range(0, train - how.batch + 1, how.batch):
            batch = by_stage(positions, order[first : first + how.batch], inverse)
            gradients, loss = backward(weights, batch)
            adam.step(gradients)
            losses.append(loss)
        rest = by_stage(held, np.arange(len(held.worth)), inverse)
        loss = loss_of(Forward(weights, rest).out, rest.worth)
        tell(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, held out {loss:.4f}")
    return weights


@dataclass(frozen=True)
class Batch:
    """Positions ordered by stage, and where each stage begins."""

    x: Floats
    worth: Floats
    ends: npt.NDArray[np.int64]

    def parts(self) -> Iterator[tuple[int, slice]]:
        """The stages that occur, each with its rows."""
        for stage in range(len(self.ends) - 1):
            if self.ends[stage] < self.ends[stage + 1]:
                yield stage, slice(int(self.ends[stage]), int(self.ends[stage + 1]))


def by_stage(
    positions: Positions, rows: npt.NDArray[np.int64], inverse: Floats
) -> Batch:
    """Some positions, ordered by their stages."""
    rows = rows[np.argsort(positions.stage[rows], kind="stable")]
    stages = int(positions.stage.max()) + 1
    ends = np.searchsorted(positions.stage[rows], np.arange(stages + 1))
    return Batch(positions.features[rows] * inverse, positions.worth[rows], ends)


class Forward:
    """The sums and units of a batch."""

    def __init__(self, weights: Weights, batch: Batch) -> None:
        """Work out the values of a batch, as logits in `out`."""
        self.z1 = batch.x @ weights["first"] + weights["first_bias"]
        self.h1 = np.clip(self.z1, 0, CAP)
        self.z2 = np.empty((len(batch.x), SECOND_UNITS), np.float32)
        self.out = np.empty(len(batch.x), np.float32)
        for stage, rows in batch.parts():
            sums = self.h1[rows] @ weights["second"][stage]
            self.z2[rows] = sums + weights["second_bias"][stage]
        self.h2 = np.clip(self.z2, 0, CAP)
        for stage, rows in batch.parts():
            out = self.h2[rows] @ weights["last"][stage]
            self.out[rows] = out + weights["last_bias"][stage]


def backward(weights: Weights, batch: Batch) -> tuple[Weights, float]:
    """The gradients of the mean loss of a batch, and the loss."""
    ahead = Forward(weights, batch)
    chance = 1 / (1 + np.exp(-np.clip(ahead.out, -30, 30)))
    d_out = ((chance - batch.worth) / len(batch.worth)).astype(np.float32)
    found = {name: np.zeros_like(value) for name, value in weights.items()}
    d_h1 = np.empty_like(ahead.h1)
    open2 = (ahead.z2 > 0) & (ahead.z2 < CAP)
    for stage, rows in batch.parts():
        found["last"][stage] = ahead.h2[rows].T @ d_out[rows]
        found["last_bias"][stage] = d_out[rows].sum()
        d_z2 = d_out[rows, None] * weights["last"][stage] * open2[rows]
        found["second"][stage] = ahead.h1[rows].T @ d_z2
        found["second_bias"][stage] = d_z2.sum(axis=0)
        d_h1[rows] = d_z2 @ weights["second"][stage].T
    d_z1 = d_h1 * ((ahead.z1 > 0) & (ahead.z1 < CAP))
    found["first"] = batch.x.T @ d_z1
    found["first_bias"] = d_z1.sum(axis=0)
    return found, loss_of(ahead.out, batch.worth)


def loss_of(out: Floats, worth: Floats) -> float:
    """The mean surprise at the outcomes of positions."""
    logits = np.clip(out.astype(np.float64), -30, 30)
    return float(np.mean(np.logaddexp(0, logits) - worth * logits))


class Adam:
    """Steps by the running mean and spread of the gradients, in place."""

    def __init__(self, weights: Weights, how: Fit, steps: int) -> None:
        """`steps` is how many there will be: the rate falls to almost nothing."""
        self.weights = weights
        self.how = how
        self.steps = steps
        self.done = 0
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.spread = {name: np.zeros_like(value) for name, value in weights.items()}

    def step(self, gradients: Weights) -> None:
        """Change the weights by one batch."""
        self.done += 1
        slope = 0.5 * (1 + np.cos(np.pi * self.done / self.steps))
        rate = self.how.rate * min(1, self.done / WARM_UP)
        rate *= LAST_RATE + (1 - LAST_RATE) * slope
        even = np.sqrt(1 - SPREAD**self.done) / (1 - MEAN**self.done)
        for name, gradient in gradients.items():
            mean, spread = self.mean[name], self.spread[name]
            mean += np.float32(1 - MEAN) * (gradient - mean)
            spread += np.float32(1 - SPREAD) * (gradient**2 - spread)
            change = np.float32(rate * even) * mean / (np.sqrt(spread) + 1e-8)
            if not name.endswith("bias"):
                change += np.float32(rate * self.how.decay) * self.weights[name]
            self.weights[name] -= change
