"""The results of tables, matchups, standings and matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod, sqrt
from typing import NamedTuple

import numpy as np

from deckcheck.cards.models import CardChange
from deckcheck.playing.kernel import (
    CHECKSUM_MASK,
    Head,
    Ints,
    SeatColumns,
    count_shares,
)
from deckcheck.playing.versions import MAX_MARGIN, Counts, counts_in, with_counts
from deckcheck.sim.documents import Split, TableDecision
from deckcheck.sim.figures import Row, Tabular, low_high, round_figure
from deckcheck.sim.jobs import PackedTally
from deckcheck.sim.performances import Performance, read_performance
from deckcheck.sim.provenance import Provenance
from deckcheck.stats import (
    Combination,
    Estimate,
    Histogram,
    Interval,
    Sprt,
    average,
    correlated_difference,
)

# The results of a table from its tally: statistics of each entrant, with intervals.


class Endings(NamedTuple):
    """How games ended: by their rounds, and by their margins, see `Counts`."""

    rounds: Histogram
    margins: Histogram


class EndingsSum:
    """How the games at several tables ended, summed up without a histogram of each."""

    def __init__(self) -> None:
        # Of tables that are alike the tallies: most of their cells are zeros.
        self._sums: dict[tuple[int, tuple[int, ...], int], Ints] = {}

    def add(self, table: TableResult, step: int = 1) -> None:
        """Add a table, from the side of its second entrant if `step` is -1."""
        shape = table.counted.shape
        kind = len(table.entrants), shape, step
        if kind not in self._sums:
            self._sums[kind] = np.zeros(prod(shape), np.int64)
        places, cells = table.counted.pairs()
        self._sums[kind][places] += cells

    @property
    def endings(self) -> Endings | None:
        """The endings of all these games, or None if matches were played instead."""
        rounds: Ints = np.zeros(1, np.int64)  # of any length, by the first tables
        margins = rounds
        for (entrants, shape, step), sums in self._sums.items():
            counts = counts_in(sums.reshape(shape), entrants)
            if counts is None:
                return None
            rounds = rounds + counts.rounds
            margins = margins + counts.margins[::step]
        return Endings(_make_histogram(rounds), _make_histogram(margins, -MAX_MARGIN))


@dataclass(frozen=True)
class TableResult:
    """All games of a table, as they were `counted`.

    A set is the same shuffles once with each seat beginning, and the unit of all
    intervals. Only the counts of a large field are stored, and statistics are computed
    on demand.
    """

    entrants: tuple[str, ...]
    """The names of the possible winners: decks, teams, or a deck and the automa."""
    counted: PackedTally = field(repr=False)
    anytime: bool = False
    """Whether the games were looked at before their end."""

    @property
    def games(self) -> int:
        """All games at the table."""
        return self._head[Head.GAMES]

    @property
    def sets(self) -> int:
        """How many sets these are."""
        return self._head[Head.SETS]

    @property
    def draws(self) -> int:
        """Games in which all shared the first place."""
        return self._head[Head.DRAWS]

    @property
    def rounds_mean(self) -> float:
        """Rounds per game."""
        return self._head[Head.ROUNDS] / self.games

    @property
    def turns_mean(self) -> float:
        """Moves per game, of all players."""
        return self._head[Head.TURNS] / self.games

    @property
    def rotation(self) -> int:
        """How many games make a set."""
        return self.games // self.sets

    @property
    def even_share(self) -> float:
        """The win share of equally strong entrants."""
        return 1 / len(self.entrants)

    @property
    def performances(self) -> tuple[Performance, ...]:
        """The performance of each entrant."""
        return (self.first, *self._others)

    @cached_property
    def first(self) -> Performance:
        """The performance of the first entrant, which for two determines the second,
        except for the cards left.
        """
        [first] = self._read_performances(0, 1)
        return first

    @cached_property
    def _others(self) -> tuple[Performance, ...]:
        return self._read_performances(1, len(self.entrants) - 1)

    @property
    def seats(self) -> tuple[Performance, ...]:
        """The performance in each seat. Seat 0 began."""
        return self._read_performances(len(self.entrants), len(self.entrants))

    @property
    def by_seat(self) -> tuple[tuple[Performance, ...], ...]:
        """The performance of each entrant in each seat: `by_seat[i][k]` is `in_seat(i,
        k)`.
        """
        places = range(len(self.entrants))
        return tuple(tuple(self.in_seat(i, k) for k in places) for i in places)

    def in_seat(self, entrant: int, seat: int) -> Performance:
        """Return the performance of an entrant in a seat.

        An entrant that never changed seats has all of its games there. A single game
        that counts for its set brings as much as the set.
        """
        performance = self.performances[entrant] if entrant else self.first
        count = len(self.entrants)
        row = self._tally[1 + count * (2 + entrant) + seat]
        if row[SeatColumns.GAMES] == performance.games:
            return performance
        is_once = performance.games == sum(performance.scores)
        cells = len(performance.scores) if is_once else count_shares(count) + 1
        return read_performance(row, cells, count, 1, anytime=self.anytime)

    @property
    def rounds(self) -> Histogram | None:
        """Games by their number of rounds, or None if matches were played instead."""
        counts = self.counts
        return None if counts is None else _make_histogram(counts.rounds)

    @property
    def margins(self) -> Histogram | None:
        """Games by their margin, see `Counts`, or None if matches were played."""
        counts = self.counts
        if counts is None:
            return None
        return _make_histogram(counts.margins, -MAX_MARGIN)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...] | None:
        """The shares of each entrant by groups of sets, see `Counts`."""
        counts = self.counts
        return None if counts is None else tuple(map(tuple, counts.groups.tolist()))

    def swap_sides(self) -> TableResult:
        """Return the games of two entrants, counted from the side of the second."""
        tally, counts = self._tally, self.counts
        header, entrants, seats = tally[:1], tally[1:3], tally[3:5]
        first_in_seats, second_in_seats = tally[5:7], tally[7:9]
        swapped = np.concatenate(
            [header, entrants[::-1], seats, second_in_seats, first_in_seats]
        )
        if counts is not None:
            mirrored = Counts(counts.rounds, counts.margins[::-1], counts.groups[::-1])
            swapped = with_counts(swapped, mirrored)
        return table_result(self.entrants[::-1], swapped, anytime=self.anytime)

    @property
    def best(self) -> int:
        """The place of the entrant with the largest win share."""
        shares = [performance.share.value for performance in self.performances]
        return shares.index(max(shares))

    def names_from(self, entrant: int) -> tuple[str, ...]:
        """Return an entrant, followed by all others at the table."""
        names = self.entrants
        return names[entrant], *names[:entrant], *names[entrant + 1 :]

    def lead(self, entrant: int) -> Estimate:
        """Return by how much the win share of an entrant exceeds all others.

        It is the difference to the entrant with the least clear distance.
        """
        others = [i for i in range(len(self.entrants)) if i != entrant]
        leads = (self.difference(entrant, other) for other in others)
        return min(leads, key=lambda lead: lead.interval.low)

    def difference(self, a: int, b: int) -> Estimate:
        """Return the win share of an entrant minus the win share of another entrant.

        Both are given by their places. All shares of a set add up to 1, so for two
        entrants the first share determines the second, and for three the third
        determines the correlation of two. With more entrants the worst case is taken:
        one entrant wins what the other loses.
        """
        first, second = (self.performances[i].win_share for i in (a, b))
        assert first is not None
        assert second is not None
        correlation = -1.0
        if len(self.performances) == 3:
            variance, other_variance = (self.performances[i].variance for i in (a, b))
            [rest] = (self.performances[i].variance for i in {0, 1, 2} - {a, b})
            if variance > 0 and other_variance > 0:
                correlation = (rest - variance - other_variance) / (
                    2 * sqrt(variance * other_variance)
                )
        return correlated_difference(first, second, max(-1.0, min(1.0, correlation)))

    @property
    def _tally(self) -> Ints:
        return self.counted.unpack()

    @cached_property
    def _head(self) -> list[int]:
        head: list[int] = self.counted.unpack(rows=1)[0, : len(Head)].tolist()
        return head

    @property
    def counts(self) -> Counts | None:
        """Rounds, margins and groups, or None if matches were played instead."""
        return counts_in(self._tally, len(self.entrants))

    def _read_performances(self, first: int, number: int) -> tuple[Performance, ...]:
        """Return the performances in `number` rows from `first` on, after the
        header.
        """
        tally, count = self.counted.unpack(1 + first + number), len(self.entrants)
        cells = tally.shape[1] - SeatColumns.SHARES
        return tuple(
            read_performance(row, cells, count, self.rotation, anytime=self.anytime)
            for row in tally[1 + first :]
        )


def _make_histogram(counts: Ints, first: int = 0) -> Histogram:
    """Return the histogram of `counts[i]` times the number `first + i`."""
    there = counts.nonzero()[0]
    if not len(there):
        return Histogram(first, ())
    counts_in_use = counts[there[0] : there[-1] + 1]
    return Histogram(first + int(there[0]), tuple(counts_in_use.tolist()))


def table_result(
    entrants: Sequence[str], tally: Ints, *, anytime: bool = False
) -> TableResult:
    """Return the table of `entrants` that `tally` counts, see `TableResult`.

    It is the same for the same games, however they were cut into blocks.
    """
    return TableResult(tuple(entrants), PackedTally.of(tally), anytime)


def estimate_shares(tally: Ints, entrants: int, *, anytime: bool) -> list[Estimate]:
    """Return the win share of each entrant, see `TableResult`."""
    rotation = int(tally[0, Head.GAMES]) // int(tally[0, Head.SETS])
    cells = tally.shape[1] - SeatColumns.SHARES
    rows = tally[1 : 1 + entrants]
    shares = (
        read_performance(row, cells, entrants, rotation, anytime=anytime).win_share
        for row in rows
    )
    return [share for share in shares if share is not None]


def combine_checksums(tallies: Iterable[Ints]) -> str:
    """Return the checksum over all games as 12 hex digits, regardless of order."""
    total = sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"


# Views of what was played at a table, and the head of every result.


@dataclass(frozen=True, slots=True)
class SimulatedDeck:
    """A deck of the run."""

    name: str
    """The name, unique within the run."""
    path: str
    index: int
    faction: str | None
    leader: str | None
    policy: str
    findings: int
    """The number of errors that make the deck illegal."""

    @property
    def legal(self) -> bool:
        """Whether the deck is legal in the format of the run."""
        return self.findings == 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two entrants at a table alone, in games or matches, seen from the first
    entrant.
    """

    table: TableResult

    @property
    def a(self) -> str:
        """The first entrant."""
        return self.table.entrants[0]

    @property
    def b(self) -> str:
        """The second entrant."""
        return self.table.entrants[1]

    @property
    def wins_a(self) -> int:
        """The wins of the first entrant."""
        return self.table.first.wins

    @property
    def wins_b(self) -> int:
        """The wins of the second entrant."""
        return self.table.games - self.wins_a - self.draws

    @property
    def draws(self) -> int:
        """The drawn games or matches."""
        return self.table.draws

    def win_rate(self, name: str) -> Estimate:
        """Return the win rate of `name`, one of the two."""
        share = self.table.first.win_share
        assert share is not None
        return share if name == self.a else share.opposite()

    def share(self, name: str) -> Combination:
        """Return the win rate of `name` for means and differences."""
        share = self.table.first.share
        return share if name == self.a else share.opposite()

    def points(self, name: str) -> tuple[int, int, int]:
        """Return wins, losses and draws of `name`, one of the two."""
        if name == self.a:
            return self.wins_a, self.wins_b, self.draws
        return self.wins_b, self.wins_a, self.draws


