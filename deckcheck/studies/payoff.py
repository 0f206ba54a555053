"""A field as a matrix game: payoffs, standings, the best mix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Annotated, TypeAlias

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Ordinal, Share, ShownAs
from deckcheck.engine.registry import load_game
from deckcheck.formats import Format
from deckcheck.playing.kernel import Ints, SeatColumns
from deckcheck.playing.table import DUEL_STREAMS, Table, seat, set_table
from deckcheck.playing.versions import ROTATION, SCORE_COUNT
from deckcheck.sim.documents import WinRate
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.sim.result import SimulationResult
from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    average,
    mean_score,
)
from deckcheck.stats.optimising import Matrix, equilibrium

# Decks that meet as a game of its own: who brings what, and how often

SHARE_DIGITS = 9
MIN_SHARE = 0.02
"""The least share in a mixture. Smaller shares make no visible difference."""
RANGE_HEAD = "range"
"""The head of the range of a share. Near 0 and 100% it holds the true share too rarely
for a confidence interval: in 77 of 100 runs instead of 95."""
RESAMPLED_NOTE = f"{RANGE_HEAD}: the middle 95% of the shares in bootstrap resamples"
HALF = 0.5

Counts: TypeAlias = tuple[int, ...]
"""The numbers of sets that brought a deck 0 to 4 half-points."""


@dataclass
class Meetings:
    """Decks that meet each other, numbered in their order."""

    format: Format
    database: CardDatabase
    entrants: list[Entrant] = field(default_factory=list)
    counts: dict[tuple[int, int], Counts] = field(default_factory=dict)
    """The scores of deck `a` against deck `b` by the pair `(a, b)`, `a` below `b`."""

    @property
    def variant(self) -> str:
        """The records of the game that play here."""
        return str(load_game(self.format.game).find_variant(self.format, ROTATION))

    @property
    def games(self) -> int:
        """The fewest games that two decks have played with each other."""
        sets = [sum(counts) for counts in self.counts.values()]
        return ROTATION * min(sets, default=0)

    def missing(self) -> list[tuple[int, int]]:
        """Return the pairs that have not met."""
        pairs = []
        for b in range(len(self.entrants)):
            for a in range(b):
                if (a, b) not in self.counts:
                    pairs.append((a, b))
        return pairs

    def rates(self) -> Matrix:
        """Return the win rates of the rows against the columns."""
        matrix = np.full((len(self.entrants),) * 2, HALF)
        for (a, b), counts in self.counts.items():
            matrix[a, b] = mean_score(counts)
            matrix[b, a] = 1 - matrix[a, b]
        return matrix

    def gain(self, deck: int, shares: Sequence[float]) -> Combination:
        """Return the win rate above one half of a deck against a mixture, so far."""
        others = range(len(shares))
        return combine_gains([self._find_rate(deck, other) for other in others], shares)

    def _find_rate(self, deck: int, other: int) -> Combination | None:
        """Return the win rate of a deck against another deck, None against itself."""
        if deck == other:
            return None
        if (deck, other) in self.counts:
            return rate_pair(self.counts[deck, other])
        return rate_pair(self.counts[other, deck]).opposite()


def get_pair_table(job: Job) -> Table:
    """Return the table of a job of two decks."""
    assert isinstance(job.table, Table)
    return job.table


def make_pair_job(
    fmt: Format,
    database: CardDatabase,
    pair: tuple[Entrant, Entrant],
    number: int,
    games: int,
) -> Job:
    """Return the job of two decks that meet."""
    seats = [seat(deck.deck, deck.policy) for deck in pair]
    names = tuple(deck.name for deck in pair)
    return Job(
        number,
        " against ".join(names),
        set_table(fmt, database, seats, streams=DUEL_STREAMS),
        tuple(deck.policy for deck in pair),
        ceil(games / ROTATION),
        names=names,
    )


def count_pair_scores(tally: Ints) -> Counts:
    """Return how often the first deck scored 0 to 4 half-points in a set."""
    return tuple(
        int(n) for n in tally[1, SeatColumns.SHARES : SeatColumns.SHARES + SCORE_COUNT]
    )


def rate_pair(counts: Counts) -> Combination:
    """Return the win rate of the first deck of a pair."""
    return Combination.of(Sample(counts, ROTATION * sum(counts)))


def find_mixture(rates: Matrix) -> tuple[float, ...]:
    """Return the shares of the equilibrium without small ones. They add up to 1."""
    shares = np.array(equilibrium(np.round(rates, SHARE_DIGITS)).shares)
    large_shares = np.where(shares < MIN_SHARE, 0.0, shares)
    if not large_shares.any():
        large_shares = shares
    mixture = np.round(large_shares / large_shares.sum(), SHARE_DIGITS)
    return tuple(mixture.tolist())


def find_resampled_interval(
    shares: Sequence[float], drawn: Sequence[Sequence[float]]
) -> list[Interval]:
    """Return the middle 95% of the shares in the resamples `drawn`."""
    lows, highs = np.percentile(np.array(drawn), [2.5, 97.5], axis=0).tolist()
    intervals = []
    for share, low, high in zip(shares, lows, highs, strict=True):
        # The best guess belongs to its interval, though percentiles alone may miss it.
        intervals.append(Interval(min(share, low), max(share, high)))
    return intervals


def combine_gains(
    rates: Sequence[Combination | None], shares: Sequence[float]
) -> Combination:
    """Return the win rate above one half against a mixture.

    `rates` has the win rate against each deck of the mixture, None for the deck itself.
    """
    even = Combination(constant=HALF)
    return average([rate or even for rate in rates], shares) - even


def field_against(
    rates: Mapping[tuple[int, int], Combination], shares: Sequence[float]
) -> Estimate:
    """Return the win rate of a mixture against other decks that are equally frequent.

    `rates` are by the places of the deck in the mixture and of the other deck.
    """
    weights = [shares[deck] for deck, _ in rates]
    return average(list(rates.values()), weights).estimate()


# The standings of a field and its best mix, before and after a change


@dataclass(frozen=True, slots=True)
class StandingShift:
    """A deck in the standings of both runs; its shares are best guesses."""

    deck: str
    """The deck."""
    before: Annotated[Estimate, ShownAs(WinRate)]
    """The mean win rate in the earlier run."""
    after: Annotated[Estimate, ShownAs(WinRate)]
    """The mean win rate in the later run."""
    place_before: Ordinal
    """The place in the standings of the earlier run, from 1."""
    place_after: Ordinal
    """The place in the standings of the later run, from 1."""
    share_before: Share | None
    """How often the best mix of the earlier run brings it; null where not all met."""
    share_after: Share | None
    """How often the best mix of the later run brings it; null where not all met."""


def compare_standings(
    before: SimulationResult, after: SimulationResult, renamed: Mapping[str, str]
) -> tuple[StandingShift, ...]:
    """Return the decks of both runs, the best after the change first.

    There are none unless both runs have the same decks, more than two.
    """
    old = {s.deck: s for s in before.standings()}
    new = {renamed.get(s.deck, s.deck): s for s in after.standings()}
    if old.keys() != new.keys() or len(old) <= 2:
        return ()
    old_mix, new_mix = find_best_mix(before, {}), find_best_mix(after, renamed)
    old_ranks = {deck: rank for rank, deck in enumerate(old, start=1)}
    shifts = []
    for rank, (deck, standing) in enumerate(new.items(), start=1):
        estimates = old[deck].estimate, standing.estimate
        ranks = old_ranks[deck], rank
        shares = old_mix.get(deck), new_mix.get(deck)
        shifts.append(StandingShift(deck, *estimates, *ranks, *shares))
    return tuple(shifts)


def find_best_mix(
    result: SimulationResult, renamed: Mapping[str, str]
) -> dict[str, float]:
    """Return how often the best mix of a round robin brings each deck, else nothing."""
    names = [deck.name for deck in result.decks]
    rates = np.full((len(names), len(names)), HALF)
    met_pairs = {frozenset((m.a, m.b)) for m in result.matchups if m.a != m.b}
    if len(met_pairs) < len(names) * (len(names) - 1) / 2:
        return {}
    for m in result.matchups:
        a, b = names.index(m.a), names.index(m.b)
        if a != b:
            rates[a, b], rates[b, a] = m.win_rate(m.a).value, m.win_rate(m.b).value
    mix = {}
    for name, share in zip(names, find_mixture(rates), strict=True):
        mix[renamed.get(name, name)] = share
    return mix
