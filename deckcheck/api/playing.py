"""Where and how the games of a call are played: workers, progress, run directory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from deckcheck.api.entering import reports_of, validator
from deckcheck.arguments import (
    Judging,
    Target,
    callable_or_none,
    flag,
    folder,
    targets_of,
    whole_number,
)
from deckcheck.findings import UsageError
from deckcheck.validation import DeckReport

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase
    from deckcheck.formats import Format
    from deckcheck.sim.runs.directory import RunDirectory
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.sim.study import Study

__all__ = ["Entered", "Playing", "decks_of", "entered"]


R = TypeVar("R")


class Playing(NamedTuple):
    """The arguments that change no result; `place` is the folder of `run`."""

    jobs: int
    executor: Executor | None
    progress: Callable[[Progress], None] | None
    place: Path | None
    shard: str | None

    @classmethod
    def of(
        cls,
        jobs: int,
        executor: Executor | None,
        progress: Callable[[Progress], None] | None,
        run: Target | None = None,
        shard: str | None = None,
    ) -> Playing:
        """Check the five arguments."""
        workers = whole_number("jobs", jobs)
        callable_or_none("executor", executor, "submit")
        callable_or_none("progress", progress)
        place = folder("run", run)
        if place is None and shard is not None:
            raise UsageError("`shard` goes with `run` only", "Name a folder as `run`")
        return cls(workers, executor, progress, place, shard)

    def play(self, study: Study[Any, R], judging: Judging, **more: Any) -> R:
        """Play all of a study, or what is missing of it where it is kept."""
        if self.place is None:
            return self.go_on(study, **more)
        from deckcheck.sim.runs.directory import new_run

        kept = new_run(self.place, study, shard=self.shard, card_db=judging.root)
        return self.go_on(kept, **more)

    def go_on(
        self, what: Study[Any, R] | RunDirectory[Study[Any, R]], **more: Any
    ) -> R:
        """Play it."""
        return what.run(
            jobs=self.jobs, executor=self.executor, watch=self.progress, **more
        )


def decks_of(given: Sequence[object], what: str, judging: Judging) -> list[DeckReport]:
    """The decks that are given to the function `what`, read and judged."""
    return reports_of(tuple(targets_of(given, what)), judging)


class Entered(NamedTuple):
    """The decks of a question, judged, by the groups in which they were given."""

    format: Format
    database: CardDatabase
    groups: tuple[list[DeckReport], ...]


def entered(
    what: str,
    judging: Judging,
    *groups: Sequence[object],
    field: Sequence[object] = (),
    allow_illegal: bool,
    alone: bool = False,
) -> Entered:
    """The decks that are given to the function `what`, which all play one format.

    The last group is the `field`, which may name the reference field of that format.
    Each may be empty. Decks of the others are judged `alone` if their files are no
    lineups or teams here. Raises IllegalDeckError and UsageError.
    """
    from deckcheck.sim.build import playable_format
    from deckcheck.sim.tables.inputs import judged_alone
    from deckcheck.sim.tables.reference_field import reference_field, without_reference

    named = [decks_of(group, what, judging) if group else [] for group in groups]
    named = [judged_alone(group) for group in named] if alone else named
    targets = [*targets_of(field, what)] if field else []
    decks, has_reference = without_reference(targets)
    opponents = reports_of(decks, judging)
    fmt, database = playable_format(
        [report for group in (*named, opponents) for report in group],
        validator(judging),
        allow_illegal=flag("allow_illegal", allow_illegal),
    )
    if has_reference:
        opponents = [*reference_field(fmt, judging.root).decks, *opponents]
    return Entered(fmt, database, (*named, opponents))
