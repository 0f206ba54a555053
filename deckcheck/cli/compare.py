"""`deckcheck compare`: which version of a deck is better, and how sure that is."""

from __future__ import annotations

from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.changing import play_change
from deckcheck.cli.declared import NEEDED
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.shared import ShardName
from deckcheck.cli.path_lists import nothing_named
from deckcheck.cli.studying import StudyOptions, play_study
from deckcheck.findings.errors import UsageError
from deckcheck.sim.defaults import COMPARE_MARGIN


@grouped
def compare(
    ctx: typer.Context,
    versions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OLD NEW...",
            help="The versions: files, folders, globs or share codes.",
            show_default=NEEDED,
        ),
    ] = None,
    *,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Games of each version against each opponent, such as 1000; by "
            "default as many as the answer needs.",
            show_default=False,
        ),
    ] = None,
    new_format: Annotated[
        str | None,
        typer.Option(
            "--new-format",
            metavar="FORMAT",
            autocompletion=completing.formats,
            help="Compare formats instead of versions: the decks as they are, or "
            "under --format, with the same decks under this format, such as "
            "what_if.yaml with a changed card. Without any deck those of --against "
            "play each other.",
            show_default=False,
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            "--margin",
            metavar="POINTS",
            help="Smallest difference in points of win rate that matters to you: "
            "games end once the difference is surely less.",
        ),
    ] = COMPARE_MARGIN,
    shard: ShardName = None,
    options: StudyOptions,
) -> int:
    """Find out which version of a deck is better against a field of decks.

    All versions play the same games: the same shuffles, the same opponents, common
    cards in the same places. Games are played until the answer is clear. Results depend
    only on decks, format, policies, seed, margin and games. With --new-format the same
    decks play under two formats, and the answer is what that changes for them.
    """
    from deckcheck.studies.compare.play import Question, comparison_of

    if new_format is not None:
        if shard is not None:
            raise UsageError(
                "`--shard` does not go with `--new-format`", "Leave one of them out"
            )
        decks = versions or []
        return play_change(ctx, decks, options, new_format, games=games, margin=margin)
    question = Question(options.seed, options.policies, games, margin)
    if not versions:
        raise nothing_named(
            "decks", "Name the old version and the new one", options.against
        )
    return play_study(
        ctx,
        versions,
        options,
        lambda fmt, database, own, field: comparison_of(
            fmt, database, own, field, question
        ),
        shard=shard,
    )
