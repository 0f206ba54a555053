"""`deckcheck impact`: what each card of a deck is worth, and which one to cut."""

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

__all__ = ["impact"]

FINDINGS = 1


def impact(
    ctx: typer.Context,
    deck: Annotated[
        str | None,
        typer.Argument(
            metavar="DECK", help="A file or a share code.", show_default=False
        ),
    ] = None,
    *,
    against: Against = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Games of each version of the deck, over the whole field.",
        ),
    ] = 4_000,
    seed: Seed = DEFAULT_SEED,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            autocompletion=completing.policies,
            help="Who plays: once for all, or once for the deck and once for the "
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
    """Find out what each card of a deck is worth, and which one to cut.

    Each card is replaced by average cards and by the best legal ones, and all versions
    play the same games. What is tried is chosen in a first trial; the figures are from
    other games. Results depend on deck, field, format, policies, seed and games alone.
    """
    from deckcheck.analysis.impact import ImpactQuestion, impact_of
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.formats import database_of
    from deckcheck.report import impact_writers
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.reports import common_format

    outputs = read_outputs(output_format or (), impact_writers(), output)
    question = ImpactQuestion(seed, known_policies(policy), games)
    if not deck:
        raise UsageError("No deck given", "Name the deck whose cards are weighed")
    if not against:
        raise UsageError("No field given", "Name opponents with `--against`")
    judging = Judging(format, card_db, rule or (), as_of, allow_illegal)
    try:
        decks, _ = read_decks(ctx, [deck], judging, quiet=quiet > 0)
        field, _ = read_decks(ctx, against, judging, quiet=quiet > 0)
        check_legal([*decks, *field], judging)
    except IllegalDeckError as error:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        refuse(error, sys.stdout if shows_table else sys.stderr, color, quiet)
        return FINDINGS
    fmt = common_format([*decks, *field])
    database = database_of(fmt, card_db)
    weighed = impact_of(fmt, database, decks, field, question)
    check_places(files_of(outputs))
    how = How(jobs, executor, scheduler, outputs, color, quiet, progress=progress)
    return play(weighed, how)
