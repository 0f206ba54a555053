"""`deckcheck tune`: the best deck within some changes of one."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import NEEDED
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.shared import Confirm, ConfirmGames, DeckFile, Weights
from deckcheck.cli.path_lists import nothing_named
from deckcheck.cli.studying import StudyOptions, play_study, with_output
from deckcheck.sim.defaults import CONFIRM, TUNE_CHANGES, TUNE_GAMES


@grouped
def tune(
    ctx: typer.Context,
    deck: Annotated[
        str | None,
        typer.Argument(
            metavar="DECK", help="A file or a share code.", show_default=NEEDED
        ),
    ] = None,
    *,
    changes: Annotated[
        int,
        typer.Option(
            "--changes",
            metavar="NUMBER",
            help="Most cards to exchange, add or take out.",
        ),
    ] = TUNE_CHANGES,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="CARD",
            autocompletion=completing.cards,
            help="Card that stays in the deck, such as 'Geralt of Rivia'. Can be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
    change_leader: Annotated[
        bool,
        typer.Option(
            "--change-leader",
            help="Allow another leader, too; this is not counted by --changes.",
        ),
    ] = False,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Games to play in all: those of the search, and the final ones that "
            "give the figures.",
        ),
    ] = TUNE_GAMES,
    confirm: Confirm = CONFIRM,
    confirm_games: ConfirmGames = None,
    weights: Weights = None,
    deck_file: DeckFile = None,
    options: StudyOptions,
) -> int:
    """Find a better version of a deck, within some changes, against a field of decks.

    Hundreds of legal decks are measured; the figures of the best one are from fresh
    games that had no part in choosing it. Results depend only on deck, field,
    format, policies, seed, games and the changes allowed.
    """
    from deckcheck.studies.duel_study import weights_in
    from deckcheck.studies.tune.play import TuneQuestion, tuning_of

    question = TuneQuestion(
        options.seed,
        options.policies,
        games,
        confirm,
        confirm_games,
        changes=changes,
        keep=tuple(keep or ()),
        change_leader=change_leader,
    )
    if not deck:
        raise nothing_named("deck", "Name the deck to tune", options.against)
    return play_study(
        ctx,
        [deck],
        with_output(options, "deck", deck_file),
        lambda fmt, database, own, field: tuning_of(
            *(fmt, database, own, field),
            replace(question, weights=weights_in(weights, field, question.policies)),
        ),
    )
