"""`deckcheck event`: check a whole tournament described in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from deckcheck.cli.options import CardDb, OutputFile
from deckcheck.cli.printing import print_file, tell
from deckcheck.cli.writing import write_file
from deckcheck.findings.errors import UsageError

__all__ = ["event"]

CLEAN, FINDINGS = 0, 1


def event(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The event file.")],
    *,
    seal: Annotated[
        Path | None,
        typer.Option("--seal", metavar="FILE", help="Write the hashes of all lists."),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            "--verify", metavar="FILE", help="Say what has changed since the seal."
        ),
    ] = None,
    output_format: Annotated[
        Literal["markdown", "html"],
        typer.Option("--output-format", help="How the summary is written."),
    ] = "markdown",
    output: OutputFile = None,
    card_db: CardDb = None,
) -> int:
    """Check a tournament: a legal list for every player, a player for every list.

    The summary goes to standard output, problems to standard error. Only an event
    without problems is sealed.
    """
    from deckcheck.events import WRITERS, changes, check_event
    from deckcheck.events import seal as sealed

    if seal is not None and verify is not None:
        raise UsageError("`--seal` and `--verify` exclude each other")
    found = check_event(file, card_db)
    problems = [*found.problems]
    if verify is not None:
        problems += changes(found, verify)
    summary = dict(WRITERS)[output_format](found, problems)
    if output is None:
        print_file(summary)
    else:
        write_file(output, summary)
    for note in found.notes:
        tell(f"note: {note}")
    for problem in problems:
        tell(problem)
    if problems:
        return FINDINGS
    if seal is not None:
        write_file(seal, sealed(found))
    return CLEAN
