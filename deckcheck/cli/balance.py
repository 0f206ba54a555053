"""`deckcheck balance`: the smallest changes of cards that balance a field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.entering import Judging, read_decks, refuse
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.play import PlayOptions
from deckcheck.cli.options.shared import Confirm, ConfirmGames, RunFolder
from deckcheck.sim.defaults import CONFIRM

FINDINGS = 1


@grouped
def balance(
    ctx: typer.Context,
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN",
            help="A balance plan: a TOML file with the field, the targets and the "
            "bounds of changes.",
        ),
    ],
    *,
    confirm: Confirm = CONFIRM,
    confirm_games: ConfirmGames = None,
    run: RunFolder = None,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.balance_outputs,
            help="How to write the result: table (default), json, csv, parquet, "
            "markdown, html, or set for a set of the changed cards. FORMAT:FILE writes "
            "a file. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    options: PlayOptions,
) -> int:
    """Find the smallest changes of cards that bring a field to its targets.

    Shows which cards stand out, what to change within the bounds of the plan, and win
    rates before and after, from fresh games that had no part in choosing the changes.
    Results depend only on the plan, --confirm and --confirm-games.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.sim.build import playable_format
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.studies.balance.plan import read_balance_plan
    from deckcheck.studies.balance.tables import BALANCE

    outputs = read_outputs(output_format or (), BALANCE.writers(), options.output)
    balance_plan = read_balance_plan(plan)
    judging = Judging(balance_plan.format, options.card_db, (), balance_plan.file.as_of)
    try:
        reports, _ = read_decks(
            ctx, balance_plan.decks, judging, quiet=options.quiet > 0
        )
        fmt, database = playable_format(reports, judging.validator())
    except IllegalDeckError as error:
        refuse(error, sys.stderr, options.color, options.quiet)
        return FINDINGS
    study = balance_plan.balance(fmt, database, reports, confirm, confirm_games)
    check_places(files_of(outputs))
    return options.play(ctx, study, outputs, run)
