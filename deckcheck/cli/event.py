"""`deckcheck event`: check a whole tournament described in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli.options import CardDb
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote

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
    card_db: CardDb = None,
) -> int:
    """Check a tournament: a legal list for every player, a player for every list.

    The summary, as Markdown, goes to standard output, problems to standard error. Only
    an event without problems is sealed.
    """
    from deckcheck.events import changes, check_event, summary
    from deckcheck.events import seal as sealed

    if seal is not None and verify is not None:
        raise UsageError("`--seal` and `--verify` exclude each other")
    found = check_event(file, card_db)
    problems = [*found.problems]
    for finding in found.run.findings:
        if finding.severity == "error":
            start = finding.span.start
            place = f"{finding.path}:{start.line}:{start.column}"
            problems.append(f"{place}: {finding.name}: {finding.message}")
    if verify is not None:
        problems += changes(found, verify)
    typer.echo(summary(found), nl=False)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        return FINDINGS
    if seal is not None:
        try:
            seal.write_text(sealed(found), encoding="utf-8")
        except OSError as error:
            message = f"Cannot write {quote(str(seal))}: {error.strerror}"
            raise UsageError(message) from None
    return CLEAN
