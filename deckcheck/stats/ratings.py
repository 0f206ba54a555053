"""Ratings: a number for each player from win rates, and how well the numbers fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck.stats.bootstrap import estimate_share, map_estimate, squared_size
from deckcheck.stats.combinations import Estimate
from deckcheck.stats.intervals import DEFAULT_LEVEL, Interval, student_quantile
from deckcheck.stats.strengths import ELO, FAR_STRENGTH, Wins
from deckcheck.stats.weighted_sums import Floats

_SINGULAR_SIZE = 1e-12
"""The least size of a singular value, relative to the largest, that is not 0."""


@dataclass(frozen=True, slots=True)
class RatedPairing:
    """The games of players `a` and `b`."""

    a: int
    b: int
    score: float
    """The mean score of `a`, 0 to 1."""
    variance: float
    """The variance of that mean, 0 or more."""
    games: int
    """The number of games, 1 or more."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings in Elo with their 95% intervals. The mean of the rated players is 0.

    The rated players are the largest group in which a path of wins, or draws, leads
    from each player to each other. The games of the other players do not change these
    ratings, and bound the rating of such a player on a single side. The other end of
    the interval is infinite, and both are if a player met no rated player.

    Unless all players are rated nothing is known of groups.
    """

    ratings: tuple[Estimate, ...]
    """The rating of each player, in Elo."""
    expected: tuple[float, ...]
    """The score that the ratings expect of each pairing, NaN if a player is unrated."""
    misfit: Estimate
    """The root mean square of the error of the ratings, in points of the score.

    The part that chance alone would make is subtracted.
    """
    cycles: Estimate
    """The share, 0 to 1, of the differences between players that no ratings can show.

    It is the curl of the log-odds, less the part that chance would make.
    """
    groups: tuple[tuple[Estimate, ...], ...]
    """The mean ratings of the groups of each grouping."""
    parts: tuple[Estimate, ...]
    """The share, 0 to 1, of the squared differences that each grouping explains.

    The part of chance is subtracted. The last share is that of no grouping.
    """


ANY_STRENGTH = Estimate(nan, Interval(-inf, inf), 0)
"""The rating of a player of whom nothing is known."""
ANY_PART = Estimate(0.0, Interval(0.0, 1.0), 0)
"""A share of which nothing is known."""


def bradley_terry(
    players: int,
    pairings: Sequence[RatedPairing],
    seed: int = 1,
    groupings: Sequence[Sequence[int]] = (),
) -> Ratings:
    """Return the ratings that explain the scores of `pairings` best.

    They maximise a quasi-likelihood, in which the games of a pairing count for as many
    independent games as their variance implies. The interval of a rating holds each
    value that the score test does not reject, with the likeliest ratings of all others.
    For two players it is Wilson's interval. The intervals of `misfit` and `cycles` are
    drawn with `seed`, see `squared_size`.

    >>> games = RatedPairing(a=0, b=1, score=0.6, variance=0.0024, games=100)
    >>> first, second = bradley_terry(2, [games]).ratings
    >>> round(first.value), round(second.value)
    (35, -35)

    A grouping has the group of each player, from 0. `parts` add up if each group of a
    grouping has as many players of each group of another. Raises ValueError when
    players have not met, directly or through others.

    Source: R. A. Bradley and M. E. Terry (1952), Rank analysis of incomplete block
    designs, Biometrika 39. L. R. Ford (1957), Solution of a ranking problem from binary
    comparisons, American Mathematical Monthly 64, for the condition on the rated
    players. D. D. Boos (1992), On generalized score tests, The American Statistician
    46. For the cycles X. Jiang et al. (2011), Statistical ranking and combinatorial
    Hodge theory, Mathematical Programming 127.
    """
    _check_that_all_met(players, pairings)
    rated = _find_rated(players, pairings)
    index = {player: i for i, player in enumerate(rated)}
    rated_pairings = _renumber(pairings, index)
    result = _rate_nobody(players, len(pairings), groupings)
    if not rated_pairings:
        return result
    field = _Field.of(len(rated), list(rated_pairings.values()))
    ratings = list(result.ratings)
    for player, rating in zip(rated, field.rate(np.eye(len(rated))), strict=True):
        ratings[player] = rating
    for player in range(players):
        if player not in index:
            ratings[player] = field.rate_outsider(player, index, pairings)
    expected = list(result.expected)
    for k, score in zip(rated_pairings, field.expected.tolist(), strict=True):
        expected[k] = score
    result = replace(
        result,
        ratings=tuple(ratings),
        expected=tuple(expected),
        misfit=_estimate_misfit(field, seed),
        cycles=_estimate_cycles(field, seed),
    )
    if len(rated) < players or not groupings:
        return result
    groups = []
    bases = []
    for grouping in groupings:
        means = _average_groups(players, grouping)
        groups.append(tuple(field.rate(means)))
        bases.append(_centre_groups(means))
    bases.append(_find_rest(players, bases))
    parts = tuple(_estimate_parts(bases, field, seed))
    return replace(result, groups=tuple(groups), parts=parts)


def _rate_nobody(
    players: int, pairings: int, groupings: Sequence[Sequence[int]]
) -> Ratings:
    """Return the result if no player can be rated."""
    groups = [(ANY_STRENGTH,) * (max(grouping) + 1) for grouping in groupings]
    parts = (ANY_PART,) * (len(groupings) + 1)
    return Ratings(
        (ANY_STRENGTH,) * players,
        (nan,) * pairings,
        misfit=ANY_PART,
        cycles=ANY_PART,
        groups=tuple(groups),
        parts=parts if groupings else (),
    )


def _renumber(
    pairings: Sequence[RatedPairing], index: Mapping[int, int]
) -> dict[int, RatedPairing]:
    """Return the pairings of players in `index`, with these numbers of the players.

    The keys are the positions in `pairings`.
    """
    renumbered = {}
    for k, pairing in enumerate(pairings):
        if pairing.a in index and pairing.b in index:
            a, b = index[pairing.a], index[pairing.b]
            renumbered[k] = replace(pairing, a=a, b=b)
    return renumbered


def _check_that_all_met(players: int, pairings: Sequence[RatedPairing]) -> None:
    """Raise ValueError when players have not met, directly or through others."""
    meetings = [(pairing.a, pairing.b) for pairing in pairings]
    meetings += [(b, a) for a, b in meetings]
    if not _find_reached(players, meetings).all():
        raise ValueError("ratings need players that have met")


def _find_rated(players: int, pairings: Sequence[RatedPairing]) -> list[int]:
    """Return the largest group in which a path of wins leads from each to each.

    A draw is a win of both. Among groups of a size it is that with the most games.
    """
    won = []
    for p in pairings:
        if p.score > 0:
            won.append((p.a, p.b))
        if p.score < 1:
            won.append((p.b, p.a))
    reached = _find_reached(players, won)
    same_group = reached & reached.T
    games = np.zeros(players)
    for p in pairings:
        if same_group[p.a, p.b]:
            games[[p.a, p.b]] += p.games

    def measure_group(player: int) -> tuple[float, float, int]:
        group = same_group[player]
        return group.sum(), group @ games, -player

    largest = max(range(players), key=measure_group)
    return [int(player) for player in np.flatnonzero(same_group[largest])]


def _find_reached(
    players: int, steps: Sequence[tuple[int, int]]
) -> npt.NDArray[np.bool_]:
    """Return which players each player reaches by any number of these steps."""
    reached = np.eye(players, dtype=bool)
    for start, end in steps:
        reached[start, end] = True
    for middle in range(players):
        reached |= np.outer(reached[:, middle], reached[middle])
    return reached


_DOUBT_GAMES = 50.0
"""The games, times wins and losses, at which a variance is half the pooled variance."""
_PRIOR_GAMES = 4.0
"""The games at which the pooled variance is half the variance of independent games."""


@dataclass(frozen=True)
class _Field:
    """Players who can all be rated, and their results."""

    edges: Floats
    """A row for each pairing, with 1 for its first player and -1 for its second."""
    scores: Floats
    """The mean score of the first player of each pairing, 0 to 1."""
    games: Floats
    """The number of games of each pairing."""
    seen: Floats
    """The observed variance of the sum of each pairing's scores."""
    worth: Floats
    """The number of independent games that each pairing is worth."""
    strengths: Floats
    """The strengths in log-odds, with a mean of 0."""
    spread: float
    """The variance of all games, relative to that of independent games."""

    @classmethod
    def of(cls, players: int, pairings: Sequence[RatedPairing]) -> _Field:
        """Fit the likeliest strengths, and their variances."""
        edges = _make_edges(players, pairings)
        scores = np.array([pairing.score for pairing in pairings])
        games = np.array([pairing.games for pairing in pairings], float)
        seen = games**2 * np.array([pairing.variance for pairing in pairings])
        # Observed variances are compared with the variances that measured scores imply.
        # With the scores that strengths imply, pairings without an upset would seem to
        # vary less, and would count for more. Where strengths explain little, intervals
        # are wider for this choice.
        independent = games * scores * (1 - scores)
        spread = (seen.sum() + _PRIOR_GAMES) / (independent.sum() + _PRIOR_GAMES)
        worth = games * (independent + _DOUBT_GAMES) / (seen + _DOUBT_GAMES * spread)
        strengths = Wins.of(edges, scores, worth).fit_strengths()
        return cls(edges, scores, games, seen, worth, strengths, float(spread))

    @cached_property
    def expected(self) -> Floats:
        """The scores that the strengths imply."""
        return np.asarray(1 / (1 + np.exp(-self.edges @ self.strengths)))

    @cached_property
    def noise(self) -> Floats:
        """The variances of the scores: as seen, or as expected after few games."""
        independent = self.games * self.expected * (1 - self.expected)
        expected = self.spread * independent
        part = independent / (independent + _DOUBT_GAMES)
        return np.asarray((expected + part * (self.seen - expected)) / self.games**2)

    @property
    def freedom(self) -> Floats:
        """The degrees of freedom of each variance: pairs of games, less one."""
        return np.maximum(1.0, self.games / 2 - 1)

    @property
    def reach(self) -> float:
        """The standard errors from a rating to an end of its 95% interval."""
        return student_quantile(DEFAULT_LEVEL, float(self.freedom.sum()))

    @cached_property
    def fit(self) -> _Fit:
        """The map from scores to those that ratings explain, near the strengths."""
        slope = self.expected * (1 - self.expected)
        information = self.edges.T @ (self.edges * (self.worth * slope)[:, None])
        inner = np.asarray(np.linalg.pinv(information), float)
        return _Fit(self.edges, inner, before=self.worth, after=slope)

    def rate(self, rows: Floats) -> Iterator[Estimate]:
        """Yield the mean rating of some players for each row of their weights."""
        wins = Wins.of(self.edges, self.scores, self.worth)
        contrasts = rows - 1 / len(self.strengths)
        lows = wins.find_ends(self.strengths, contrasts, -self.reach).tolist()
        highs = wins.find_ends(self.strengths, contrasts, self.reach).tolist()
        played = np.abs(self.edges).T @ self.games
        for row, low, high in zip(rows, lows, highs, strict=True):
            value = ELO * float(row @ self.strengths)
            games = int((row > 0) @ played)
            yield Estimate(value, Interval(min(value, low), max(value, high)), games)

    def rate_outsider(
        self, player: int, index: Mapping[int, int], pairings: Sequence[RatedPairing]
    ) -> Estimate:
        """Return the rating of a player who won, or lost, all games with the rated."""
        last = len(self.strengths)
        pairings_of_player = [p for p in pairings if player in (p.a, p.b)]
        met_pairings = list(
            _renumber(pairings_of_player, {**index, player: last}).values()
        )
        if not met_pairings:
            return ANY_STRENGTH
        edges = np.pad(self.edges, ((0, 0), (0, 1)))
        games = np.array([pairing.games for pairing in met_pairings], float)
        wins = Wins.of(
            np.vstack([edges, _make_edges(last + 1, met_pairings)]),
            np.append(self.scores, [pairing.score for pairing in met_pairings]),
            np.append(self.worth, games / self.spread),
        )
        # Everything was won or everything lost, so the first pairing decides.
        first = met_pairings[0]
        score = first.score if first.a == last else 1 - first.score
        side = 1 if score == 1 else -1
        contrast = np.append(np.full(last, -1 / last), 1.0)
        start = np.append(self.strengths, side * FAR_STRENGTH)
        [end] = wins.find_ends(start, contrast[None, :], -side * self.reach).tolist()
        interval = Interval(end, inf) if side == 1 else Interval(-inf, end)
        return Estimate(side * inf, interval, int(games.sum()))


