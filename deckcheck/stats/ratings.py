"""One number for each player: ratings from win rates, and how well they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from deckcheck.stats.intervals import Interval
from deckcheck.stats.regression import Estimate, Floats, squared_size

ELO = 400 / log(10)
"""Points of Elo for one unit of the logistic function."""

_STEPS = 100
_PRECISION = 1e-12


@dataclass(frozen=True, slots=True)
class RatedPairing:
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

    `misfit` is the root mean square of what the ratings miss, in points of the score;
    `expected[k]` is the score that they say pairing `k` should have. `cycles` is the
    part of all differences between players that no single number can show, 0 to 1: the
    curl of the log-odds. Of both the part is taken off that chance alone would make.

    Where players are grouped, `groups[i]` are the mean ratings of the groups of
    grouping i. `parts[i]` is the part of the differences between ratings, squared, that
    lies between these groups, 0 to 1, with the part of chance taken off; the last one,
    behind those of all groupings, is what no grouping shows.
    """

    ratings: tuple[Estimate, ...]
    expected: tuple[float, ...]
    misfit: Estimate
    cycles: Estimate
    groups: tuple[tuple[Estimate, ...], ...] = ()
    parts: tuple[Estimate, ...] = ()


def bradley_terry(
    players: int,
    pairings: Sequence[RatedPairing],
    seed: int = 1,
    groupings: Sequence[Sequence[int]] = (),
) -> Ratings:
    """Return the ratings that explain the scores of `pairings` best.

    Each pairing weighs by its information, 1 / variance: a quasi-likelihood with a
    sandwich variance, since games of a pair are not independent. A player who always
    won or lost gets the rating of half a game less. The intervals of `misfit` and
    `cycles` are drawn with `seed`, see `squared_size`. A grouping says of each player
    in which of its groups, from 0, they are; `parts` add up where each group of one
    has as many players of each group of another. Raises
    ValueError when players have not met, directly or through others.

    Source: R. A. Bradley and M. E. Terry (1952), Rank analysis of incomplete block
    designs, Biometrika 39; for the cycles X. Jiang et al. (2011), Statistical ranking
    and combinatorial Hodge theory, Mathematical Programming 127.
    """
    if not _connected(players, pairings):
        raise ValueError("ratings need players that have met")
    edges = _edges(players, pairings)
    scores = np.array([_inside(pairing) for pairing in pairings])
    noise = np.array([_noise(pairing) for pairing in pairings])
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
    covariance = bread @ meat @ bread
    fit = _Fit(edges, bread, weights, expected * (1 - expected))
    games = np.array([pairing.games for pairing in pairings])
    freedom = np.maximum(1.0, games / 2 - 1)
    missed = squared_size(
        scores - expected,
        fit.rest,
        fit.rest_of_chance(noise),
        noise,
        freedom,
        seed=seed,
    )
    played = np.abs(edges).T @ games
    straight = fit.after * (edges @ strengths) + scores - expected
    bases = [_centred(players, groups) for groups in groupings]
    if bases:
        bases.append(_rest(players, bases))
    return Ratings(
        _means(np.eye(players), strengths, covariance, played),
        tuple(float(share) for share in expected),
        _mapped(lambda total: sqrt(total / len(scores)), missed),
        _cycles(edges, scores, noise, freedom, seed),
        tuple(
            _means(_group_means(players, groups), strengths, covariance, played)
            for groups in groupings
        ),
        tuple(_parts(bases, fit, straight, noise=noise, freedom=freedom, seed=seed)),
    )


def _means(
    means: Floats,
    strengths: Floats,
    covariance: Floats,
    played: Floats,
) -> tuple[Estimate, ...]:
    """Means of strengths, a row of weights for each, less the mean of all."""
    contrasts = means - 1 / len(strengths)
    variances = ((contrasts @ covariance) * contrasts).sum(axis=1)
    games = (means > 0) @ played
    return tuple(map(_estimate, contrasts @ strengths, variances, games))


def _group_means(players: int, groups: Sequence[int]) -> Floats:
    """A row for each group, with the weights of its players."""
    members = np.zeros((max(groups) + 1, players))
    members[groups, np.arange(players)] = 1
    return np.asarray(members / members.sum(axis=1, keepdims=True))


def _centred(players: int, groups: Sequence[int]) -> Floats:
    """A column for each group: ratings that differ between groups alone."""
    members = (_group_means(players, groups) > 0).T.astype(float)
    return np.asarray(members - members.mean(axis=0))


def _rest(players: int, bases: Sequence[Floats]) -> Floats:
    """Ratings that the columns of no basis can show, with a mean of 0."""
    shown = np.hstack([np.ones((players, 1)), *bases])
    return np.asarray(np.eye(players) - shown @ np.linalg.pinv(shown, rcond=_PRECISION))


