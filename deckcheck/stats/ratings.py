"""One number for each player: ratings from win rates, and how well they fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from deckcheck.stats.combine import Estimate
from deckcheck.stats.intervals import Interval

__all__ = ["Pairing", "Ratings", "bradley_terry"]

ELO = 400 / log(10)
"""Points of Elo for one unit of the logistic function."""

_STEPS = 100
_PRECISION = 1e-12


@dataclass(frozen=True, slots=True)
class Pairing:
    """What players `a` and `b` came to: the mean score of `a`, and its variance.

    A score is 0 to 1, `variance` that of the mean, 0 or more. `games` are 1 or more.
    """

    a: int
    b: int
    score: float
    variance: float
    games: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings in Elo, their mean 0, each with its 95 % interval.

    `misfit` is the root mean square of what the ratings miss, in points of the score,
    with the part taken off that chance alone would make; `expected[k]` is the score
    that they say pairing `k` should have. `cycles` is the part of all differences
    between players that no single number can show, 0 to 1: the curl of the log-odds.
    """

    ratings: tuple[Estimate, ...]
    expected: tuple[float, ...]
    misfit: float
    cycles: float


def bradley_terry(players: int, pairings: Sequence[Pairing]) -> Ratings:
    """Return the ratings that explain the scores of `pairings` best.

    Each pairing weighs by its information, 1 / variance: a quasi-likelihood with a
    sandwich variance, since games of a pair are not independent. A player who always
    won or lost gets the rating of half a game less. Raises ValueError when players have
    not met, directly or through others.

    Source: R. A. Bradley and M. E. Terry (1952), Rank analysis of incomplete block
    designs, Biometrika 39; for the cycles X. Jiang et al. (2011), Statistical ranking
    and combinatorial Hodge theory, Mathematical Programming 127.
    """
    if not _connected(players, pairings):
        raise ValueError("ratings need players that have met")
    edges = _edges(players, pairings)
    scores = np.array([_inside(each) for each in pairings])
    noise = np.array([_noise(each) for each in pairings])
    weights = scores * (1 - scores) / noise
    strengths = np.zeros(players)
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-edges @ strengths))
        slope = edges.T @ (weights * (scores - expected))
        spread = weights * expected * (1 - expected)
        information = edges.T @ (edges * spread[:, None])
        step = np.linalg.pinv(information) @ slope
        strengths += step
        if np.abs(step).max() < _PRECISION:
            break
    bread = np.linalg.pinv(information)
    meat = edges.T @ (edges * (weights**2 * noise)[:, None])
    variances = np.diag(bread @ meat @ bread)
    missed = float(np.mean((scores - expected) ** 2 - noise))
    return Ratings(
        tuple(
            _estimate(value, variance, i, pairings)
            for i, (value, variance) in enumerate(
                zip(strengths - strengths.mean(), variances, strict=True)
            )
        ),
        tuple(float(each) for each in expected),
        sqrt(max(0.0, missed)),
        _cycles(edges, np.log(scores / (1 - scores))),
    )


def _edges(players: int, pairings: Sequence[Pairing]) -> npt.NDArray[np.float64]:
    edges = np.zeros((len(pairings), players))
    for k, each in enumerate(pairings):
        edges[k, each.a] += 1
        edges[k, each.b] -= 1
    return edges


def _inside(each: Pairing) -> float:
    """A score that a finite rating explains."""
    edge = 1 / (2 * each.games + 2)
    return min(1 - edge, max(edge, each.score))


def _noise(each: Pairing) -> float:
    """The variance of a score, never 0: unanimous games leave half a game of doubt."""
    edge = 1 / (2 * each.games + 2)
    return max(each.variance, edge * (1 - edge) / each.games)


def _estimate(
    value: float, variance: float, player: int, pairings: Sequence[Pairing]
) -> Estimate:
    reach = NormalDist().inv_cdf(0.975) * sqrt(max(0.0, variance)) * ELO
    games = sum(each.games for each in pairings if player in (each.a, each.b))
    middle = float(value) * ELO
    return Estimate(middle, Interval(middle - reach, middle + reach), games)


def _cycles(edges: npt.NDArray[np.float64], odds: npt.NDArray[np.float64]) -> float:
    """The share of the squared log-odds that differences of ratings cannot make."""
    total = float(odds @ odds)
    if total < _PRECISION:
        return 0.0
    best = np.linalg.lstsq(edges, odds, rcond=None)[0]
    rest = odds - edges @ best
    return float(rest @ rest) / total


def _connected(players: int, pairings: Sequence[Pairing]) -> bool:
    groups = list(range(players))
    for each in pairings:
        old, new = groups[each.b], groups[each.a]
        groups = [new if group == old else group for group in groups]
    return len(set(groups)) <= 1
