"""`deckcheck report`: the result of a run, as a page or in any other output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.options.shared import AllMatchups, CardDb, Color, OutputFile
from deckcheck.cli.planning import tell_expectations
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import expanded
from deckcheck.findings.words import plural
from deckcheck.sim.defaults import LOSSES_SAMPLE

SECONDS_OF_GAME = 0.3
"""About how long it takes to play a game again and to observe it."""


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...",
            help="Folder of a run or of a plan; with --compare the folders of two "
            "runs, with --history of two or more, the oldest first.",
        ),
    ],
    *,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write a web page to this file, which needs no other file.",
            show_default=False,
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            "--plots",
            metavar="FOLDER",
            help="Write the charts of the page to this folder, as PNG and SVG.",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Show what changed between two runs."),
    ] = False,
    history: Annotated[
        bool,
        typer.Option(
            "--history",
            help="Show the win rate of each deck over several runs, one after another.",
        ),
    ] = False,
    losses: Annotated[
        str | None,
        typer.Option(
            "--losses",
            metavar="DECK",
            help="Say how this deck of the run loses: some of its games are played "
            "again, move by move, and observed.",
            show_default=False,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            metavar="NUMBER",
            min=1,
            help="With --losses: about how many games are played again.",
            show_default=str(LOSSES_SAMPLE),
        ),
    ] = None,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.report_outputs,
            help="How to write the result: table (default), json, csv, parquet, "
            "markdown or html. FORMAT:FILE writes a file. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    all_matchups: AllMatchups = False,
    color: Color = "auto",
    card_db: CardDb = None,
) -> None:
    """Report on a run: the answer first, then all figures and how they came about.

    No game is played, but for those of --losses: an unfinished simulation is shown with
    the games it has so far.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.studies.reports import LossesOf, page_of_reported, reported

    asked = list(output_format or ())
    if html is not None:
        asked.append(f"html:{html}")
    runs = expanded(runs)
    if sample is not None and losses is None:
        raise UsageError("`--sample` goes with `--losses` only", "Name a deck with it")
    run_report = reported(
        runs,
        card_db,
        compare=compare,
        history=history,
        all_matchups=all_matchups,
        losses=LossesOf(losses, sample or LOSSES_SAMPLE, _tell_sample)
        if losses is not None
        else None,
    )
    outputs = read_outputs(asked, run_report.writers, output)
    check_places(files_of(outputs))
    if plots is not None:
        from deckcheck.report.plots import write_plots

        write_plots(page_of_reported(run_report.what), plots)
        if not asked and output is None:
            return
    write_outputs(run_report.what, outputs, color, 0)
    if not (compare or history) and losses is None:
        tell_expectations(runs[0])


def _tell_sample(games: int) -> None:
    seconds = max(1, round(games * SECONDS_OF_GAME))
    tell(f"playing {plural(games, 'game')} again, about {plural(seconds, 'second')}")
