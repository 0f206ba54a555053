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
    versions_against,
)

Floats = npt.NDArray[np.float64]
HALF_POINTS = SCORE_COUNT - 1
GAMES_OF_A_BLOCK = 4_000


@dataclass(frozen=True, slots=True)
class Scores:
    """Results of decks: `counts[deck, opponent, s]` sets brought `s` half-points of 4.

    `shares` are those of the opponents in the field, and add up to 1.
    """

    counts: Ints
    shares: Floats

    @property
    def rates(self) -> Floats:
        """The win rate of each deck over the field, from 0 to 1."""
        points = self.counts @ np.arange(SCORE_COUNT)
        means: Floats = points / HALF_POINTS / self.counts.sum(axis=2)
        return means @ self.shares

    @property
    def variances(self) -> Floats:
        """The variance of each of `rates` about what more games would bring.

        The variance of a set against an opponent is taken over all decks, since that
        of a few sets of one deck is mostly chance.
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
        """How many games each deck played."""
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
    """How much each opponent counts, by default all alike. 0 leaves one out."""
    first_job: int = 0
    """The number of the first job."""
    budget: int = 0
    """The number of all games, for progress."""
    played: int = 0
    """The number of games played so far."""
    checksum: int = 0
    note: str = ""
    """The words beside progress."""
    _seats: dict[tuple[int, str | None, str | None], OpenSeat] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        shares = self.shares or [1.0] * len(self.opponents)
        self._met = [number for number, share in enumerate(shares) if share > 0]
        total = sum(shares)
        self.shares = [shares[number] / total for number in self._met]
        self.seat_players(self.policy, self.opponents)
        self.next_job = self.first_job
        self._start: float | None = None
        self._before = self._recorded = 0
        self._numbers = load_game(self.format.game).card_numbers(self.database)

    def seat_players(self, policy: str, opponents: Sequence[Entrant]) -> None:
        """Let `policy` play the decks from now on, and others the same opponents."""
        self.policy = policy
        self.opponents = [opponents[number] for number in self._met]
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
        counts = [t.scores(tally) for t, tally in zip(tables, tallies, strict=True)]
        return Scores(np.stack(counts, axis=1), np.array(self.shares))

    def sets_adding(self, games: int) -> list[int]:
        """Return the sets with each opponent in at most `games` games, by shares."""
        # A whole number of sets may come out a little below itself.
        exact = (games * share / ROTATION + 1e-9 for share in self.shares)
        return [max(1, int(count)) for count in exact]

    def play_jobs(
        self, tables: Sequence[Versions], games: int, label: str, decks: int
    ) -> list[Ints]:
        """Play a table for each opponent, as `play` does; returns their tallies."""
        sets = self.sets_adding(games)
        work = [
            Job(
                self.next_job + i,
                f"{label} against {entrant.name}",
                tables[i],
                (entrant.policy, self.policy),
                sets[i],
                ROTATION * decks,
                names=(label, entrant.name),
            )
            for i, entrant in enumerate(self.opponents)
        ]
        self.next_job += len(work)
        count = sum(job.games * job.sets for job in work)
        self.games.play(
            work,
            (tables[0].engine,),
            block_sets=self.games.block_sets or self._block(work[0]),
            watch=self._watch,
        )
        self.played += count
        self._before += self._recorded or self.games.recalled_games(work[0])
        self._recorded = 0
        tallies = [self.games.tallies[job.number] for job in work]
        self.checksum += sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
        return tallies

    def _block(self, job: Job) -> int:
        """Return the sets of a block: 1 for bots that search, or half a job at most."""
        if any(read_policy(policy).budget for policy in job.policies):
            return 1
        return max(1, min(GAMES_OF_A_BLOCK // job.games, ceil(job.sets / 2)))

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
        kinds = list(dict.fromkeys((deck.faction, deck.leader) for deck in decks))
        for kind in kinds:
            if (opponent, *kind) not in self._seats:
                first = next(d for d in decks if (d.faction, d.leader) == kind)
                self._seats[opponent, *kind] = self._seat(opponent, first)
        return seat_candidates(
            [self._seats[opponent, *kind] for kind in kinds],
            self._numbers,
            [(kinds.index((d.faction, d.leader)), d.counts()) for d in decks],
        )

    def _seat(self, opponent: int, deck: Deck) -> OpenSeat:
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
    return {
        "difference": round_figure(gap.value),
        "interval": ends(gap.interval),
        "verdict": gap.verdict.value,
    }


def _describe_entry(entry: OpponentEntry) -> AgainstDocument:
    base = win_rate(entry.win_rates[0]) if entry.differences else None
    return {
        "win_rate": win_rate(entry.win_rates[-1]),
        "win_rate_of_base": base,
        "difference": _describe_gap(entry.differences[0]) if base else None,
    }


def _describe_opponent(entry: OpponentEntry) -> OpponentDocument:
    return {"name": entry.name, **_describe_entry(entry)}


ShownGap = Annotated[VersionDifference, Shown(_describe_gap, DeckDifferenceDocument)]
ShownEntry = Annotated[OpponentEntry, Shown(_describe_entry, AgainstDocument)]
ShownOpponent = Annotated[OpponentEntry, Shown(_describe_opponent, OpponentDocument)]


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of one change after those before it, and of all of these together."""

    own: VersionDifference
    so_far: VersionDifference