@dataclass(frozen=True)
class _Fit:
    """The scores that ratings make of measured ones, as a linear map.

    That is `after * edges @ inner @ edges.T * before`. As a matrix of all pairings it
    would fill the memory where many players meet.
    """

    edges: Floats
    inner: Floats
    before: Floats
    after: Floats

    def of(self, scores: Floats) -> Floats:
        """What ratings make of these scores, a row for each vector."""
        ratings = (scores * self.before) @ self._sparse @ self.inner
        firsts, seconds = self.edges.argmax(axis=1), self.edges.argmin(axis=1)
        return np.asarray((ratings[:, firsts] - ratings[:, seconds]) * self.after)

    def rest(self, scores: Floats) -> Floats:
        """What they miss of them."""
        return np.asarray(scores - self.of(scores))

    def of_chance(self, variances: Floats) -> float:
        """The mean squared size of `of` noise with these variances."""
        return float(variances @ self._squares)

    def rest_of_chance(self, variances: Floats) -> float:
        """The mean squared size of the `rest` of noise with these variances."""
        reach = self.edges @ self.inner
        own = self.after * (reach * self.edges).sum(axis=1) * self.before
        return float(variances @ (1 - 2 * own + self._squares))

    @cached_property
    def _sparse(self) -> Any:
        """The edges without their zeros: of each row all but two are."""
        from scipy.sparse import csr_array

        return csr_array(self.edges)

    @cached_property
    def _squares(self) -> Floats:
        """The squared lengths of the columns of the map as a matrix."""
        reach = self.edges @ self.inner
        sizes = self.edges.T @ (self.edges * (self.after**2)[:, None])
        return np.asarray(((reach @ sizes) * reach).sum(axis=1) * self.before**2)


def _edges(players: int, pairings: Sequence[RatedPairing]) -> Floats:
    edges = np.zeros((len(pairings), players))
    for k, pairing in enumerate(pairings):
        edges[k, pairing.a] += 1
        edges[k, pairing.b] -= 1
    return edges


def _inside(pairing: RatedPairing) -> float:
    """A score that a finite rating explains."""
    edge = 1 / (2 * pairing.games + 2)
    return min(1 - edge, max(edge, pairing.score))


def _noise(pairing: RatedPairing) -> float:
    """The variance of a score, never 0: unanimous games leave half a game of doubt."""
    edge = 1 / (2 * pairing.games + 2)
    return max(pairing.variance, edge * (1 - edge) / pairing.games)


def _estimate(value: float, variance: float, games: float) -> Estimate:
    reach = NormalDist().inv_cdf(0.975) * sqrt(max(0.0, variance)) * ELO
    middle = float(value) * ELO
    return Estimate(middle, Interval(middle - reach, middle + reach), int(games))


def _cycles(
    edges: Floats,
    scores: Floats,
    noise: Floats,
    freedom: Floats,
    seed: int,
) -> Estimate:
    """The share of the squared log-odds that differences of ratings cannot make.

    Its interval goes from the least that circles may make, with the most of all else,
    to the most with the least.
    """
    odds = np.log(scores / (1 - scores))
    variances = noise / (scores * (1 - scores)) ** 2
    even = np.ones(len(odds))
    straight = _Fit(
        edges, np.asarray(np.linalg.pinv(edges.T @ edges), float), even, even
    )
    circles = squared_size(
        odds,
        straight.rest,
        straight.rest_of_chance(variances),
        variances,
        freedom,
        seed=seed,
    )
    rest = squared_size(
        odds, straight.of, straight.of_chance(variances), variances, freedom, seed=seed
    )
    return _share_of(circles, rest)


def _parts(
    bases: Sequence[Floats],
    fit: _Fit,
    values: Floats,
    *,
    noise: Floats,
    freedom: Floats,
    seed: int,
) -> Iterator[Estimate]:
    """The share of the squared ratings that each basis makes; a column is one rating.

    Near its solution the fit is linear, so ratings are a linear map of scores; `values`
    are those of which it makes just these ratings. The interval of a share goes from
    the least that it may be, with the most of the others, to the most with the least.
    """
    players = fit.edges.shape[1]
    ratings = fit.inner @ (fit.edges * fit.before[:, None]).T
    whole = np.eye(players) - 1 / players
    for basis in bases:
        onto = basis @ np.linalg.pinv(basis, rcond=_PRECISION)
        sizes = []
        for space in (onto, whole - onto):
            reach = space @ ratings
            sizes.append(
                squared_size(
                    values,
                    partial(_mapped_rows, reach),
                    float((reach**2 @ noise).sum()),
                    noise,
                    freedom,
                    seed=seed,
                )
            )
        yield _share_of(*sizes)


def _mapped_rows(matrix: Floats, rows: Floats) -> Floats:
    return np.asarray(rows @ matrix.T)


def _share_of(part: Estimate, rest: Estimate) -> Estimate:
    """The share of a part in the whole, its interval as wide as both may be."""
    return Estimate(
        _share(part.value, rest.value),
        Interval(
            _share(part.interval.low, rest.interval.high),
            _share(part.interval.high, rest.interval.low),
        ),
        0,
    )


def _share(part: float, rest: float) -> float:
    return part / (part + rest) if part > _PRECISION else 0.0


def _mapped(what: Callable[[float], float], estimate: Estimate) -> Estimate:
    low, high = map(what, estimate.interval)
    return Estimate(what(estimate.value), Interval(low, high), estimate.games)


def _connected(players: int, pairings: Sequence[RatedPairing]) -> bool:
    groups = list(range(players))
    for pairing in pairings:
        old, new = groups[pairing.b], groups[pairing.a]
        if old != new:
            groups = [new if group == old else group for group in groups]
    return len(set(groups)) <= 1
