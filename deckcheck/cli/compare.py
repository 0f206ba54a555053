"""`deckcheck compare`: which version of a deck is better, and how sure that is."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import (
    Judging,
    check_legal,
    known_policies,
    read_decks,
    refuse,
)
from deckcheck.cli.game_options import DEFAULT_SEED, Against, AllowIllegal, Seed
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    Color,
    ExecutorName,
    FormatName,
    Jobs,
    OutputFile,
    Progress,
    Quiet,
    ResultFormat,
    Rules,
    Scheduler,
)
from deckcheck.cli.playing import How, play
from deckcheck.findings.errors import UsageError

__all__ = ["compare"]

FINDINGS = 1


def compare(
    ctx: typer.Context,
    versions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OLD NEW...",
            help="The versions: files, folders, globs or share codes.",
            show_default=False,
        ),
    ] = None,
    *,
    against: Against = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Play so many games of each version with each opponent, "
            "instead of as many as it takes.",
            show_default=False,
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            "--margin",
            metavar="POINTS",
            help="Stop when the difference is surely less than this.",
        ),
    ] = 0.5,
    seed: Seed = DEFAULT_SEED,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            autocompletion=completing.policies,
            help="Who plays: once for all, or once for the versions and once for the "
            "field.",
            show_default="heuristic",
        ),
    ] = None,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    allow_illegal: AllowIllegal = False,
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    scheduler: Scheduler = None,
    output_format: ResultFormat = None,
    output: OutputFile = None,
    progress: Progress = "auto",
    color: Color = "auto",
    quiet: Quiet = 0,
    card_db: CardDb = None,
) -> int:
    """Find out which version of a deck is better against a field of decks.

    All versions play the same games: the same shuffles, the same opponents, common
    cards in the same places. Games are played until the answer is clear. Results depend
    on decks, format, policies, seed, margin and games alone.
    """
    from deckcheck.analysis.comparing import Question, comparison_of
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.formats import database_of
    from deckcheck.report import comparison_writers
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.reports import common_format

    outputs = read_outputs(output_format or (), comparison_writers(), output)
    question = Question(seed, known_policies(policy), games, margin)
    if not versions:
        raise UsageError("No decks given", "Name the old version and the new one")
    if not against:
        raise UsageError("No field given", "Name opponents with `--against`")
    judging = Judging(format, card_db, rule or (), as_of, allow_illegal)
    try:
        decks, _ = read_decks(ctx, versions, judging, quiet=quiet > 0)
        field, _ = read_decks(ctx, against, judging, quiet=quiet > 0)
        check_legal([*decks, *field], judging)
    except IllegalDeckError as error:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        refuse(error, sys.stdout if shows_table else sys.stderr, color, quiet)
        return FINDINGS
    fmt = common_format([*decks, *field])
    database = database_of(fmt, card_db)
    comparison = comparison_of(fmt, database, decks, field, question)
    check_places(files_of(outputs))
    how = How(jobs, executor, scheduler, outputs, color, quiet, progress=progress)
    return play(comparison, how)
