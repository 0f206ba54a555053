"""`deckcheck build`: the best deck of a format, made from nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.shared import (
    Confirm,
    ConfirmGames,
    DeckFile,
    Factions,
    FormatArgument,
    Weights,
)
from deckcheck.cli.studying import (
    StudyOptions,
    play_study,
    with_format,
    with_output,
)
from deckcheck.sim.defaults import BUILD_GAMES, CONFIRM


@grouped
def build(
    ctx: typer.Context,
    which: FormatArgument = None,
    *,
    faction: Factions = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Games to play in all: those of the search, and the final ones that "
            "give the figures.",
        ),
    ] = BUILD_GAMES,
    confirm: Confirm = CONFIRM,
    confirm_games: ConfirmGames = None,
    weights: Weights = None,
    deck_file: DeckFile = None,
    options: StudyOptions,
) -> int:
    """Build the best deck of a format, from nothing, against a field of decks.

    The search begins with random legal decks and with those of the field. The figures
    of the deck it finds are from fresh games that had no part in choosing it; Ctrl-C
    prints the best so far. Results depend only on field, format, factions, policies,
    seed and games.
    """
    from deckcheck.studies.build.play import BuildQuestion, building_of
    from deckcheck.studies.duel_study import weights_in

    if which is not None:
        _refuse_faction(which)
    question = BuildQuestion(
        options.seed,
        options.policies,
        games,
        confirm,
        confirm_games,
        factions=tuple(faction or ()),
    )
    options = with_format(options, which)
    return play_study(
        ctx,
        [],
        with_output(options, "deck", deck_file),
        lambda fmt, database, _, field: building_of(
            *(fmt, database, field),
            replace(question, weights=weights_in(weights, field, question.policies)),
        ),
    )


def _refuse_faction(which: str) -> None:
    """Say how a faction is named, to those who name it as the format."""
    from deckcheck.cards import game_ids, load_database
    from deckcheck.findings import UsageError
    from deckcheck.findings.words import quote

    for game in game_ids():
        if load_database(game).find_faction(which).id is not None:
            raise UsageError(
                f"{quote(which)} is a faction, not a format",
                f"""Name the format, and then `--faction "{which}"`""",
            )
