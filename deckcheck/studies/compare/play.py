"""Versions of a deck against a field of others, until it is clear which is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from math import ceil
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.playing.host.table import seat
from deckcheck.playing.host.versions import ROTATION, Versions, seat_versions
from deckcheck.playing.tally import CHECKSUM_MASK, Ints
from deckcheck.sim.defaults import COMPARE_MARGIN, LARGEST_SEED, MOST_GAMES
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.scheduling.scheduler import StoppedEarly
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.simulation import (
    Interrupted,
)
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.inputs import enter
from deckcheck.studies.compare.result import ComparisonResult
from deckcheck.studies.differences import (
    Against,
    against,
    differences,
    every_pair,
    looks,
)
from deckcheck.studies.duel_study import (
    DuelStudy,
    check_meetings,
    check_policies,
    field_of,
)
from deckcheck.validation import DeckReport

SMALLEST_MARGIN = 0.01
MOST_SETS = MOST_GAMES // ROTATION
TWO = 2


@dataclass(frozen=True, slots=True)
class Question:
    """What a user asks.

    `games` are those of each version with each opponent; None plays until it is clear.
    `margin` is the difference in points that does not matter any more. `policies` are
    who plays all decks, or the versions and the field.
    """

    __pydantic_config__ = CLOSED

    seed: int
    policies: tuple[str, ...]
    games: int | None = None
    margin: float = COMPARE_MARGIN

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, LARGEST_SEED)
        if self.games is not None:
            check_range("games", self.games, 1, MOST_GAMES)
        if not SMALLEST_MARGIN <= self.margin <= 100:
            raise UsageError(
                f"{option('margin')} is {self.margin:g}, must be {SMALLEST_MARGIN:g} "
                "to 100",
                "It is the difference in points that does not matter to you",
            )
        check_policies(self.policies, "versions")


class _Look(NamedTuple):
    """What there was at a look: its number, and the sets with each opponent."""

    number: int
    sets: int
    tallies: tuple[Ints, ...]


@dataclass(frozen=True)
class Comparison(DuelStudy[Question, ComparisonResult]):
    """What is to be compared; `run` does it."""

    KIND = "compare"
    QUESTION = Question

    format: Format
    database: CardDatabase
    question: Question
    versions: tuple[Entrant, ...]
    field: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[Question]:
        """What decides what is played."""
        decks = {"versions": self.versions, "field": self.field}
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[Question]) -> Comparison:
        """The comparison that asks this."""
        decks = spec.role("versions"), spec.role("field")
        return cls(spec.format, spec.database, spec.question, *decks)

    def extended(self, games: int) -> Comparison:
        """The same comparison with another number of games, where it has one."""
        if self.question.games is None:
            raise UsageError(
                "A comparison that ends when it is clear has no number of games",
                f"Begin another one with a smaller {option('margin')}, or with "
                f"{option('games')}",
            )
        return replace(self, question=replace(self.question, games=games))

    def check_shards(self, shards: int) -> None:
        """Refuse shards where the end depends on all games, and empty ones."""
        games = self.question.games
        if games is None:
            raise UsageError(
                "A comparison looks at all games to see whether it is clear, a shard "
                "has some",
                "Compare in one folder, or a fixed number of games in shards",
            )
        if ceil(games / ROTATION) < shards:
            raise UsageError(
                f"{games:,} games are too few for {shards:,} shards: they are played "
                "in pairs",
                "Ask for fewer shards, or more games",
            )

    @cached_property
    def tables(self) -> list[Versions]:
        """A table for each opponent; raises EngineError for what cannot be played."""
        pairs = every_pair(len(self.versions))
        seats = [seat(version.deck, version.policy) for version in self.versions]
        return [
            seat_versions(
                self.format,
                self.database,
                seat(opponent.deck, opponent.policy),
                seats,
                pairs,
            )
            for opponent in self.field
        ]

    def jobs(self, sets: int) -> list[Job]:
        """The games with each opponent, as one job each."""
        first = self.versions[0]
        return [
            Job(
                number,
                f"{first.name} against {opponent.name}",
                table,
                (opponent.policy, first.policy),
                sets,
                ROTATION * len(self.versions),
            )
            for number, (opponent, table) in enumerate(
                zip(self.field, self.tables, strict=True)
            )
        ]

    def answer(self, games: GameSession) -> ComparisonResult:
        """Play until the answer is clear, or the games that were asked for."""
        engines = tuple(dict.fromkeys(table.engine for table in self.tables))
        checkpoint: _Look | None = None
        try:
            for look, sets in self._schedule():
                games.until = f"look {look}" if look else ""
                games.play(self.jobs(sets), engines)
                checkpoint = self._look(games, look, sets)
                if look and self._is_clear(checkpoint):
                    break
        except StoppedEarly:
            if checkpoint is None:
                raise Interrupted(None) from None
            result = self._result(games, checkpoint)
            raise Interrupted(replace(result, complete=False)) from None
        assert checkpoint is not None
        return self._result(games, checkpoint)

    def _look(self, games: GameSession, number: int, sets: int) -> _Look:
        tallies = tuple(games.tallies[place] for place in range(len(self.field)))
        return _Look(number, sets, tallies)

    def _is_clear(self, look: _Look) -> bool:
        """As `ComparisonResult.is_clear`, without all else that a result says."""
        margin = self.question.margin / 100
        gaps = differences(self.tables, look.tallies, margin=margin, anytime=True)
        return all(
            gap.is_known(margin) for gap in gaps if (gap.a, gap.b) not in self.twins
        )

    @cached_property
    def twins(self) -> tuple[tuple[int, int], ...]:
        """The versions, two each, that are the same deck and played alike."""
        decks = [_identity(version) for version in self.versions]
        pairs = every_pair(len(decks))
        return tuple((a, b) for a, b in pairs if decks[a] == decks[b])

    def _schedule(self) -> Iterator[tuple[int, int]]:
        """The looks by number, and after how many sets; one, numbered 0, if fixed."""
        games = self.question.games
        if games is not None:
            return iter([(0, -(-games // ROTATION))])
        return zip(count(1), looks(len(self.field), MOST_SETS), strict=False)

    def _result(self, games: GameSession, checkpoint: _Look) -> ComparisonResult:
        look, sets, tallies = checkpoint
        pairs = zip(self.tables, tallies, strict=True)
        checksum = sum(table.checksum(tally) for table, tally in pairs) & CHECKSUM_MASK
        games_of_each = ROTATION * sets
        return ComparisonResult(
            **self.head(games, (*self.versions, *self.field)),
            games=games_of_each,
            games_played=games_of_each * len(self.versions) * len(self.field),
            checksum=f"{checksum:012x}",
            versions=tuple(version.name for version in self.versions),
            field=self._against(None, tallies, anytime=look > 0),
            opponents=tuple(
                self._against(number, tallies[number : number + 1], anytime=look > 0)
                for number in range(len(self.field))
            ),
            margin=self.question.margin / 100,
            looks=look,
            twins=self.twins,
        )

    def _against(
        self, number: int | None, tallies: Sequence[Ints], *, anytime: bool
    ) -> Against:
        """The figures against one opponent, or all of them."""
        return against(
            None if number is None else self.field[number].name,
            self.tables if number is None else self.tables[number : number + 1],
            tallies,
            margin=self.question.margin / 100,
            anytime=anytime,
            rows=1 if number is None else len(self.field),
            twins=self.twins,
        )


def _identity(entrant: Entrant) -> tuple[object, ...]:
    """What decides how a deck plays: its name does not."""
    deck = entrant.deck
    held = dict(deck.counts()), dict(deck.reserve_counts())
    return (deck.faction, deck.leader, *held, entrant.policy)


def comparison_of(
    fmt: Format,
    database: CardDatabase,
    versions: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: Question,
) -> Comparison:
    """The comparison of the decks of `versions` as `fmt` is played.

    Raises UsageError for too few decks, and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    if len(versions) < TWO:
        raise UsageError(
            f"Found {plural(len(versions), 'version')}, needs at least 2",
            "Name the old deck and the new one; the field goes with "
            f"{option('against')}",
        )
    field = field_of(opponents, question.policies)
    own = tuple(enter(versions, [question.policies[0]]))
    return Comparison(fmt, database, question, own, field)