@dataclass(frozen=True, slots=True)
class ValidationGames(Record):
    """Fresh games that had no part in choosing the deck.

    First comes the base, if there is one, then the deck that was found. `gains` are
    those of the changes in their order; the intervals of `own` are simultaneous, and so
    are those of `so_far`.
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


def play_validation_games(
    measure: Measure, decks: Sequence[Deck], games: int, margin: float
) -> ValidationGames:
    """Let each deck play up to `games` games over the field, all of them the same.

    These are the base, the decks that lead from it to the one that was found, a change
    apart, and that deck; or that deck alone. Opponents play, and count, by their shares
    of the field. `margin` is the difference of win rates that does not matter. Raises
    as `play_jobs`.
    """
    seats = [seat(deck, measure.policy) for deck in decks]
    fmt, pairs = measure.format, list_step_pairs(len(decks))
    field = measure.opponents
    tables = versions_against(field, seats, pairs, fmt, measure.database)
    tallies = measure.play_jobs(tables, games, decks[-1].name, len(decks))
    names = [opponent.name for opponent in field]
    shares = list(zip(names, measure.shares, strict=True))
    return summarize_validation(measure.policy, shares, tables, tallies, margin)


def list_step_pairs(decks: int) -> tuple[Pair, ...]:
    """Return the pairs of decks of a path whose scores are counted jointly.

    The base and each other one, and each two that follow each other.
    """
    to_base = [(0, deck) for deck in range(1, decks)]
    steps = [(deck - 1, deck) for deck in range(2, decks)]
    return (*to_base, *steps)


def summarize_validation(
    policy: str,
    opponents: Sequence[tuple[str, float]],
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    margin: float,
) -> ValidationGames:
    """Summarise the games of a path of decks with each opponent.

    These are opponents by name with their shares of the field.
    """
    shares = [share for _, share in opponents]
    decks = len(tables[0].patches)
    names, last = tuple(map(str, range(decks))), decks - 1
    played = SameGames(names, tables, tallies, margin, shares=shares)

    def against(name: str, own: SameGames, together: int) -> OpponentEntry:
        rates = tuple(map(own.rate, dict.fromkeys((0, last))))
        pairs = [(0, last)] if last else []
        gains = tuple(own.difference(pair, together) for pair in pairs)
        return OpponentEntry(name, rates, gains)

    sets = sum(int(tally[0, Head.SETS]) for tally in tallies)
    return ValidationGames(
        policy,
        ROTATION * sets // len(opponents),
        against(OVER_FIELD, played, 1),
        tuple(
            against(name, played.against(i), len(opponents))
            for i, (name, _) in enumerate(opponents)
        ),
        tuple(
            Gain(
                played.difference((to - 1, to), last), played.difference((0, to), last)
            )
            for to in range(1, decks)
        ),
    )
