"""The options of all commands that play: by whom, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.options.shared import (
    CardDb,
    Color,
    ExecutorName,
    Jobs,
    OutputFile,
    Progress,
    Quiet,
    Scheduler,
)
from deckcheck.cli.playing import How, command_to_resume, play

if TYPE_CHECKING:
    from deckcheck.cli.outputs import Output
    from deckcheck.sim.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """What changes no result, but for `card_db`."""

    jobs: Jobs = None
    executor: ExecutorName = "processes"
    scheduler: Scheduler = None
    output: OutputFile = None
    progress: Progress = "auto"
    color: Color = "auto"
    quiet: Quiet = 0
    card_db: CardDb = None

    def how(self, outputs: Sequence[Output[Any]], resume: str = "", **more: Any) -> How:
        """How games are played and shown; see `How` for `resume` and what is `more`."""
        return How(
            *(self.jobs, self.executor, self.scheduler, outputs),
            *(self.color, self.quiet, resume, self.progress),
            **more,
        )

    def play(
        self,
        ctx: typer.Context,
        study: Study[Any, Any],
        outputs: Sequence[Output[Any]],
        run: Path | None,
        shard: str | None = None,
    ) -> int:
        """Play a study, kept in the folder `run` if one is named; see `play`."""
        if run is None:
            return play(study, self.how(outputs, could_be_kept=True))
        from deckcheck.sim.runs.directory import new_run

        kept = new_run(run, study, shard=shard, card_db=self.card_db)
        return play(kept, self.how(outputs, command_to_resume(ctx, run)))
