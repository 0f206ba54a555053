"""`deckcheck scenario`: play positions and check the outcome."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli.options import CardDb
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError

if TYPE_CHECKING:
    from deckcheck.scenarios import ScenarioResult

__all__ = ["scenario"]

CLEAN, FAILED, MISUSE = 0, 1, 2


def scenario(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|FOLDER...",
            help="Scenario files, or folders of them.",
            show_default=False,
        ),
    ] = None,
    *,
    output_format: Annotated[
        Literal["text", "json"],
        typer.Option("--output-format", help="How the results are written."),
    ] = "text",
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
    from deckcheck.decks.discovery import shown_path
    from deckcheck.scenarios import run_scenario
    from deckcheck.scenarios.discovery import find_scenarios

    if not paths:
        raise UsageError("No scenarios given", "Name files or folders")
    files = find_scenarios(paths)
    results = [run_scenario(file, shown_path(file), card_db) for file in files]
    if quiet < 2:
        shows_all = verbose or (len(results) == 1 and not quiet)
        _write(results, output_format, is_quiet=bool(quiet), shows_all=shows_all)
    if any(result.faults for result in results):
        return MISUSE
    return CLEAN if all(result.ok for result in results) else FAILED


def _write(
    results: list[ScenarioResult],
    output_format: str,
    *,
    is_quiet: bool,
    shows_all: bool,
) -> None:
    from deckcheck.cli import close_pipe
    from deckcheck.scenarios.output import as_json, as_text, summary

    try:
        if output_format == "json":
            sys.stdout.write(as_json(results))
        else:
            sys.stdout.write(as_text(results, verbose=shows_all))
            if not is_quiet:
                print(summary(results))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the verdict stays what it is.
        close_pipe(sys.stdout)
    for result in results:
        for fault in result.faults:
            tell(f"error: {fault}")
            if fault.help:
                tell(f"help: {fault.help}")
