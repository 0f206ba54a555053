"""A study: a question about decks that is answered by playing.

The interface of a run directory to the kinds of study. All studies are listed in
`deckcheck/studies/registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypedDict, TypeVar, Unpack, cast

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import game_count, option, quote
from deckcheck.sim.blocks import Records
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.provenance import Provenance, collect_provenance
from deckcheck.sim.result_header import ResultHeader
from deckcheck.sim.scheduler import Watch
from deckcheck.sim.workers import Executor

Q = TypeVar("Q")
R_co = TypeVar("R_co", covariant=True)

SIMULATE = "simulate"
"""The kind of a simulation."""

DECKS = "decks"
"""What the decks of a simulation are there for: to meet each other."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a study. `result` has the games so far, None before the first."""

    def __init__(self, result: ResultHeader | None) -> None:
        super().__init__()
        self.result = result


class WorkerOptions(TypedDict, total=False):
    """How games are played. None of it changes a result."""

    jobs: int
    """The number of workers."""
    executor: Executor | None
    """The executor that plays blocks instead of threads."""
    block_sets: int | None
    """The fixed number of sets of a block."""
    watch: Watch | None
    """Is called with the progress."""


class RunOptions(WorkerOptions, total=False):
    """How a study is run."""

    while_compiling: AbstractContextManager[object] | None
    """The context in which the engine is loaded, or compiled."""
    announces: bool
    """Whether a compilation is announced on standard error."""


@dataclass(frozen=True, slots=True)
class StudySpec(Generic[Q]):
    """All that decides the games of a study: `decks` has the decks of each role."""

    format: Format
    database: CardDatabase
    question: Q
    decks: Mapping[str, tuple[Entrant, ...]]

    def role(self, name: str) -> tuple[Entrant, ...]:
        """Return the decks of a role, or an empty tuple."""
        return self.decks.get(name, ())

    @property
    def provenance(self) -> Provenance:
        """The basis of its games, with the decks of all roles."""
        entrants = (entrant for role in self.decks.values() for entrant in role)
        return collect_provenance(
            self.format, self.database, (entrant.deck for entrant in entrants)
        )


class Study(ABC, Generic[Q, R_co]):
    """A question `Q` about decks. `run` plays, and returns the answer `R_co`.

    It is deterministic: the same tallies lead to the same games. So a study continues
    when it is run again with records of the games that need not be played again.
    """

    KIND: ClassVar[str]
    """The command that asks it: `compare`; or what an option of one asks: `redraws`."""

    QUESTION: ClassVar[type]
    """What `question` is: a frozen dataclass of plain values, which pydantic reads."""

    TABLES_ARE_PLANNED: ClassVar[bool] = False
    """Whether decks and question alone decide what the job of each number plays."""

    @property
    @abstractmethod
    def spec(self) -> StudySpec[Q]:
        """The settings that decide the games."""

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: StudySpec[Q]) -> Self:
        """Return the study that a specification asks for."""

    @abstractmethod
    def run(
        self, *, records: Records | None = None, **options: Unpack[RunOptions]
    ) -> R_co:
        """Play all games and return the result.

        Games in `records` are not played again, new games are added to them, and the
        result then has no times. Raises Interrupted, a KeyboardInterrupt, with the
        games so far, otherwise as `play_jobs`.
        """

    def with_games(self, games: int) -> Self:
        """Return the same question with another number of games."""
        spec = self.spec
        question = replace(cast(Any, spec.question), games=games)
        return self.from_spec(replace(spec, question=question))

    @classmethod
    def deciding(cls, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a question that decide games, besides their tables.

        Fields that decide how many games are played are left out.
        """
        return {"seed": question["seed"]}

    def check_shards(self, shards: int) -> None:
        """Raise UsageError unless its games can be played in that number of shards."""
        raise UsageError(
            f"A run of {quote(self.KIND)} cannot be played in shards: what it plays "
            "depends on all games before",
            f"Play it in one folder; {option('executor')} plays on many machines",
        )


def check_every_shard_plays(games: int, sets: int, rotation: int, shards: int) -> None:
    """Refuse shards if some would have none of the `sets` of a table."""
    if sets < shards:
        parts = {1: "one by one", 2: "in pairs"}
        played = parts.get(rotation, f"{rotation} at a time")
        raise UsageError(
            f"{game_count(games)} are too few for {shards:,} shards: they are played "
            f"{played}",
            "Ask for fewer shards, or more games",
        )