@dataclass(frozen=True, slots=True)
class Matchup(Meeting):
    """Two decks at a table of their own, counted from the side of the first."""

    @property
    def games(self) -> int:
        """All games of the two."""
        return self.table.games

    @property
    def win_rate_a(self) -> float:
        """The win rate of deck a, where a draw counts half."""
        return self.table.first.share.value

    @property
    def interval(self) -> Interval:
        """The interval of `win_rate_a`, by game pairs."""
        return self.win_rate(self.a).interval

    @property
    def a_starts(self) -> Split:
        """The games that deck a started."""
        return _split(self.table.in_seat(0, 0))

    @property
    def b_starts(self) -> Split:
        """The games that deck b started."""
        return _split(self.table.in_seat(0, 1))

    @property
    def pairs(self) -> tuple[int, ...]:
        """How many pairs brought deck a 0, 1, 2, 3 and 4 half-points."""
        return self.table.first.scores

    @property
    def rounds_mean(self) -> float:
        """Rounds per game."""
        return self.table.rounds_mean

    @property
    def turns_mean(self) -> float:
        """Moves per game, of both players."""
        return self.table.turns_mean

    @property
    def cards_left_a_mean(self) -> float:
        """Cards in the hand of deck a at the end, per game."""
        return self.table.first.cards_left or 0.0

    @property
    def cards_left_b_mean(self) -> float:
        """Cards in the hand of deck b at the end, per game."""
        return self.table.performances[1].cards_left or 0.0

    def swap_sides(self) -> Matchup:
        """Return the games counted from the opponent's side."""
        return Matchup(self.table.swap_sides())


