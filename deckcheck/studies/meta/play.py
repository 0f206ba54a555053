"""Recommended decks: the equilibrium of a field, ratings, and the best responses.

A field is a zero-sum game in which both players choose what they bring; a player
against itself wins half of the games.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deckcheck.findings import UsageError
from deckcheck.stats import Combination, Estimate, Interval, mean_of
from deckcheck.stats.equilibrium import (
    Matrix,
    equilibrium,
    payoffs_against,
    resampled_rates,
)
from deckcheck.stats.multiple import level_of
from deckcheck.stats.ratings import Pairing, Ratings, bradley_terry
from deckcheck.studies.meta.crossing import crossing_of, groupings_of
from deckcheck.studies.meta.field import Field, Met
from deckcheck.studies.meta.result import MetaPlayer, MetaResult

RESAMPLES = 400
FEWEST_PAIRS = 10
HALF = 0.5


def meta_of(
    field: Field,
    weights: Sequence[float] | None = None,
    *,
    seed: int = 1,
    resamples: int = RESAMPLES,
) -> MetaResult:
    """Return what to bring where the players of `field` are all that may come.

    `weights` say how often each of them comes, in any unit. The intervals of shares are
    drawn with `seed`. Raises UsageError for so few games that drawing them again
    says nothing of chance.
    """
    _check_games(field)
    rates = _rates(field)
    shares = _shares(field, rates, seed, resamples)
    payoffs = payoffs_against(rates, [share.value for share in shares])
    ratings = _ratings(field, seed)
    parts = None if weights is None else [w / sum(weights) for w in weights]
    players = []
    for i, name in enumerate(field.players):
        answer = field.players[_answer(rates, i)]
        against = None if parts is None else _expected(field, name, parts)
        players.append(
            MetaPlayer(
                name,
                shares[i],
                float(payoffs[i]),
                ratings.ratings[i],
                answer,
                field.rate(answer, name),
                None if parts is None else parts[i],
                None if against is None else against.estimate(),
                against,
            )
        )
    return MetaResult(
        field,
        tuple(players),
        ratings.misfit,
        ratings.cycles,
        _cycle(field),
        seed,
        resamples,
        crossing_of(field, ratings),
    )


def _check_games(field: Field) -> None:
    fewest = min(sum(met.scores) for met in field.met)
    if fewest < FEWEST_PAIRS:
        unit = "matches" if field.unit == "match" else "games"
        raise UsageError(
            f"{2 * fewest} {unit} of two {field.noun}s are too few to say what to "
            "bring",
            f"Play at least {2 * FEWEST_PAIRS} of every two: `deckcheck resume RUN "
            f"--games {2 * FEWEST_PAIRS}`",
        )


def _shares(field: Field, rates: Matrix, seed: int, resamples: int) -> list[Estimate]:
    """The shares of the equilibrium, and how they vary if the run is drawn again."""
    chance = np.random.default_rng(seed)
    scores = np.array([met.scores for met in field.met])
    best = equilibrium(rates).shares
    drawn = np.array(
        [
            equilibrium(_matrix(field, resampled_rates(scores, chance))).shares
            for _ in range(resamples)
        ]
    )
    lows, highs = np.percentile(drawn, [2.5, 97.5], axis=0)
    games = sum(met.share.games for met in field.met)
    # The best guess belongs to its interval, though percentiles alone may miss it.
    return [
        Estimate(share, Interval(min(share, low), max(share, high)), games)
        for share, low, high in zip(
            best, map(float, lows), map(float, highs), strict=True
        )
    ]


def _rates(field: Field) -> Matrix:
    return _matrix(field, np.array([met.share.value for met in field.met]))


def _matrix(field: Field, rates: Matrix) -> Matrix:
    """The win rates of the rows against the columns, from those of each meeting."""
    matrix = np.full((len(field.players), len(field.players)), HALF)
    rows, columns = field.places
    matrix[rows, columns] = rates
    matrix[columns, rows] = 1 - rates
    return matrix


def _ratings(field: Field, seed: int) -> Ratings:
    pairings = [
        Pairing(a, b, met.share.value, _variance(met), met.share.games)
        for met, a, b in zip(field.met, *field.places, strict=True)
    ]
    groupings = groupings_of(field.crossing) if field.crossing else ()
    return bradley_terry(len(field.players), pairings, seed, groupings)


def _variance(met: Met) -> float:
    """The variance of the mean score, from that of the pairs."""
    values = np.linspace(0, 1, len(met.scores))
    pairs = sum(met.scores)
    mean = met.share.value
    spread = float(met.scores @ (values - mean) ** 2) / pairs
    return spread / max(1, pairs - 1)


def _answer(rates: Matrix, player: int) -> int:
    """Who does best against a player; the first named of equals."""
    others = rates[:, player].copy()
    others[player] = -1.0
    return int(others.argmax())


def _expected(field: Field, player: str, parts: Sequence[float]) -> Combination:
    even = Combination(constant=HALF)
    shares = [
        even if name == player else field.share(player, name) for name in field.players
    ]
    return mean_of(shares, parts)


def _cycle(field: Field) -> tuple[str, ...]:
    """The clearest circle of three, each beating the next; empty if there is none.

    The intervals of all win rates hold together, since the circle is chosen among many.
    """
    level, names = level_of(len(field.met)), field.players
    lows = np.zeros((len(names), len(names)))
    for met, *places in zip(field.met, *field.places, strict=True):
        # Who wins no more than half beats nobody, whatever the interval.
        is_ahead = met.share.value > HALF
        share = met.share if is_ahead else met.share.opposite()
        winner, loser = places if is_ahead else places[::-1]
        lows[winner, loser] = share.interval(level).low
    best = HALF
    cycle: tuple[str, ...] = ()
    for a, name in enumerate(names):
        # A circle begins with the first of its names.
        rest = np.array([i for i, other in enumerate(names) if other > name], np.intp)
        if not len(rest):
            continue
        steps = np.minimum(lows[np.ix_(rest, rest)], lows[a, rest][:, None])
        steps = np.minimum(steps, lows[rest, a])
        if steps.max() > best:
            best = float(steps.max())
            b, c = np.unravel_index(steps.argmax(), steps.shape)
            cycle = (name, names[rest[b]], names[rest[c]])
    return cycle
