"""Many decks measured in common games, and the validation games on fresh ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from time import perf_counter
from typing import Annotated

import numpy as np
import numpy.typing as npt
from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.documents.records import Count, Difference, DifferenceInterval, one_of
from deckcheck.engine.registry import load_game
from deckcheck.formats import Format
from deckcheck.messages import plural
from deckcheck.playing.kernel import Head, Ints
from deckcheck.playing.table import seat
from deckcheck.playing.versions import (
    ROTATION,
    SCORE_COUNT,
    OpenSeat,
    Pair,
    Versions,
    open_seat,
    seat_candidates,
    seat_version,
)
from deckcheck.policies.registry import read_policy
from deckcheck.sim.documents import WinRate
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import ends, round_figure, win_rate
from deckcheck.sim.jobs import Job
from deckcheck.sim.records import Record, Shown
from deckcheck.sim.scheduler import GameSession, Progress
from deckcheck.stats import Verdict
from deckcheck.studies.duels import (
    NO_OPPONENTS,
    OVER_FIELD,
    OpponentEntry,
    SameGames,
    VersionDifference,
    seat_against,
)

Floats = npt.NDArray[np.float64]
HALF_POINTS = SCORE_COUNT - 1
"""The most half-points that a set brings."""
MAX_BLOCK_GAMES = 4_000
"""The most games of all candidates in a block."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Results of decks."""

    counts: Ints
    """`counts[deck, opponent, s]` sets of a deck brought `s` half-points of 4."""
    shares: Floats
    """The share of each opponent in the field. All add up to 1."""

    @property
    def rates(self) -> Floats:
        """The win rate of each deck over the field, from 0 to 1."""
        points = self.counts @ np.arange(SCORE_COUNT)
        means: Floats = points / HALF_POINTS / self.counts.sum(axis=2)
        return means @ self.shares

    @property
    def variances(self) -> Floats:
        """The variance of each of `rates` about what more games would bring.

        The variance of a set against an opponent is taken over all decks, since the
        variance of the few sets of a single deck is mostly chance.
        """
        total = self.counts.sum(axis=0).astype(np.float64)
        scores = np.arange(SCORE_COUNT) / HALF_POINTS
        sets = total.sum(axis=1)
        means = total @ scores / sets
        spread: Floats = np.maximum(total @ scores**2 / sets - means**2, 1e-3)
        variances: Floats = (spread / self.counts.sum(axis=2)) @ self.shares**2
        return variances

    @property
    def games(self) -> int:
        """The number of games that each deck played."""
        return ROTATION * int(self.counts[0].sum())