FEWEST_BEGUN = 30
"""With fewer games that one of two began, an interval of the rate is too narrow."""


def _split(a: Performance) -> Split:
    """Return the games of deck a in one seat, where a shared place is a draw."""
    share = a.win_share if a.games >= FEWEST_BEGUN else None
    return Split(
        games=a.games,
        wins_a=a.wins,
        wins_b=a.games - a.wins - a.shared,
        draws=a.shared,
        win_rate_a=share.value if share else None,
        interval=share.interval if share else None,
    )


@dataclass(frozen=True, slots=True, repr=False)
class ResultHeader(Tabular):
    """How games were played. Every result, and every report of it, begins with this."""

    format: str
    snapshot: str
    month: str
    """The snapshot as it is printed, see `Format.month`."""
    play: str
    """The word of the seating: `duel`, `table`, `teams`, `solo`, `shared`, `match`."""
    decks: tuple[SimulatedDeck, ...]
    players: tuple[str, ...]
    """The policies that played, each named once."""
    stand_ins: tuple[str, ...]
    """The policies that do not know the game: the heuristic played for them."""
    games: int
    """The games at each table, or the matches of each pair of lineups."""
    games_played: int
    """The games of the whole run."""
    seed: int
    checksum: str
    """A hash of every game. Equal decks, policies, seeds and games have the same."""
    fingerprint: str
    """A short hash of rules and card data."""
    changes: tuple[CardChange, ...]
    """The changes by a user's own sets."""
    seconds: float | None
    """The time of play, None for a run directory, of perhaps several machines."""
    jobs: int | None
    """The workers, None for a run directory."""
    complete: bool = True
    """Whether all requested games were played."""
    challengers: tuple[str, ...] = ()
    """The decks that met others, which did not meet each other."""
    stopped: StoppingOutcome | None = None
    """The outcome of a stopping rule, whose intervals hold at every checkpoint."""
    provenance: Provenance | None = field(default=None, repr=False)
    """The basis of the games."""
    nobody_knows: bool = False
    """Whether only the heuristic can play the games: no cross-check by default."""

    @property
    def games_per_second(self) -> float | None:
        """Games played per second of wall time, the start of workers included."""
        return self.games_played / self.seconds if self.seconds else None

    @property
    def policies(self) -> Mapping[str, str]:
        """The policy that played each deck."""
        return {deck.name: deck.policy for deck in self.decks}

    @property
    def illegal(self) -> tuple[SimulatedDeck, ...]:
        """The decks that played although they are illegal."""
        return tuple(deck for deck in self.decks if not deck.legal)