def _average_groups(players: int, grouping: Sequence[int]) -> Floats:
    """Return a row for each group, with the weights of its players in a mean."""
    members = np.zeros((max(grouping) + 1, players))
    members[grouping, np.arange(players)] = 1
    return np.asarray(members / members.sum(axis=1, keepdims=True))


def _centre_groups(means: Floats) -> Floats:
    """Return a column for each group: ratings that differ between groups alone."""
    members = (means > 0).T.astype(float)
    return np.asarray(members - members.mean(axis=0))


def _find_rest(players: int, bases: Sequence[Floats]) -> Floats:
    """Return a basis of the ratings, with a mean of 0, that no given basis can show."""
    shown = np.hstack([np.ones((players, 1)), *bases])
    return np.asarray(np.eye(players) - _make_projection(shown))


def _make_projection(basis: Floats) -> Floats:
    """Return the matrix that projects on the columns of a basis."""
    return np.asarray(basis @ np.linalg.pinv(basis, rcond=_SINGULAR_SIZE))


@dataclass(frozen=True)
class _Fit:
    """The linear map from measured scores to the scores that their ratings explain.

    It is `after * edges @ inner @ edges.T * before`. As a matrix of all pairings it
    would fill the memory where many players meet.
    """

    edges: Floats
    inner: Floats
    """The covariance of ratings, the inverse of their information."""
    before: Floats
    """The factor of each measured score."""
    after: Floats
    """The factor of each difference of ratings."""

    def explain(self, scores: Floats) -> Floats:
        """Return the part of scores that ratings explain, a row for each vector."""
        ratings = (scores * self.before) @ self._sparse_edges @ self.inner
        firsts = self.edges.argmax(axis=1)
        seconds = self.edges.argmin(axis=1)
        return np.asarray((ratings[:, firsts] - ratings[:, seconds]) * self.after)

    def leave(self, scores: Floats) -> Floats:
        """Return the part that ratings do not explain, a row for each vector."""
        return np.asarray(scores - self.explain(scores))

    def expect_explained(self, variances: Floats) -> float:
        """Return the mean squared size of the part of noise that ratings explain."""
        return float(variances @ self._squares)

    def expect_left(self, variances: Floats) -> float:
        """Return the mean squared size of the part that ratings do not explain."""
        reach = self.edges @ self.inner
        diagonal = self.after * (reach * self.edges).sum(axis=1) * self.before
        return float(variances @ (1 - 2 * diagonal + self._squares))

    @cached_property
    def _sparse_edges(self) -> Any:
        """The edges without their zeros, since each row has only two other numbers."""
        from scipy.sparse import csr_array

        return csr_array(self.edges)

    @cached_property
    def _squares(self) -> Floats:
        """The squared lengths of the columns of the map as a matrix."""
        reach = self.edges @ self.inner
        sizes = self.edges.T @ (self.edges * (self.after**2)[:, None])
        return np.asarray(((reach @ sizes) * reach).sum(axis=1) * self.before**2)


