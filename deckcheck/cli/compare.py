"""`compare`: the better version of a deck, or the same decks under two formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import build_from_decks, refusing, split_outputs
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.options import ShardName, Weights, group_options
from deckcheck.cli.output import check_places, files_of
from deckcheck.cli.playing import PlaySettings, play
from deckcheck.cli.settings import EXPLAINED_IF_MISSING, nothing_named
from deckcheck.cli.studies import StudyDecks, StudyOptions, play_study
from deckcheck.findings import UsageError
from deckcheck.specs import CompareSpec


@group_options
def compare(
    ctx: typer.Context,
    versions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OLD NEW...",
            help="The versions: files, folders, globs or share codes.",
            show_default=EXPLAINED_IF_MISSING,
        ),
    ] = None,
    *,
    new_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            autocompletion=completing.formats,
            help="Compare formats instead of versions: the decks as they are, or "
            "under --format, with the same decks under this format, such as "
            "what_if.yaml with a changed card. Without any deck the decks of "
            "--against play each other.",
        ),
    ] = None,
    question: CompareSpec,
    weights: Weights = None,
    shard: ShardName = None,
    options: StudyOptions,
) -> int:
    """Find out which version of a deck is better against a field of decks.

    All versions play the same games: the same shuffles, the same opponents, common
    cards in the same places. Games are played until the answer is clear. Results depend
    only on decks, format, policies, seed, margin and games. With --new-format the same
    decks play under two formats, and the answer is the change.
    """
    if new_format is not None:
        from deckcheck.studies.field_change import refuse_second_bot

        for name, value in (("--shard", shard), ("--weights", weights)):
            if value is not None:
                raise UsageError(
                    f"`{name}` does not work with `--new-format`", "Leave either out"
                )
        refuse_second_bot(question)
        return play_change(ctx, versions or [], options, new_format, question)
    if not versions:
        raise nothing_named(
            "decks", "Name the old version and the new version", options.against
        )
    from deckcheck.studies.compare import make_comparison

    decks = StudyDecks(named=versions, weights=weights)
    return play_study(ctx, decks, options, make_comparison, question, shard=shard)


def play_change(
    ctx: typer.Context,
    decks: Sequence[str],
    options: StudyOptions,
    new_format: str,
    question: CompareSpec,
) -> int:
    """Play decks under both formats, write the changes, and return the exit code.

    With a field they meet its decks and not each other. Without decks the decks of the
    field meet each other.
    """
    from deckcheck.sim.seating import Request
    from deckcheck.studies.changes_report import CHANGES
    from deckcheck.studies.field_change import FIRST_GAMES, FieldChange, RunsFolder

    outputs, finding_outputs = split_outputs(
        options.output_format, CHANGES.writers(full=options.full), options.output
    )
    against = options.against or []
    if not decks and not against:
        raise nothing_named("decks", "Name decks, or a field with `--against`", against)
    request = Request(question.games or FIRST_GAMES, question.seed, question.policies)
    judging = options.judging
    named, field = (decks, against) if decks else (against, [])
    with refusing(outputs, options.color, options.quiet, finding_outputs):
        simulations = []
        for format_judging in (judging, replace(judging, format=new_format)):
            simulation, _ = build_from_decks(
                ctx,
                named,
                request,
                format_judging,
                field,
                quiet=options.quiet > 0,
                finding_outputs=finding_outputs,
            )
            simulations.append(simulation)
        before, after = simulations
    folder = None
    cached_runs = None
    resume = ""
    if options.run is not None:
        folder = RunsFolder(options.run, options.card_db)
        resume = invocation_of(ctx).command_again(*decks)
    elif not options.no_keep:
        cached_runs = options.keep_in_cache(before), options.keep_in_cache(after)
    change = FieldChange(
        before,
        after,
        games=question.games,
        margin=question.margin,
        folder=folder,
        cached_runs=cached_runs,
        thorough=question.thorough,
    )
    check_places(files_of(outputs))
    return play(change, PlaySettings(options, outputs, resume))