@dataclass(frozen=True, slots=True)
class StoppingOutcome:
    """The outcome of a stopping rule."""

    rule: str
    """The rule in words."""
    decisions: tuple[TableDecision, ...]
    """The decision at each table."""
    ranked: int = 0
    """The decks whose order the rule asked for."""
    open: tuple[str, ...] = ()
    """The ranked decks whose place is not settled."""
    test: Sprt | None = None
    """The sequential test that decided, if there was one."""

    @property
    def reached(self) -> bool:
        """Whether the rule was fulfilled everywhere."""
        return all(decision.reached for decision in self.decisions)

    @property
    def summary(self) -> str:
        """The outcome in a few words."""
        if len(self.decisions) == 1:
            [decision] = self.decisions
            ratio = decision.log_likelihood_ratio
            log = "" if ratio is None else f", log-likelihood ratio {ratio:.2f}"
            missed = "" if decision.reached else ", the rule was not met"
            return f"{decision.decision}{log}{missed}"
        counted = Counter(decision.decision for decision in self.decisions)
        if self.decisions[0].log_likelihood_ratio is not None:
            return ", ".join(f"{text} at {n} tables" for text, n in counted.items())
        if self.ranked:
            settled = self.ranked - len(self.open)
            places = f"{settled} of {self.ranked} places settled"
            names = ", ".join(self.open) if settled else ""
            return places + (f", not those of {names}" if names else "")
        reached = sum(decision.reached for decision in self.decisions)
        return f"reached at {reached} of {len(self.decisions)} tables"


