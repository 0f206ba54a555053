"""`deckcheck report`: what came of a run, as a page or in any other output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.options import AllMatchups, CardDb, Color, OutputFile
from deckcheck.cli.values import OUTPUT
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural

if TYPE_CHECKING:
    from deckcheck.report.runs import Reported

__all__ = ["report"]


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...", help="The folder of a run; two to compare."
        ),
    ],
    *,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write a page there, one file that needs no other.",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Show what changed from one run to another."),
    ] = False,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.report_outputs,
            help="How the result is written: table (default), json, csv, markdown or "
            "html; with a file, there. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    all_matchups: AllMatchups = False,
    color: Color = "auto",
    card_db: CardDb = None,
) -> None:
    """Report on a run: the answer first, then all figures and how they came about.

    No game is played: of a run that is not finished, what there is is shown.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.report.runs import report_writers

    asked = list(output_format or ())
    if html is not None:
        asked.append(f"html:{html}")
    outputs = read_outputs(asked, report_writers(compare, all_matchups), output)
    found = _read(runs, compare, card_db)
    check_places(files_of(outputs))
    write_outputs(found, outputs, color, 0)


def _read(runs: list[Path], compare: bool, card_db: CardDb) -> Reported:
    from deckcheck.report.runs import read_runs

    wanted = 2 if compare else 1
    if len(runs) != wanted:
        raise UsageError(
            f"Got {plural(len(runs), 'run')}, expected {wanted}",
            "Name the run before and the run after"
            if compare
            else "Name one run; two go with `--compare`",
        )
    return read_runs(runs, card_db)
