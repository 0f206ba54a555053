"""`deckcheck merge`: several shards become one run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli.printing import say
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import expanded
from deckcheck.findings.words import choice, plural, quote


def merge(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER...", help="Folders of shards, in any order."),
    ],
    *,
    run: Annotated[
        Path | None,
        typer.Option(
            "--run",
            metavar="FOLDER",
            help="New folder for the whole run, such as runs/field1; always needed.",
        ),
    ] = None,
) -> int:
    """Put the shards of a run together; `resume` prints the result.

    Games that are missing, such as those of a lost shard, are played by `resume`, too.
    """
    from deckcheck.sim.runs.merging import merge_runs, missing_shards

    if run is None:
        raise UsageError("`--run FOLDER` is missing", "Name the folder to write")
    runs = expanded(runs)
    merge_runs(runs, run)
    say(f"{plural(len(runs), 'run')} merged into {quote(str(run))}")
    lost = missing_shards(runs)
    if lost:
        say(f"Not among them: {choice(lost, 'and')}")
    does = "plays what is missing" if lost else "prints the result"
    say(f"{quote(f'deckcheck resume {shlex.quote(str(run))}')} {does}")
    return 0
