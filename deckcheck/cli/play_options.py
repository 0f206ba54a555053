"""Options of the commands that play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import TypedJudging, TypedSimulation
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    FormatName,
    Full,
    OutputFile,
    Rules,
    quiet_option,
)
from deckcheck.cli.playing import How, command_to_resume, play
from deckcheck.cli.settings import PATHS, Color
from deckcheck.sim import MOST_JOBS
from deckcheck.specs import USUAL, GamesSpec

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.cli.output import Output
    from deckcheck.sim.study import Study


# Options that decide which games are played, for all commands that play


def policy_option(help: str) -> Any:
    """The option that names players, as `help` explains it."""
    return typer.Option(
        "--policy",
        metavar="NAME",
        autocompletion=completing.policies,
        help=help,
        show_default=USUAL,
    )


def field_option(help: str) -> Any:
    """The option that names a field of decks, as `help` explains it."""
    return typer.Option("--against", metavar=PATHS, help=help)


AllowIllegal = Annotated[
    bool, typer.Option(help="Let illegal decks play; by default they stop the command.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingOptions:
    """Who meets whom, and how decks are judged before they play."""

    format: FormatName = None
    as_of: AsOf = None
    rule: Rules = None
    against: Annotated[
        list[str] | None,
        field_option(
            "The field: decks to play against, such as meta/*.deck, or `reference` "
            "for that of the format. Takes every path up to the next option; decks "
            "named before it meet the field, and not each other."
        ),
    ] = None
    gauntlet: Annotated[
        bool,
        typer.Option(
            help="Let the first deck meet all others, which do not meet each other."
        ),
    ] = False
    allow_illegal: AllowIllegal = False

    def entry(
        self, decks: Sequence[str], card_db: Root, question: GamesSpec
    ) -> TypedSimulation:
        """What was typed with these decks; UsageError for matchups that are none."""
        judging = TypedJudging(
            self.format, card_db, self.rule or (), self.as_of, self.allow_illegal
        )
        against = self.against or ()
        request = question.request()
        return TypedSimulation(decks, request, judging, against, self.gauntlet)


# The options of all commands that play: by whom, and how it is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """What changes no result, but for `card_db`."""

    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="NUMBER",
            min=1,
            max=MOST_JOBS,
            help="Most worker processes to use, such as 4. Their number changes no "
            "result.",
            show_default="cores",
        ),
    ] = None
    executor: Annotated[
        Literal["processes", "in-process", "dask"],
        typer.Option(
            help="Where games are played: in several processes, in this process "
            "alone, or on a Dask cluster."
        ),
    ] = "processes"
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="With --executor dask: address of the Dask scheduler, such as "
            "tcp://host:8786; by default this machine does the work.",
        ),
    ] = None
    output: OutputFile = None
    full: Full = False
    progress: Annotated[
        Literal["auto", "bar", "lines", "json", "none"],
        typer.Option(
            help="How to show progress on standard error; auto is a bar on a "
            "terminal, and lines elsewhere."
        ),
    ] = "auto"
    color: Color = "auto"
    quiet: Annotated[
        int,
        quiet_option(
            "Show no progress and no notes; given twice, print nothing at all."
        ),
    ] = 0
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
        from deckcheck.sim.run_directory import new_run

        kept = new_run(run, study, shard=shard, card_db=self.card_db)
        return play(kept, self.how(outputs, command_to_resume(ctx, run)))
