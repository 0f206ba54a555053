"""`deckcheck impact`: what each card of a deck is worth, and which one to cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from deckcheck.cli.declared import NEEDED
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.shared import Confirm, ConfirmGames, Weights
from deckcheck.cli.path_lists import nothing_named
from deckcheck.cli.studying import StudyOptions, play_study
from deckcheck.sim.defaults import CONFIRM, IMPACT_GAMES


@grouped
def impact(
    ctx: typer.Context,
    deck: Annotated[
        str | None,
        typer.Argument(
            metavar="DECK", help="A file or a share code.", show_default=NEEDED
        ),
    ] = None,
    *,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Games to play with each version of the deck, against all opponents "
            "together.",
        ),
    ] = IMPACT_GAMES,
    redraws: Annotated[
        bool,
        typer.Option(
            "--redraws",
            help="Find out which cards of the dealt hand to send back, instead of what "
            "cards are worth.",
        ),
    ] = False,
    hand: Annotated[
        str | None,
        typer.Option(
            "--hand",
            metavar="CARDS",
            help='Find out which card of this hand to send back, such as "Roach, '
            '2 Catapult, ..." or the name of a file that has it.',
            show_default=False,
        ),
    ] = None,
    confirm: Confirm = CONFIRM,
    confirm_games: ConfirmGames = None,
    weights: Weights = None,
    options: StudyOptions,
) -> int:
    """Find out what each card of a deck is worth, and which one to cut.

    Each card is replaced by average cards and by the best legal ones, and all versions
    play the same games. A first trial chooses the replacements to measure; the figures
    are from other games, and a stronger player weighs the card to cut again. With
    --redraws or --hand each card of the dealt hand is kept and sent back in the same
    games instead. Results depend only on deck, field, format, policies, seed, games and
    hand.
    """
    from deckcheck.studies.duel_study import weights_in
    from deckcheck.studies.impact.play import ImpactQuestion, impact_of

    if not deck:
        raise nothing_named(
            "deck", "Name the deck whose cards are weighed", options.against
        )
    if redraws or hand is not None:
        from deckcheck.studies.redraws.play import RedrawsQuestion, redraws_study

        asked = RedrawsQuestion(
            *(options.seed, options.policies, games),
            confirm=confirm,
            confirm_games=confirm_games,
        )
        return play_study(
            ctx,
            [deck],
            options,
            lambda fmt, database, own, field: redraws_study(
                *(fmt, database, own, field),
                replace(asked, weights=weights_in(weights, field, asked.policies)),
                hand=hand,
            ),
            kind="redraws",
        )
    question = ImpactQuestion(
        options.seed, options.policies, games, confirm, confirm_games
    )
    return play_study(
        ctx,
        [deck],
        options,
        lambda fmt, database, own, field: impact_of(
            *(fmt, database, own, field),
            replace(question, weights=weights_in(weights, field, question.policies)),
        ),
    )