# The decks of a round robin, ranked by their mean win rate.


@dataclass(frozen=True, slots=True)
class Standing:
    """A deck's place in a round robin: its mean win rate over all opponents.

    Every opponent weighs the same. Games of the deck against itself do not count.
    """

    deck: str
    win_rate: float
    interval: Interval
    games: int
    wins: int
    losses: int
    draws: int
    mean: Combination = field(repr=False, compare=False, default_factory=Combination)
    """The mean win rate for differences, since two decks share their own matchup."""

    @property
    def row(self) -> Row:
        """The standing as a row of a table of standings."""
        return {
            "deck": self.deck,
            "win_rate": round_figure(self.win_rate),
            **low_high(self.interval),
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
        }

    @property
    def estimate(self) -> Estimate:
        """The mean win rate with its interval."""
        return Estimate(self.win_rate, self.interval, self.games)


def standings(decks: Iterable[str], matchups: Sequence[Meeting]) -> list[Standing]:
    """Return the decks, or lineups, that met another, the best first."""
    of_deck: dict[str, list[Meeting]] = defaultdict(list)
    for matchup in matchups:
        if matchup.a != matchup.b:
            of_deck[matchup.a].append(matchup)
            of_deck[matchup.b].append(matchup)
    table = [_make_standing(deck, of_deck[deck]) for deck in decks]
    ranked = [standing for standing in table if standing is not None]
    return sorted(ranked, key=lambda standing: -standing.win_rate)


def _make_standing(deck: str, met: Sequence[Meeting]) -> Standing | None:
    if not met:
        return None
    mean = average([m.share(deck) for m in met])
    rate = mean.estimate()
    points = np.sum([m.points(deck) for m in met], axis=0)
    wins, losses, draws = points.tolist()
    return Standing(
        deck, rate.value, rate.interval, rate.games, wins, losses, draws, mean
    )


# Results of tournament matches: match rates, first choices, decks.


@dataclass(frozen=True, slots=True)
class SimulatedLineup:
    """A lineup of the run: its name, the names of its decks, how they were chosen."""

    name: str
    decks: tuple[str, ...]
    selection: str


@dataclass(frozen=True, slots=True)
class DeckInMatch:
    """A deck of a lineup in the matches against another lineup."""

    name: str
    opened: int
    """The number of matches in which it was chosen for game 1."""
    games: int
    """The number of games in which it was played."""
    wins: int
    draws: int
    rate: Estimate | None
    """Its win rate in these games, or None. The interval counts a game pair as
    one.
    """
    against: tuple[tuple[int, int, int], ...]
    """The lost, drawn and won games against each deck."""


@dataclass(frozen=True, slots=True)
class MatchResult(Meeting):
    """All matches of lineup `a` against lineup `b`.

    `table` counts matches as a table counts games: who chose first in game 1 is in seat
    0, points are games won, and a game pair of matches is a set. `chose_first` is the
    win rate in single games of the side that chose first. `value` is the win rate of a
    by the chances if both choose best, None if no chances were known.
    """

    games: int
    games_drawn: int
    chose_first: Estimate
    decks_a: tuple[DeckInMatch, ...]
    decks_b: tuple[DeckInMatch, ...]
    value: float | None

    @property
    def matches(self) -> int:
        """All matches of the two."""
        return self.table.games

    @property
    def rate_a(self) -> Estimate:
        """The match win rate of a by game pairs, where a drawn match counts
        half.
        """
        return _rate(self.table.first)

    @property
    def a_first(self) -> Estimate:
        """The same for the matches in which a chose first in game 1."""
        return _rate(self.table.by_seat[0][0])

    @property
    def b_first(self) -> Estimate:
        """The same for the matches in which b chose first in game 1."""
        return _rate(self.table.by_seat[0][1])

    @property
    def first_choice(self) -> Estimate:
        """The match win rate of the side that chose first in game 1."""
        return _rate(self.table.seats[0])


def _rate(performance: Performance) -> Estimate:
    assert performance.win_share is not None
    return performance.win_share
