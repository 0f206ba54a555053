"""Ratings: a number for each player from win rates, how well they fit, and levels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf, log, nan, sqrt
from statistics import NormalDist
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from deckcheck.stats.combinations import Estimate
from deckcheck.stats.intervals import DEFAULT_LEVEL, Interval, student_quantile
from deckcheck.stats.weighted_sums import Floats

K = TypeVar("K", bound=Hashable)

ELO = 400 / log(10)
"""Points of Elo for one unit of the logistic function."""

_MAX_STEPS = 100
_MAX_STRIDE = 1.0  # in log-odds, so that no step goes far beyond the solution
_RIDGE = 1e-7
_BOUND_TOLERANCE = 1e-9
_FIT_TOLERANCE = 1e-12


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
    groups: tuple[tuple[Estimate, ...], ...] = ()
    """The mean ratings of the groups of each grouping."""
    parts: tuple[Estimate, ...] = ()
    """The share, 0 to 1, of the squared differences that each grouping explains.

    The part of chance is subtracted. The last share is that of no grouping.
    """


ANY_STRENGTH = Estimate(nan, Interval(-inf, inf), 0)
ANY_PART = Estimate(0.0, Interval(0.0, 1.0), 0)


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
    if not _find_reached(players, [(p.a, p.b) for p in pairings], symmetric=True).all():
        raise ValueError("ratings need players that have met")
    rated = _find_rated(players, pairings)
    index = {player: i for i, player in enumerate(rated)}
    inside = [k for k, p in enumerate(pairings) if p.a in index and p.b in index]
    unrated = _rate_nobody(players, len(pairings), groupings)
    if not inside:
        return unrated
    met_pairings = [pairings[k] for k in inside]
    renumbered = [replace(p, a=index[p.a], b=index[p.b]) for p in met_pairings]
    field = _Field.of(len(rated), renumbered)
    ratings = list(unrated.ratings)
    expected = list(unrated.expected)
    groups = unrated.groups
    parts = unrated.parts
    for player, rating in zip(rated, field.means(np.eye(len(rated))), strict=True):
        ratings[player] = rating
    for player in set(range(players)) - set(rated):
        ratings[player] = field.rate_outsider(player, index, pairings)
    for k, share in zip(inside, field.expected, strict=True):
        expected[k] = float(share)
    if len(rated) == players and groupings:
        means = [_group_means(players, each) for each in groupings]
        groups = tuple(tuple(field.means(each)) for each in means)
        bases = [_centre_groups(players, each) for each in groupings]
        bases.append(_find_rest(players, bases))
        parts = tuple(_estimate_parts(bases, field, seed))
    return Ratings(
        ratings=tuple(ratings),
        expected=tuple(expected),
        misfit=_estimate_misfit(field, seed),
        cycles=_estimate_cycles(field, seed),
        groups=groups,
        parts=parts,
    )


def _estimate_misfit(field: _Field, seed: int) -> Estimate:
    """Estimate the root mean square, over pairings, of the errors of the ratings."""
    fit = field.fit
    missed = squared_size(
        field.scores - field.expected,
        fit.rest,
        fit.expect_rest(field.noise),
        field.noise,
        field.freedom,
        seed=seed,
    )
    return map_estimate(lambda total: sqrt(total / len(field.scores)), missed)


def _rate_nobody(
    players: int, pairings: int, groupings: Sequence[Sequence[int]]
) -> Ratings:
    """Return the result if no player can be rated."""
    return Ratings(
        (ANY_STRENGTH,) * players,
        (nan,) * pairings,
        misfit=ANY_PART,
        cycles=ANY_PART,
        groups=tuple((ANY_STRENGTH,) * (max(each) + 1) for each in groupings),
        parts=(ANY_PART,) * (len(groupings) + 1 if groupings else 0),
    )


def _find_rated(players: int, pairings: Sequence[RatedPairing]) -> list[int]:
    """Return the largest group of players who won from each other, even indirectly."""
    won = [(p.a, p.b) for p in pairings if p.score > 0]
    won += [(p.b, p.a) for p in pairings if p.score < 1]
    reached = _find_reached(players, won)
    both = reached & reached.T
    games = np.zeros(players)
    for p in pairings:
        if both[p.a, p.b]:
            games[[p.a, p.b]] += p.games
    best = max(range(players), key=lambda i: (both[i].sum(), both[i] @ games, -i))
    return [int(i) for i in np.flatnonzero(both[best])]


def _find_reached(
    players: int, steps: Sequence[tuple[int, int]], *, symmetric: bool = False
) -> npt.NDArray[np.bool_]:
    """Return which players each player reaches by these steps, or by none."""
    reached = np.eye(players, dtype=bool)
    for a, b in steps:
        reached[a, b] = True
        reached[b, a] |= symmetric
    for i in range(players):
        reached |= np.outer(reached[:, i], reached[i])
    return reached


_DOUBT_GAMES = 50.0
"""The games, times wins and losses, at which a variance is half the pooled variance."""
_PRIOR_GAMES = 4.0
"""The games at which the pooled variance is half the variance of independent games."""
_FAR_STRENGTH = 20.0
"""A strength, in log-odds, from which nobody ever wins."""
_CELLS_AT_ONCE = 2**21
"""The most values that are solved for at once, which bounds the memory."""


@dataclass(frozen=True)
class _Field:
    """Players who can all be rated, and their results."""

    edges: Floats
    """A row of 1 and -1 for each pairing."""
    scores: Floats
    games: Floats
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
        wins = _Wins.of(edges, scores, worth)
        strengths = wins.likeliest(np.zeros((1, players)))
        return cls(edges, scores, games, seen, worth, strengths[0], float(spread))

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
        """The quantile of a 95% interval."""
        return student_quantile(DEFAULT_LEVEL, float(self.freedom.sum()))

    @cached_property
    def fit(self) -> _Fit:
        """Scores as ratings make them, near the strengths."""
        slope = self.expected * (1 - self.expected)
        information = self.edges.T @ (self.edges * (self.worth * slope)[:, None])
        return _Fit(
            self.edges,
            np.asarray(np.linalg.pinv(information), float),
            self.worth,
            slope,
        )

    def means(self, rows: Floats) -> Iterator[Estimate]:
        """Yield the mean of ratings for each row of weights."""
        wins = _Wins.of(self.edges, self.scores, self.worth)
        contrasts = rows - 1 / len(self.strengths)
        low = wins.ends(self.strengths, contrasts, -self.reach)
        high = wins.ends(self.strengths, contrasts, self.reach)
        played = np.abs(self.edges).T @ self.games
        for row, first, last in zip(rows, low.tolist(), high.tolist(), strict=True):
            value = ELO * float(row @ self.strengths)
            games = int((row > 0) @ played)
            ends = Interval(min(value, first), max(value, last))
            yield Estimate(value, ends, games)

    def rate_outsider(
        self, player: int, index: Mapping[int, int], pairings: Sequence[RatedPairing]
    ) -> Estimate:
        """Return the rating of a player who won, or lost, all games with the rated."""
        edges = np.pad(self.edges, ((0, 0), (0, 1)))
        last = len(self.strengths)
        index = {**index, player: last}
        met_pairings = []
        for p in pairings:
            if player in (p.a, p.b) and p.a in index and p.b in index:
                met_pairings.append(replace(p, a=index[p.a], b=index[p.b]))
        if not met_pairings:
            return ANY_STRENGTH
        games = np.array([pairing.games for pairing in met_pairings], float)
        wins = _Wins.of(
            np.vstack([edges, _make_edges(last + 1, met_pairings)]),
            np.append(self.scores, [pairing.score for pairing in met_pairings]),
            np.append(self.worth, games / self.spread),
        )
        # Everything was won or everything lost, so the first pairing decides.
        is_first_named = met_pairings[0].a == last
        has_won = met_pairings[0].score == (1 if is_first_named else 0)
        side = 1 if has_won else -1
        contrast = np.append(np.full(last, -1 / last), 1.0)
        start = np.append(self.strengths, side * _FAR_STRENGTH)
        [end] = wins.ends(start, contrast[None, :], -side * self.reach).tolist()
        ends = Interval(end, inf) if has_won else Interval(-inf, end)
        return Estimate(side * inf, ends, int(games.sum()))


@dataclass(frozen=True)
class _Wins:
    """Independent games between each pair of players, and the wins of each player."""

    games: Floats
    won: Floats

    @classmethod
    def of(cls, edges: Floats, scores: Floats, games: Floats) -> _Wins:
        """Count the games of each row of `edges`, with its first player's score."""
        firsts, seconds = edges.argmax(axis=1), edges.argmin(axis=1)
        counts = np.zeros((edges.shape[1],) * 2)
        np.add.at(counts, (firsts, seconds), games)
        won = edges.clip(0).T @ (games * scores) - edges.clip(max=0).T @ (
            games * (1 - scores)
        )
        return cls(counts + counts.T, won)

    def likeliest(self, start: Floats) -> Floats:
        """Return the strengths that explain the games best, in a row."""
        free = np.zeros((1, len(self.won)))
        return self._fit_constrained(start, free, np.zeros(1))[0]

    def _fit_constrained(
        self, strengths: Floats, contrasts: Floats, values: Floats
    ) -> tuple[Floats, Floats]:
        """Fit for each value the likeliest strengths whose contrast has that value.

        Also returns the roots of the score statistics: how many of their standard
        errors the contrasts are above the likeliest values.
        """
        # With more games than can be played, rounding would lose the term added here.
        scale = max(1.0, float(self.games.max()) * _RIDGE**2)
        for _ in range(_MAX_STEPS):
            apart = strengths[:, :, None] - strengths[:, None, :]
            odds = apart.clip(-2 * _FAR_STRENGTH, 2 * _FAR_STRENGTH)
            expected = 1 / (1 + np.exp(-odds))
            slope = self.won - (self.games * expected).sum(axis=2)
            information = -self.games * expected * (1 - expected)
            places = np.arange(len(self.won))
            # A step that went too far, where nobody ever loses, comes back.
            information[:, places, places] -= information.sum(axis=2) - _RIDGE * scale
            # Strengths are known except for their mean.
            information += scale / len(self.won)
            sides = np.stack([slope, contrasts], axis=2)
            free, bound = np.moveaxis(np.linalg.solve(information, sides), 2, 0)
            variance = (contrasts * bound).sum(axis=1)
            missing = values - (contrasts * (strengths + free)).sum(axis=1)
            pull = missing / np.where(variance > 0, variance, 1.0)
            step = free + pull[:, None] * bound
            size = np.abs(step).max()
            stride = min(1.0, _MAX_STRIDE / max(size, _FIT_TOLERANCE))
            strengths = strengths + step * stride
            if size < _BOUND_TOLERANCE:
                break
        return strengths, pull * np.sqrt(variance)

    def ends(self, start: Floats, contrasts: Floats, reach: float) -> Floats:
        """Return the contrasts, in Elo, `reach` standard errors above the likeliest.

        `start` are strengths with a smaller distance.
        """
        step = max(1, _CELLS_AT_ONCE // len(start) ** 2)
        parts = [contrasts[i : i + step] for i in range(0, len(contrasts), step)]
        return np.concatenate([self._ends(start, part, reach) for part in parts])

    def _ends(self, start: Floats, contrasts: Floats, reach: float) -> Floats:
        """Find the ends by doubled steps, then by false position (Illinois)."""
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
            near, below = np.where(above < 0, (far, above), (near, below))
            step *= 2
        for turn in range(_MAX_STEPS):
            is_halved = turn % 3 == 2
            part = 0.5 if is_halved else below / (below - above)
            middle = near + part * (far - near)
            strengths, roots = self._fit_constrained(strengths, contrasts, middle)
            missed = np.abs(roots) - abs(reach)
            is_below = missed < 0
            near, below = np.where(is_below, (middle, missed), (near, below))
            far, above = np.where(is_below, (far, above), (middle, missed))
            if np.minimum(np.abs(missed), np.abs(far - near)).max() < _BOUND_TOLERANCE:
                break
        return ELO * np.asarray(middle)


def _group_means(players: int, groups: Sequence[int]) -> Floats:
    """Return a row for each group, with the weights of its players."""
    members = np.zeros((max(groups) + 1, players))
    members[groups, np.arange(players)] = 1
    return np.asarray(members / members.sum(axis=1, keepdims=True))


def _centre_groups(players: int, groups: Sequence[int]) -> Floats:
    """Return a column for each group: ratings that differ between groups alone."""
    members = (_group_means(players, groups) > 0).T.astype(float)
    return np.asarray(members - members.mean(axis=0))


def _find_rest(players: int, bases: Sequence[Floats]) -> Floats:
    """Return a basis of the ratings, with a mean of 0, that no given basis can show."""
    shown = np.hstack([np.ones((players, 1)), *bases])
    return np.asarray(
        np.eye(players) - shown @ np.linalg.pinv(shown, rcond=_FIT_TOLERANCE)
    )


@dataclass(frozen=True)
class _Fit:
    """The scores that ratings make of measured scores, as a linear map.

    It is `after * edges @ inner @ edges.T * before`. As a matrix of all pairings it
    would fill the memory where many players meet.
    """

    edges: Floats
    inner: Floats
    before: Floats
    after: Floats

    def of(self, scores: Floats) -> Floats:
        """Map scores, a row for each vector, to the scores of the ratings."""
        ratings = (scores * self.before) @ self._sparse @ self.inner
        firsts = self.edges.argmax(axis=1)
        seconds = self.edges.argmin(axis=1)
        return np.asarray((ratings[:, firsts] - ratings[:, seconds]) * self.after)

    def rest(self, scores: Floats) -> Floats:
        """Return the errors of the ratings for scores, a row for each vector."""
        return np.asarray(scores - self.of(scores))

    def of_chance(self, variances: Floats) -> float:
        """Return the mean squared size of the map of noise with these variances."""
        return float(variances @ self._squares)

    def expect_rest(self, variances: Floats) -> float:
        """Return the mean squared size of the errors for noise with these variances."""
        reach = self.edges @ self.inner
        diagonal = self.after * (reach * self.edges).sum(axis=1) * self.before
        return float(variances @ (1 - 2 * diagonal + self._squares))

    @cached_property
    def _sparse(self) -> Any:
        """The edges without their zeros, as each row has two other numbers."""
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


def _estimate_cycles(field: _Field, seed: int) -> Estimate:
    """Estimate the share of the squared log-odds that no ratings can explain."""
    # If a player won all games, half a game is in doubt.
    edge = 1 / (2 * field.games + 2)
    scores = np.minimum(1 - edge, np.maximum(edge, field.scores))
    odds = np.log(scores / (1 - scores))
    variances = field.noise / (scores * (1 - scores)) ** 2
    edges = field.edges
    even = np.ones(len(odds))
    inner = np.asarray(np.linalg.pinv(edges.T @ edges), float)
    fit = _Fit(edges, inner, even, even)
    estimate = partial(
        squared_size, odds, variances=variances, freedom=field.freedom, seed=seed
    )
    cycles = estimate(project=fit.rest, by_chance=fit.expect_rest(variances))
    rest = estimate(project=fit.of, by_chance=fit.of_chance(variances))
    return _estimate_share(cycles, rest)


def _estimate_parts(
    bases: Sequence[Floats], field: _Field, seed: int
) -> Iterator[Estimate]:
    """Yield the share of the squared ratings that each basis explains.

    A column of a basis is a rating. Near its solution the fit is linear, so ratings are
    a linear map of scores, and `values` are the scores that it maps to these ratings.
    """
    fit = field.fit
    noise = field.noise
    players = len(field.strengths)
    values = fit.after * (fit.edges @ field.strengths) + field.scores - field.expected
    ratings = fit.inner @ (fit.edges * fit.before[:, None]).T
    whole = np.eye(players) - 1 / players
    for basis in bases:
        onto = basis @ np.linalg.pinv(basis, rcond=_FIT_TOLERANCE)
        sizes = []
        for space in (onto, whole - onto):
            reach = space @ ratings
            project = partial(_map_rows, reach)
            by_chance = float((reach**2 @ noise).sum())
            size = squared_size(
                values, project, by_chance, noise, field.freedom, seed=seed
            )
            sizes.append(size)
        yield _estimate_share(*sizes)


def _map_rows(matrix: Floats, rows: Floats) -> Floats:
    """Return the matrix times each row."""
    return np.asarray(rows @ matrix.T)


def _estimate_share(part: Estimate, rest: Estimate) -> Estimate:
    """Return the share of a part in the whole, with the widest possible interval.

    Its ends are the least part with the most rest, and the most part with the least
    rest.
    """
    return Estimate(
        _share(part.value, rest.value),
        Interval(
            _share(part.interval.low, rest.interval.high),
            _share(part.interval.high, rest.interval.low),
        ),
        0,
    )


def _share(part: float, rest: float) -> float:
    """Return the share of a part, 0 for a part that is only an error of rounding."""
    return part / (part + rest) if part > _FIT_TOLERANCE else 0.0


def map_estimate(scale: Callable[[float], float], estimate: Estimate) -> Estimate:
    """Return an estimate on another scale, which rises with the old scale."""
    low, high = map(scale, estimate.interval)
    return Estimate(scale(estimate.value), Interval(low, high), estimate.games)


# Levels of several kinds at once, such as decks and the players who pilot them

_LEVEL_PRECISION = 1e-6
_HIDDEN = 1e-9
"""The squared part of a sum of levels that games may not show."""


@dataclass(frozen=True, slots=True)
class Levels(Generic[K]):
    """Levels in log-odds, with their covariance."""

    places: Mapping[K, int]
    """The row of each level."""
    values: Floats
    """The level of each row, in log-odds."""
    covariance: Floats
    """The covariance of the values."""
    hidden: Floats
    """The projection on the sums of levels that no games show."""

    def estimate(
        self, weights: Mapping[K, float], games: int, level: float = DEFAULT_LEVEL
    ) -> Estimate | None:
        """Return the sum of levels with these weights, or None if no games show it.

        `games` is the number behind it, and `level` the coverage of its interval.
        """
        row = np.zeros(len(self.values))
        for key, weight in weights.items():
            row[self.places[key]] += weight
        if row @ self.hidden @ row > _HIDDEN:
            return None
        deviation = sqrt(max(0.0, float(row @ self.covariance @ row)))
        reach = NormalDist().inv_cdf((1 + level) / 2) * deviation
        value = float(row @ self.values)
        return Estimate(value, Interval(value - reach, value + reach), games)

    def estimate_each(
        self, scores: Mapping[K, Sequence[float]], level: float = DEFAULT_LEVEL
    ) -> dict[K, Estimate]:
        """Return levels less their mean, for the largest group that games compare.

        `scores` has the scores of each level, of which only the number counts.
        """
        keys = list(scores)
        if not keys:
            return {}
        rows = [self.places[key] for key in keys]
        block = self.hidden[np.ix_(rows, rows)]
        shown = np.diag(block)[:, None] + np.diag(block) - 2 * block < _HIDDEN
        group = [keys[i] for i in np.flatnonzero(shown[shown.sum(axis=1).argmax()])]
        estimates: dict[K, Estimate] = {}
        if len(group) == 1:
            return estimates
        for key in group:
            weights = dict.fromkeys(group, -1 / len(group))
            weights[key] += 1
            found = self.estimate(weights, len(scores[key]), level)
            if found is not None:
                estimates[key] = found
        return estimates


def fit_levels(
    games: Iterable[Mapping[K, float]],
    scores: Sequence[float],
    offsets: Sequence[float] | None = None,
) -> Levels[K]:
    """Fit the levels whose sums explain the scores of games best.

    Each of `games` has 1 for each level of its first side, and -1 for each level of its
    second side. `scores` are the scores of the first side, 0 to 1. `offsets` are the
    known log-odds of each game, by default 0.

    No level is assumed to be near others. An assumed spread of players would lend a
    part of their strength to the decks that strong players prefer.

    Source: D. Firth (1993), Bias reduction of maximum likelihood estimates, Biometrika
    80, for many levels with few games each. G. Heinze and M. Schemper (2002), A
    solution to the problem of separation in logistic regression, Statistics in Medicine
    21, for levels that win all games.
    """
    places, rows, signs = _lay_out_levels(games)
    pairs = rows[:, :, None], rows[:, None, :]
    products = signs[:, :, None] * signs[:, None, :]
    measured = np.asarray(scores)
    values = np.zeros(len(places))
    known = np.zeros(len(rows)) if offsets is None else np.asarray(offsets)
    shared = np.zeros((len(places), len(places)))
    np.add.at(shared, pairs, products)
    sizes, vectors = np.linalg.eigh(shared)
    unseen = vectors[:, sizes < _HIDDEN * sizes[-1]]
    hidden = unseen @ unseen.T
    for _ in range(_MAX_STEPS):
        odds = known + (signs * values[rows]).sum(axis=1)
        expected = 1 / (1 + np.exp(-odds.clip(-2 * _FAR_STRENGTH, 2 * _FAR_STRENGTH)))
        worth = expected * (1 - expected)
        information = hidden.copy()
        curvature = hidden.copy()
        slope = 0 * values
        np.add.at(information, pairs, worth[:, None, None] * products)
        covariance = np.linalg.inv(information) - hidden
        # Without the leverage, levels with few games would be too far from each other.
        leverage = worth * (products * covariance[pairs]).sum(axis=(1, 2))
        surprise = measured - expected + leverage * (0.5 - expected)
        np.add.at(slope, rows, signs * surprise[:, None])
        worth *= 1 + leverage
        np.add.at(curvature, pairs, worth[:, None, None] * products)
        step = np.linalg.solve(curvature, slope)
        size = float(np.abs(step).max())
        values += step * min(1.0, _MAX_STRIDE / max(size, _FIT_TOLERANCE))
        if size < _LEVEL_PRECISION:
            break
    return Levels(places, values, np.asarray(covariance, float), hidden)


def _lay_out_levels(
    games: Iterable[Mapping[K, float]],
) -> tuple[dict[K, int], npt.NDArray[np.intp], Floats]:
    """Return the row of each level, and the rows and signs of levels in each game."""
    sides = list(games)
    keys = dict.fromkeys(key for side in sides for key in side)
    places = {key: row for row, key in enumerate(keys)}
    shape = len(sides), max(map(len, sides))
    rows = np.zeros(shape, np.intp)
    signs = np.zeros(shape)
    for i, side in enumerate(sides):
        rows[i, : len(side)] = [places[key] for key in side]
        signs[i, : len(side)] = list(side.values())
    return places, rows, signs


# The size of unexplained differences, less the part of chance

BOOTSTRAP_DRAWS = 1_000
_TAIL_SHARE = 0.025
_BISECTION_STEPS = 30
_MAX_CELLS = 2**18
"""The most values that are drawn at once, which bounds the memory."""


def squared_size(
    values: Floats,
    project: Callable[[Floats], Floats],
    by_chance: float,
    variances: Floats,
    freedom: Floats,
    *,
    seed: int = 1,
) -> Estimate:
    """Return the squared length of the projection of the true values.

    `values` are measured independently. Their `variances` are estimated with these
    degrees of `freedom`. `project` returns the projections of vectors, a row
    each, and `by_chance` is the squared length of a projection that chance alone would
    make, which is subtracted. The interval holds every length with which the measured
    length is not among the 2.5% largest or smallest of a parametric bootstrap, in
    which the projection has the measured direction. A length below the length from
    chance alone is reported as the latter, so that an interval is never narrow by luck.
    `games` is 0.

    Source: B. Efron and R. Tibshirani (1993), An introduction to the bootstrap, chapter
    12. G. Cowan, K. Cranmer, E. Gross and O. Vitells (2011), Power-constrained limits.
    """
    along = project(values[None, :])[0]
    length = float(along @ along)
    squares = np.empty(BOOTSTRAP_DRAWS)
    products = np.empty(BOOTSTRAP_DRAWS)
    chance = np.random.default_rng(seed)
    deviations = np.sqrt(variances)
    step = max(1, _MAX_CELLS // len(values))
    for first in range(0, BOOTSTRAP_DRAWS, step):
        part = slice(first, min(first + step, BOOTSTRAP_DRAWS))
        size = (part.stop - first, len(values))
        noise = project(chance.standard_t(freedom, size) * deviations)
        squares[part] = (noise**2).sum(axis=1)
        products[part] = 2 * noise @ along

    def draw_lengths(scale: float) -> Floats:
        return np.asarray(scale * scale * length + scale * products + squares)

    def reaches_low_end(scale: float) -> bool:
        return _quantile(draw_lengths(scale), 1 - _TAIL_SHARE) >= length

    def reaches_high_end(scale: float) -> bool:
        return _quantile(draw_lengths(scale), _TAIL_SHARE) >= max(length, by_chance)

    low = _find_least_scale(reaches_low_end) ** 2 * length
    high = _find_least_scale(reaches_high_end) ** 2 * length
    value = max(0.0, length - by_chance)
    return Estimate(value, Interval(min(low, value), max(high, value)), 0)


def _quantile(values: Floats, part: float) -> float:
    """Return the value below which this share of the values is."""
    position = round(part * (len(values) - 1))
    return float(np.partition(values, position)[position])


def _find_least_scale(holds: Callable[[float], bool]) -> float:
    """Return the least scale from which a condition holds at all scales."""
    if holds(0.0):
        return 0.0
    high = 1.0
    while not holds(high) and high < 2.0**_BISECTION_STEPS:
        high *= 2
    low = 0.0
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
