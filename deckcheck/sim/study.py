"""A study: a question about decks that is answered by playing.

What a kind of study says here is all that a run directory has to know of it. All
studies are listed in `deckcheck/studies/registry.py`.
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
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Records
from deckcheck.sim.provenance import Provenance, collect_provenance
from deckcheck.sim.scheduler import Watch
from deckcheck.sim.standings import ResultHeader
from deckcheck.sim.workers import Executor

Q = TypeVar("Q")
R_co = TypeVar("R_co", covariant=True)

SIMULATE = "simulate"
"""The kind of a simulation."""

DECKS = "decks"
"""What the decks of a simulation are there for: to meet each other."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a study; `result` has what was played, None if nothing was."""

    def __init__(self, result: ResultHeader | None) -> None:
        super().__init__()
        self.result = result


class WorkerOptions(TypedDict, total=False):
    """How games are played; none of it changes a result.

    `jobs` and `executor` say where, in blocks of `block_sets` sets where they are
    fixed; `watch` hears of progress.
    """

    jobs: int
    executor: Executor | None
    block_sets: int | None
    watch: Watch | None


class RunOptions(WorkerOptions, total=False):
    """How a study is run: the engine is loaded, or compiled, within `while_compiling`.

    A compilation is announced on standard error if `announces`.
    """

    while_compiling: AbstractContextManager[object] | None
    announces: bool


@dataclass(frozen=True, slots=True)
class StudySpec(Generic[Q]):
    """All that decides what a study plays: `decks` are those of each role in it."""

    format: Format
    database: CardDatabase
    question: Q
    decks: Mapping[str, tuple[Entrant, ...]]

    def role(self, name: str) -> tuple[Entrant, ...]:
        """Return the decks of a role, or an empty tuple."""
        return self.decks.get(name, ())

    @property
    def provenance(self) -> Provenance:
        """What its games stand on, with the decks of all roles."""
        entrants = (entrant for role in self.decks.values() for entrant in role)
        return collect_provenance(
            self.format, self.database, (entrant.deck for entrant in entrants)
        )


class Study(ABC, Generic[Q, R_co]):
    """A question `Q` about decks; `run` plays, and returns the answer `R_co`.

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
        """What decides what is played."""

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: StudySpec[Q]) -> Self:
        """Return the study that a specification asks for."""

    @abstractmethod
    def run(
        self, *, records: Records | None = None, **options: Unpack[RunOptions]
    ) -> R_co:
        """Play all games and return the result.

        With `records`, what they hold is not played again, what is played is added to
        them, and the result says nothing of the time it took. Raises Interrupted, a
        KeyboardInterrupt, with what was played until then; otherwise as `play_jobs`.
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
    """Refuse shards of which some would have none of the `sets` of a table."""
    if sets < shards:
        parts = {1: "one by one", 2: "in pairs"}
        played = parts.get(rotation, f"{rotation} at a time")
        raise UsageError(
            f"{game_count(games)} are too few for {shards:,} shards: they are played "
            f"{played}",
            "Ask for fewer shards, or more games",
        )