@dataclass
class Measure:
    """Plays decks against a field; every call brings fresh shuffles.

    The decks of one call play the same games.
    """

    format: Format
    database: CardDatabase
    opponents: Sequence[Entrant]
    policy: str
    """The policy that plays the decks."""
    games: GameSession
    """The session that plays the games."""
    shares: Sequence[float] = ()
    """The weight of each opponent, by default all alike. 0 leaves an opponent out."""
    first_job: int = 0
    """The number of the first job."""
    budget: int = 0
    """The number of all games, for progress."""
    played: int = 0
    """The number of games played so far."""
    checksum: int = 0
    """The sum of the checksums of all games so far."""
    note: str = ""
    """The words beside progress."""
    _seats: dict[tuple[int, str | None, str | None], OpenSeat] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        shares = self.shares or [1.0] * len(self.opponents)
        self._counted = [index for index, share in enumerate(shares) if share > 0]
        total = sum(shares)
        self.shares = [shares[index] / total for index in self._counted]
        self.seat_players(self.policy, self.opponents)
        self.next_job = self.first_job
        self._start: float | None = None
        self._before = self._recorded = 0
        self._numbers = load_game(self.format.game).card_numbers(self.database)

    def seat_players(self, policy: str, opponents: Sequence[Entrant]) -> None:
        """Let `policy` play the decks from now on, and others the same opponents."""
        self.policy = policy
        self.opponents = [opponents[index] for index in self._counted]
        self._seats.clear()

    @property
    def smallest(self) -> int:
        """The fewest games of a deck: a set with each opponent."""
        return ROTATION * len(self.opponents)

    def play(self, decks: Sequence[Deck], games: int) -> Scores:
        """Let each deck play up to `games` games, at least a set with each opponent.

        Opponents get games by their shares. Raises as `play_jobs`, and EngineError for
        decks that the engine cannot play.
        """
        tables = [self._make_table(i, decks) for i in range(len(self.opponents))]
        label = plural(len(decks), "candidate")
        tallies = self.play_jobs(tables, games, label, len(decks))
        counts = []
        for table, tally in zip(tables, tallies, strict=True):
            counts.append(table.scores(tally))
        return Scores(np.stack(counts, axis=1), np.array(self.shares))

    def sets_adding(self, games: int) -> list[int]:
        """Return the sets with each opponent in at most `games` games, by shares."""
        sets = []
        for share in self.shares:
            # A whole number of sets may come out a little below itself.
            exact = games * share / ROTATION + 1e-9
            sets.append(max(1, int(exact)))
        return sets

    def play_jobs(
        self, tables: Sequence[Versions], games: int, label: str, decks: int
    ) -> list[Ints]:
        """Play a table for each opponent, as `play` does, and return the tallies.

        `decks` is the number of decks at each table.
        """
        sets = self.sets_adding(games)
        work = []
        for index, entrant in enumerate(self.opponents):
            job = Job(
                self.next_job + index,
                f"{label} against {entrant.name}",
                tables[index],
                (entrant.policy, self.policy),
                sets[index],
                ROTATION * decks,
                names=(label, entrant.name),
            )
            work.append(job)
        self.next_job += len(work)
        count = sum(job.games * job.sets for job in work)
        self.games.play(
            work,
            (tables[0].engine,),
            block_sets=self.games.block_sets or self._count_block_sets(work[0]),
            watch=self._watch,
        )
        self.played += count
        self._before += self._recorded or self.games.recalled_games(work[0])
        self._recorded = 0
        tallies = [self.games.tallies[job.number] for job in work]
        self.checksum += sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
        return tallies

    def _count_block_sets(self, job: Job) -> int:
        """Return the sets of a block: 1 for bots that search, or half a job at most."""
        if any(read_policy(policy).budget for policy in job.policies):
            return 1
        return max(1, min(MAX_BLOCK_GAMES // job.games, ceil(job.sets / 2)))

    def _watch(self, progress: Progress) -> None:
        """Pass on progress, with the time that is spent between games as well."""
        if self.games.watch is None:
            return
        self._recorded = progress.before
        played = progress.seconds
        if self._start is None:
            self._start = perf_counter() - played
        seconds = perf_counter() - self._start
        if not self.games.planned:
            progress = replace(
                progress.among(self.budget, self.played),
                before=self._before + progress.before,
            )
        left = progress.seconds_left
        if left is not None and played > 0 and self.games.planned:
            left *= max(1.0, seconds / played)
        self.games.watch(
            replace(
                progress, seconds=seconds, seconds_left=left, note=self.note, sets={}
            )
        )

    def _make_table(self, opponent: int, decks: Sequence[Deck]) -> Versions:
        """Return the table of an opponent and candidates, a seat for each leader."""
        seats: dict[tuple[str | None, str | None], OpenSeat] = {}
        for deck in decks:
            leader = (deck.faction, deck.leader)
            if (opponent, *leader) not in self._seats:
                self._seats[opponent, *leader] = self._open_seat(opponent, deck)
            seats[leader] = self._seats[opponent, *leader]
        leaders = list(seats)
        candidates = []
        for deck in decks:
            index = leaders.index((deck.faction, deck.leader))
            candidates.append((index, deck.counts()))
        return seat_candidates(list(seats.values()), self._numbers, candidates)

    def _open_seat(self, opponent: int, deck: Deck) -> OpenSeat:
        """Return a seat against an opponent for decks with the leader of `deck`."""
        entrant = self.opponents[opponent]
        table = seat_version(
            self.format,
            self.database,
            seat(entrant.deck, entrant.policy),
            seat(deck, self.policy),
        )
        return open_seat(table, self._numbers, deck.counts())


# The validation of a deck: its worth in games that had no part in finding it


class DeckDifferenceDocument(TypedDict):
    """The difference of the deck and the one that it was made of."""

    difference: Difference
    """The win rate of the deck less that of its base, -1 to 1."""
    interval: DifferenceInterval
    """The lower and the upper end of the difference's 95% interval, -1 to 1."""
    verdict: Annotated[str, one_of(Verdict)]
    """Whether the deck is better, worse, equal within the margin, or neither."""


class AgainstDocument(TypedDict):
    """The deck and its base in the same fresh games."""

    win_rate: WinRate
    """The win rate of the deck."""
    win_rate_of_base: WinRate | None
    """The win rate of the deck it was made of; null if there is none."""
    difference: DeckDifferenceDocument | None
    """The difference of both; null without a base."""


class OpponentDocument(AgainstDocument):
    """The same against one opponent."""

    name: str
    """The name of the opponent."""


def _describe_gap(gap: VersionDifference) -> DeckDifferenceDocument:
    """Return a gain for documents."""
    return {
        "difference": round_figure(gap.value),
        "interval": ends(gap.interval),
        "verdict": gap.verdict.value,
    }


def _describe_entry(entry: OpponentEntry) -> AgainstDocument:
    """Return the results of the deck and of its base, if there is one."""
    document: AgainstDocument = {
        "win_rate": win_rate(entry.win_rates[-1]),
        "win_rate_of_base": None,
        "difference": None,
    }
    if entry.differences:
        document["win_rate_of_base"] = win_rate(entry.win_rates[0])
        document["difference"] = _describe_gap(entry.differences[0])
    return document


def _describe_opponent(entry: OpponentEntry) -> OpponentDocument:
    """Return the same against one opponent, with its name."""
    return {"name": entry.name, **_describe_entry(entry)}


ShownGap = Annotated[VersionDifference, Shown(_describe_gap, DeckDifferenceDocument)]
ShownEntry = Annotated[OpponentEntry, Shown(_describe_entry, AgainstDocument)]
ShownOpponent = Annotated[OpponentEntry, Shown(_describe_opponent, OpponentDocument)]


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of a change."""

    step: VersionDifference
    """The gain after the changes before it."""
    so_far: VersionDifference
    """The gain together with all changes before it."""


@dataclass(frozen=True, slots=True)
class ValidationGames(Record):
    """Fresh games that had no part in choosing the deck.

    First comes the base, if there is one, then the deck that was found.
    """

    KEYS = ("policy", "games", "field", "opponents")
    policy: str
    """The policy that played the deck and its base."""
    games: Count
    """The number of games of each deck with each opponent."""
    field: ShownEntry = NO_OPPONENTS
    """The figures over the whole field; every opponent weighs the same."""
    opponents: tuple[ShownOpponent, ...] = ()
    """The figures against each opponent."""
    gains: tuple[Gain, ...] = ()
    """The gain of each change in order. The intervals of all steps are simultaneous,
    and so are the intervals of all gains so far.
    """


def play_validation_games(
    measure: Measure, decks: Sequence[Deck], games: int, margin: float
) -> ValidationGames:
    """Let each deck play up to `games` games over the field, all of them the same.

    `decks` is the path from the base to the deck that was found, a change apart, or
    that deck alone. Opponents play, and count, by their shares of the field. `margin`
    is the difference of win rates that does not matter. Raises as `play_jobs`.
    """
    seats = [seat(deck, measure.policy) for deck in decks]
    field = measure.opponents
    pairs = list_step_pairs(len(decks))
    tables = seat_against(field, seats, pairs, measure.format, measure.database)
    tallies = measure.play_jobs(tables, games, decks[-1].name, len(decks))
    names = [opponent.name for opponent in field]
    shares = list(zip(names, measure.shares, strict=True))
    return summarize_validation(measure.policy, shares, tables, tallies, margin)


def list_step_pairs(decks: int) -> tuple[Pair, ...]:
    """Return the pairs of decks of a path whose scores are counted jointly.

    The base is paired with each other deck, and each deck with the next.

    >>> list_step_pairs(4)
    ((0, 1), (0, 2), (0, 3), (1, 2), (2, 3))
    """
    pairs_with_base = [(0, deck) for deck in range(1, decks)]
    steps = [(deck - 1, deck) for deck in range(2, decks)]
    return (*pairs_with_base, *steps)


def summarize_validation(
    policy: str,
    opponents: Sequence[tuple[str, float]],
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    margin: float,
) -> ValidationGames:
    """Return the win rates and gains in the games of a path of decks.

    `opponents` has the name of each opponent, and its share of the field. `tables` and
    `tallies` have its games. Differences up to `margin` do not matter.
    """
    shares = [share for _, share in opponents]
    deck_count = len(tables[0].patches)
    last = deck_count - 1
    names = tuple(str(deck) for deck in range(deck_count))
    games = SameGames(names, tables, tallies, margin, shares=shares)
    entries = []
    for index, (name, _) in enumerate(opponents):
        entries.append(_make_entry(name, games.against(index), last, len(opponents)))
    gains = []
    for deck in range(1, deck_count):
        step = games.difference((deck - 1, deck), last)
        gains.append(Gain(step, so_far=games.difference((0, deck), last)))
    sets = sum(int(tally[0, Head.SETS]) for tally in tallies)
    return ValidationGames(
        policy,
        ROTATION * sets // len(opponents),
        _make_entry(OVER_FIELD, games, last, 1),
        tuple(entries),
        tuple(gains),
    )


def _make_entry(
    name: str, games: SameGames, last: int, simultaneous: int
) -> OpponentEntry:
    """Return the results of the base and of the deck number `last`, which may be it.

    `simultaneous` is how many intervals hold together.
    """
    if last == 0:
        return OpponentEntry(name, (games.rate(0),), ())
    gain = games.difference((0, last), simultaneous)
    return OpponentEntry(name, (games.rate(0), games.rate(last)), (gain,))
