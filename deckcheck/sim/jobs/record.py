"""The memory of a run for its blocks: none, or a run directory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from deckcheck.playing.tally import Ints
from deckcheck.sim.jobs.blocks import Block, Job

GAMES = "games"
"""The part of a run that all others lead up to."""

MEASURING = "measuring"
"""The part in which decks of lineups are measured against each other."""


Played: TypeAlias = Sequence[tuple[Block, Ints]]
"""Blocks, with their tallies."""


class Record(Protocol):
    """Remembers the blocks of some jobs, which differ in their numbers."""

    def played(self, job: Job) -> tuple[int, Ints | None]:
        """How many sets of `job` were played before, and their tally."""

    def missing(self, job: Job) -> list[range]:
        """The sets of `job` that are to be played, in order, without overlap."""

    def add(self, played: Played) -> None:
        """Remember blocks that were played; raises SimulationError if it cannot."""


Records: TypeAlias = Callable[[str], Record]
"""Gives the record of a part of a run, by its name."""


class Unrecorded:
    """Remembers nothing: all is to be played."""

    def played(self, job: Job) -> tuple[int, Ints | None]:
        """Nothing."""
        return 0, None

    def missing(self, job: Job) -> list[range]:
        """All sets."""
        return [range(job.sets)]

    def add(self, played: Played) -> None:
        """Forget them."""
