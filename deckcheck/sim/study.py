"""A study: a question about decks that is answered by playing.

What a kind of study says here is all that a run directory has to know of it. All
studies are listed in `deckcheck/studies/registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.formats import Format
from deckcheck.sim.provenance import Provenance, provenance_of
from deckcheck.sim.tables.entrants import Entrant

SIMULATE = "simulate"
"""The kind of a simulation."""

DECKS = "decks"
"""What the decks of a simulation are there for: to meet each other."""


@dataclass(frozen=True, slots=True)
class StudySpec:
    """All that decides what a study plays: `decks` are those of each role in it."""

    format: Format
    database: CardDatabase
    question: Any
    decks: Mapping[str, tuple[Entrant, ...]]

    def role(self, name: str) -> tuple[Entrant, ...]:
        """The decks of a role, none where there are none."""
        return self.decks.get(name, ())

    @property
    def provenance(self) -> Provenance:
        """What its games stand on, with the decks of all roles."""
        entrants = (entrant for role in self.decks.values() for entrant in role)
        return provenance_of(
            self.format, self.database, (entrant.deck for entrant in entrants)
        )


class Study(ABC):
    """A question about decks; `run` plays, and returns the answer.

    It is deterministic: the same tallies lead to the same games. So a study goes on by
    being run again, with records in which games are that need not be played again.
    """

    KIND: ClassVar[str]
    """The command that asks it: `compare`."""

    QUESTION: ClassVar[type]
    """What `question` is: a frozen dataclass of plain values, which pydantic reads."""

    @property
    @abstractmethod
    def spec(self) -> StudySpec:
        """What decides what is played."""

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: StudySpec) -> Self:
        """The study that asks this."""

    @abstractmethod
    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Play all games and return what came out; see `Simulation.run`.

        With `records`, what they hold is not played again, what is played is added to
        them, and the result says nothing of the time it took.
        """

    def extended(self, games: int) -> Self:
        """The same question with more games; UsageError where that makes no sense."""
        raise UsageError(
            f"A run of {quote(self.KIND)} cannot be extended: what it plays "
            "depends on how many games it has",
            f"Begin another one with `--games {games}` in another folder",
        )

    def check_shards(self, shards: int) -> None:
        """Raise UsageError unless its games can be played in that number of shards."""
        raise UsageError(
            f"A run of {quote(self.KIND)} cannot be played in shards: what it plays "
            "depends on all games before",
            "Play it in one folder; `--executor dask` plays on many machines",
        )
