"""`deckcheck scenario`: play positions and check the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.options.shared import CardDb, Color, OutputFile
from deckcheck.cli.printing import tell, tell_notes
from deckcheck.findings.errors import UsageError

if TYPE_CHECKING:
    from deckcheck.scenarios import ScenarioResult


CLEAN, FAILED, MISUSE = 0, 1, 2


def scenario(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|FOLDER...",
            help="Scenario files, folders of them, or - for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.scenario_outputs,
            help="How to write the results: text (default) or json. FORMAT:FILE "
            "writes a file. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    color: Color = "auto",
    quiet: Annotated[
        int,
        typer.Option(
            "--quiet",
            "-q",
            count=True,
            show_default=False,
            help="Print failures only; given twice, nothing at all.",
        ),
    ] = 0,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Show the final position of every file, not only of a single one.",
        ),
    ] = False,
    card_db: CardDb = None,
) -> int:
    """Play positions and check the outcome.

    Exit code 0: every expectation holds; 1: one does not, or a forbidden move is
    legal; 2: a file is wrong, or one of its moves is against the rules.
    """
    from deckcheck.cli.outputs import read_outputs, write_outputs
    from deckcheck.decks.discovery import shown_path
    from deckcheck.scenarios import run_scenario
    from deckcheck.scenarios.discovery import find_scenarios
    from deckcheck.scenarios.output import WRITERS, ScenarioRun

    outputs = read_outputs(output_format or (), WRITERS, output)
    if not paths:
        raise UsageError(
            "No scenarios given", "Name files or folders, or `-` for standard input"
        )
    notes: list[str] = []
    files = find_scenarios(paths, notes)
    tell_notes(notes, quiet=bool(quiet))
    results = [
        run_scenario(file, "<stdin>" if file is None else shown_path(file), card_db)
        for file in files
    ]
    shows_all = verbose or (len(results) == 1 and not quiet)
    write_outputs(ScenarioRun(tuple(results), shows_all), outputs, color, quiet)
    _tell_faults(results)
    if any(result.faults for result in results):
        return MISUSE
    return CLEAN if all(result.ok for result in results) else FAILED


def _tell_faults(results: list[ScenarioResult]) -> None:
    for result in results:
        for fault in result.faults:
            tell(f"error: {fault}")
            if fault.help:
                tell(f"help: {fault.help}")
