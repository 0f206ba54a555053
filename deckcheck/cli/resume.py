"""`deckcheck resume`: go on with a run, extend it, or print its result again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli.options import (
    AllMatchups,
    CardDb,
    Color,
    ExecutorName,
    GamesTableFile,
    Jobs,
    OutputFile,
    Progress,
    Quiet,
    ResultFormat,
    Scheduler,
)
from deckcheck.cli.playing import How, check_table, command_to_resume, play, play_all
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural, quote

__all__ = ["resume"]


def resume(
    ctx: typer.Context,
    run: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of the run.")
    ],
    *,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            min=1,
            help="Extend the run to so many games of each matchup.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    scheduler: Scheduler = None,
    output_format: ResultFormat = None,
    output: OutputFile = None,
    all_matchups: AllMatchups = False,
    games_table: GamesTableFile = None,
    progress: Progress = "auto",
    color: Color = "auto",
    quiet: Quiet = 0,
    card_db: CardDb = None,
) -> int:
    """Play what is missing of a run, and print its result.

    Decks, format and all other settings are those that the run began with, whatever
    has become of their files.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.report import plan_writers, writers
    from deckcheck.sim.runs.directory import open_run
    from deckcheck.sim.runs.series import runs_of

    names = runs_of(run)
    if names is not None and games is not None:
        raise UsageError(
            f"{quote(str(run))} holds {plural(len(names), 'run')}",
            f"Extend one of them: `deckcheck resume {run / names[0]} --games {games}`",
        )
    known = writers if names is None else plan_writers
    outputs = read_outputs(
        output_format or (), known(all_matchups=all_matchups), output
    )
    command = command_to_resume(ctx, run)
    how = How(
        jobs,
        executor,
        scheduler,
        outputs,
        color,
        quiet,
        command,
        progress,
        games_table,
    )
    check_table(how, len(names or ()))
    if names is not None:
        runs = [(name, open_run(run / name, card_db)) for name in names]
        check_places(files_of(outputs))
        return play_all(runs, how)
    found = open_run(run, card_db)
    check_places(files_of(outputs))
    if games is not None:
        found = found.extended(games)
    return play(found, how)
