"""`deckcheck compare`: which version of a deck is better, and how sure that is."""

from __future__ import annotations

from typing import Annotated

import typer

from deckcheck.cli.declared import NEEDED
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.shared import ShardName
from deckcheck.cli.path_lists import nothing_named
from deckcheck.cli.studying import StudyOptions, play_study
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
    only on decks, format, policies, seed, margin and games.
    """
    from deckcheck.studies.compare.play import Question, comparison_of

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
