"""Which lineups are best, by how often each deck beats each.

Nothing here plays: decks go by their places, and lineups are tuples of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deckcheck.sim.matches.selection import (
    MatchRules,
    Plans,
    Values,
    match_values,
    solve_decided,
)
from deckcheck.stats import Interval, mean_score
from deckcheck.stats.equilibrium import resampled_rates
from deckcheck.studies.lineups.pool import Members
from deckcheck.studies.solve.payoff_matrix import Counts, mixture_of

HALF = 0.5
AT_ONCE = 50_000
"""Matches whose values are found at once, which bounds the memory."""

OTHERS = 5
"""How many lineups are measured in fresh matches, in addition to those of a mix."""

NEAR = 40
"""How many lineups take part when all games are drawn again."""

RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class Met:
    """The games of two decks: scores of the first in mirrored pairs, and draws.

    `scores[i]` counts the pairs with `i` half-points, `draws` is a part of the games.
    """

    scores: Counts
    draws: float


Meetings = Mapping[tuple[int, int], Met]
"""What was measured, by the places of both decks."""


def chances_of(
    decks: int, met: Meetings, means: Sequence[float] | None = None
) -> Values:
    """How likely the decks of the rows win a decided game against the columns.

    It is not a number for decks that have not met. `means` are scores of the pairs in
    place of their own.
    """
    scores = (
        means if means is not None else [mean_score(m.scores) for m in met.values()]
    )
    chances = np.full((decks, decks), np.nan)
    np.fill_diagonal(chances, HALF)
    for ((a, b), pair), mean in zip(met.items(), scores, strict=True):
        if pair.draws < 1:
            won = (mean - pair.draws / 2) / (1 - pair.draws)
            chances[a, b] = min(1.0, max(0.0, won))
            chances[b, a] = 1 - chances[a, b]
    return chances


def values_of(
    chances: Values,
    own: Sequence[Members],
    others: Sequence[Members],
    rules: MatchRules,
) -> Values:
    """How likely each of `own` wins a match against each of `others`."""
    values = np.empty((len(own), len(others)))
    for rows, size in _by_size(own):
        for columns, other in _by_size(others):
            step = max(1, AT_ONCE // len(columns))
            theirs = np.array([others[i] for i in columns])
            for first in range(0, len(rows), step):
                part = rows[first : first + step]
                ours = np.array([own[i] for i in part])
                cells = chances[ours[:, None, :, None], theirs[None, :, None, :]]
                found = match_values(cells.reshape(-1, size, other), rules)
                values[np.ix_(part, columns)] = found.reshape(len(part), len(columns))
    return values


def _by_size(lineups: Sequence[Members]) -> list[tuple[list[int], int]]:
    """The places of the lineups of each number of decks."""
    sizes = sorted({len(lineup) for lineup in lineups})
    return [
        ([i for i, lineup in enumerate(lineups) if len(lineup) == size], size)
        for size in sizes
    ]


@dataclass(frozen=True)
class Choice:
    """The lineups that did best, by their places among all: the best first.

    `promised` are their match win rates by the games that chose them, against a field
    or, where `shares` has any, against the mix of these lineups; `shares` are by the
    places of lineups, the most frequent first.
    """

    promised: Mapping[int, float]
    shares: Mapping[int, float]


def best_against(values: Values) -> Choice:
    """The lineups of the rows that do best against the columns, which come alike."""
    return Choice(_first(values.mean(axis=1), range(len(values)), OTHERS), {})


def best_mix(values: Values) -> Choice:
    """The mix that no lineup beats, and the lineups that do best against it."""
    shares = mixture_of(values)
    mixed = sorted((i for i, s in enumerate(shares) if s > 0), key=lambda i: -shares[i])
    against = values @ np.array(shares)
    others = [i for i in range(len(shares)) if not shares[i]]
    named = {i: float(against[i]) for i in mixed} | _first(against, others, OTHERS)
    return Choice(named, {i: shares[i] for i in mixed})


def _first(rates: Values, among: Sequence[int], most: int) -> dict[int, float]:
    """The largest rates by their places, the largest first."""
    ordered = sorted(among, key=lambda i: -rates[i])
    return {i: float(rates[i]) for i in ordered[:most]}


def plans_of(chances: Values, own: Members, other: Members, rules: MatchRules) -> Plans:
    """How both lineups choose their decks in a match."""
    return solve_decided(chances[np.ix_(own, other)], rules)


def shares_drawn_again(
    met: Meetings,
    lineups: Sequence[Members],
    choice: Choice,
    rules: MatchRules,
    seed: int,
) -> dict[int, Interval]:
    """How the shares of a mix vary if all games are drawn again: 95 % of resamples.

    Only the lineups that are near the best take part, `lineups` are all.
    """
    decks = 1 + max(b for _, b in met)
    chances = chances_of(decks, met)
    mixed = list(choice.shares)
    against = values_of(chances, lineups, [lineups[i] for i in mixed], rules)
    rates = against @ np.array([choice.shares[i] for i in mixed])
    others = [i for i in range(len(lineups)) if i not in choice.shares]
    near = [*mixed, *_first(rates, others, NEAR)]
    chosen = [lineups[i] for i in near]
    chance = np.random.default_rng(seed)
    scores = [pair.scores for pair in met.values()]
    drawn = []
    for _ in range(RESAMPLES):
        means = resampled_rates(scores, chance).tolist()
        again = chances_of(decks, met, means)
        drawn.append(mixture_of(values_of(again, chosen, chosen, rules)))
    lows, highs = np.percentile(np.array(drawn), [2.5, 97.5], axis=0)
    # The best guess belongs to its interval, though percentiles alone may miss it.
    return {
        place: Interval(min(share, float(lows[i])), max(share, float(highs[i])))
        for i, (place, share) in enumerate(choice.shares.items())
    }
