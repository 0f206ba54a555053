"""A kind of figure in one situation, games drawn for it, and how often it is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from deckcheck.playing.kernel import (
    GameOutcome,
    Head,
    Ints,
    SeatColumns,
    count_sets,
    count_shares,
    new_tally,
)
from deckcheck.sim.standings import Matchup
from deckcheck.sim.table_results import TableResult, make_table_result
from deckcheck.stats import Combination, Interval, Sample
from deckcheck.studies.field import Field, Meeting, Origin

SEED = 22
LEVEL = 0.95

Chance: TypeAlias = np.random.Generator
Truths: TypeAlias = Sequence[bool]
Play: TypeAlias = Callable[[Chance], Truths]


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of figure in one situation; `play` says of one run what was true.

    A claim that was not made is not wrong, and so it counts as true. `level` is the
    share that is promised. A slow case is played only every `cost`-th time.
    """

    command: str
    figure: str
    situation: str
    play: Play
    level: float = LEVEL
    cost: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """How often the figures of a case were true, and the standard error of that."""

    case: Case
    share: float
    error: float

    @property
    def lead(self) -> float:
        """By how much the part exceeds what was promised."""
        return self.share - self.case.level


def measured(case: Case, runs: int) -> Line:
    """Play a case `runs` times, fewer where that takes long; the same each time.

    The figures of one run go together, so the error is that of runs. It is never less
    than of as many figures apart that are true as often as promised.
    """
    chance = np.random.default_rng([SEED, *case.situation.encode()])
    played = [case.play(chance) for _ in range(max(1, runs // case.cost))]
    true, count = np.array([(sum(truths), len(truths)) for truths in played]).T
    share = true.sum() / count.sum()
    spread = np.square(true - share * count).sum() / count.sum() ** 2
    least = case.level * (1 - case.level) / count.sum()
    return Line(case, float(share), float(np.sqrt(max(spread, least))))


def worst(lines: Sequence[Line]) -> Line:
    """The case that was true least often, for what it promises."""
    return min(lines, key=lambda line: line.lead)


def holds(interval: Interval, truth: float) -> bool:
    """Whether an interval holds a value, except for the last digits."""
    return interval.low - 1e-9 <= truth <= interval.high + 1e-9


ALIKE = 0.3
"""How often a shuffle decides both games of a pair alike, whatever else happens."""

ORIGIN = Origin("made up", "none", ("random",), 0, "none", "none")


def pairs_of(chance: Chance, rate: float, number: int) -> tuple[int, ...]:
    """How often game pairs of independent games came to each score."""
    won = chance.binomial(2, rate, number)
    return tuple(np.bincount(2 * won, minlength=5).tolist())


def alike_games(chance: Chance, rates: Any, sets: int, rotation: int = 2) -> Any:
    """Which games of sets are won, some by the shuffle that all of a set share."""
    shared = chance.random((sets, 1)) < np.asarray(rates)
    own = chance.random((sets, rotation)) < np.asarray(rates)
    return np.where(chance.random((sets, 1)) < ALIKE, shared, own)


def share_of(counts: Sequence[int], *, anytime: bool = False) -> Combination:
    """A win rate of its own."""
    return Combination.of(Sample(tuple(counts), 2 * sum(counts), anytime=anytime))


def tally_of_shares(scores: Sequence[Sequence[int]]) -> Ints:
    """Return the tally of a table at which each entrant came to these shares."""
    sets, count = sum(scores[0]), len(scores)
    tally = new_tally(count, count)
    tally[0, [Head.SETS, Head.GAMES]] = sets, count * sets
    rows = tally[1 : 1 + count]
    rows[:, SeatColumns.GAMES] = count * sets
    rows[:, SeatColumns.GAMES_SQUARED] = count**2 * sets
    rows[:, SeatColumns.SHARES :][:, : len(scores[0])] = scores
    return tally


def table_of(names: Sequence[str], scores: Sequence[Sequence[int]]) -> TableResult:
    """Return a table at which each entrant came to these shares."""
    return make_table_result(names, tally_of_shares(scores))


def round_robin(chance: Chance, rates: Any, pairs: int) -> list[Matchup]:
    """Decks that all met each other."""
    matchups = []
    for a, b in combinations(range(len(rates)), 2):
        counts = pairs_of(chance, rates[a][b], pairs)
        matchups.append(Matchup(table_of((f"{a}", f"{b}"), (counts, counts[::-1]))))
    return matchups


def even(decks: int) -> Any:
    """Win rates of decks that are all alike."""
    return np.full((decks, decks), 0.5)


def rates_by(strengths: Any) -> Any:
    """Win rates that follow from one number for each deck, in log-odds."""
    return 1 / (1 + np.exp(-np.subtract.outer(strengths, strengths)))


def field_of(chance: Chance, rates: Any, pairs: int) -> Field:
    """A round robin as `meta` reads it."""
    names = tuple(str(i) for i in range(len(rates)))
    met = tuple(
        Meeting(f"{a}", f"{b}", pairs_of(chance, rates[a][b], pairs))
        for a, b in combinations(range(len(rates)), 2)
    )
    return Field(names, met, "deck", "game", ORIGIN)


def tally_of_pairs(counts: Sequence[int]) -> Ints:
    """Return the tally of a table of two at which the first has these half-points."""
    return tally_of_shares((counts, counts[::-1]))


def tally_of_games(places: Any, points: Any, seats: Any, rotation: int) -> Ints:
    """The tally of games, of which each row has an entry for each entrant."""
    games, entrants = np.shape(places)
    outcomes = np.zeros((games, GameOutcome.PLACE + 4 * entrants), np.int64)
    columns = (places, points, seats)
    for block, values in enumerate(columns):
        first = GameOutcome.PLACE + block * entrants
        outcomes[:, first : first + entrants] = values
    who = np.tile(np.arange(entrants), (games, 1))
    tally = new_tally(entrants, rotation)
    numbers = np.repeat(np.arange(games // rotation), rotation)
    sums = np.zeros_like(tally)
    count_sets(outcomes, who, numbers, rotation, count_shares(entrants), tally, sums)
    return tally