def _make_edges(players: int, pairings: Sequence[RatedPairing]) -> Floats:
    """Return a row for each pairing, with 1 for the first player, -1 for the second."""
    edges = np.zeros((len(pairings), players))
    for k, pairing in enumerate(pairings):
        edges[k, pairing.a] += 1
        edges[k, pairing.b] -= 1
    return edges


def _estimate_misfit(field: _Field, seed: int) -> Estimate:
    """Estimate the root mean square, over pairings, of the errors of the ratings."""
    fit, noise = field.fit, field.noise
    errors = squared_size(
        field.scores - field.expected,
        fit.leave,
        fit.expect_left(noise),
        noise,
        field.freedom,
        seed=seed,
    )
    return map_estimate(lambda total: sqrt(total / len(field.scores)), errors)


def _estimate_cycles(field: _Field, seed: int) -> Estimate:
    """Estimate the share of the squared log-odds that no ratings can explain."""
    # If a player won all games, half a game is in doubt.
    edge = 1 / (2 * field.games + 2)
    scores = np.minimum(1 - edge, np.maximum(edge, field.scores))
    odds = np.log(scores / (1 - scores))
    variances = field.noise / (scores * (1 - scores)) ** 2
    inner = np.asarray(np.linalg.pinv(field.edges.T @ field.edges), float)
    even = np.ones(len(odds))
    fit = _Fit(field.edges, inner, before=even, after=even)
    left = fit.expect_left(variances)
    cycles = squared_size(odds, fit.leave, left, variances, field.freedom, seed=seed)
    explained = squared_size(
        odds,
        fit.explain,
        fit.expect_explained(variances),
        variances,
        field.freedom,
        seed=seed,
    )
    return estimate_share(cycles, explained)


def _estimate_parts(
    bases: Sequence[Floats], field: _Field, seed: int
) -> Iterator[Estimate]:
    """Yield the share of the squared ratings that each basis explains.

    A column of a basis is a rating. Near its solution the fit is linear, so ratings are
    a linear map of scores, and `values` are the scores that it maps to these ratings.
    """
    fit = field.fit
    players = len(field.strengths)
    values = fit.after * (fit.edges @ field.strengths) + field.scores - field.expected
    ratings = fit.inner @ (fit.edges * fit.before[:, None]).T
    whole = np.eye(players) - 1 / players
    for basis in bases:
        onto = _make_projection(basis)
        part = _measure_part(values, onto @ ratings, field, seed)
        rest = _measure_part(values, (whole - onto) @ ratings, field, seed)
        yield estimate_share(part, rest)


def _measure_part(values: Floats, matrix: Floats, field: _Field, seed: int) -> Estimate:
    """Return the squared size of scores `values` mapped to ratings by a matrix."""
    return squared_size(
        values,
        lambda rows: np.asarray(rows @ matrix.T),
        float((matrix**2 @ field.noise).sum()),
        field.noise,
        field.freedom,
        seed=seed,
    )
