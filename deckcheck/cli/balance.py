"""`deckcheck balance`: the smallest changes of cards that balance a field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import Judging, read_decks, refuse
from deckcheck.cli.options import (
    CardDb,
    Color,
    Confirm,
    ConfirmGames,
    ExecutorName,
    Jobs,
    OutputFile,
    Progress,
    Quiet,
    RunFolder,
    Scheduler,
)
from deckcheck.cli.playing import How, command_to_resume, play
from deckcheck.cli.values import OUTPUT

__all__ = ["balance"]

FINDINGS = 1


def balance(
    ctx: typer.Context,
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN", help="A TOML file of the field, targets and bounds."
        ),
    ],
    *,
    confirm: Confirm = None,
    confirm_games: ConfirmGames = None,
    run: RunFolder = None,
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    scheduler: Scheduler = None,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.balance_outputs,
            help="How the result is written: table (default), json, csv, markdown, "
            "html, or set, the changes as a set of cards; with a file, there. Can be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    progress: Progress = "auto",
    color: Color = "auto",
    quiet: Quiet = 0,
    card_db: CardDb = None,
) -> int:
    """Find the smallest changes of cards that make a field as it is wanted.

    Which cards stand out, what to change within the bounds of the plan, and win rates
    before and after, on games that nothing was chosen by. Results depend on the plan
    and on who confirms them alone.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.plans.balance import read_balance_plan
    from deckcheck.report import WRITERS
    from deckcheck.sim.entering import played_by
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.runs.directory import new_run

    outputs = read_outputs(output_format or (), WRITERS["balance"](), output)
    known = read_balance_plan(plan)
    judging = Judging(known.format, card_db, (), known.file.as_of)
    try:
        reports, _ = read_decks(ctx, known.decks, judging, quiet=quiet > 0)
        fmt, database = played_by(reports, judging.validator())
    except IllegalDeckError as error:
        refuse(error, sys.stderr, color, quiet)
        return FINDINGS
    study = known.balance(fmt, database, reports, confirm, confirm_games)
    check_places(files_of(outputs))
    again = "" if run is None else command_to_resume(ctx, run)
    how = How(jobs, executor, scheduler, outputs, color, quiet, again, progress)
    if run is None:
        return play(study, how)
    return play(new_run(run, study, card_db=card_db), how)
