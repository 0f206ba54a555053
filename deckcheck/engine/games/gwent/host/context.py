"""Builds the context record of a game from the card database and a format."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.gwent.host.cardtable import blank_context, fill_seat
from deckcheck.engine.games.gwent.host.colours import dye_neutral_cards
from deckcheck.engine.games.gwent.host.figures import (
    figures_of,
    fill_figures,
    fill_first_figures,
)
from deckcheck.engine.games.gwent.host.options import fill_options
from deckcheck.engine.games.gwent.host.solo import fill_solo_context
from deckcheck.engine.games.gwent.state import CONTEXT, MANY_CONTEXT
from deckcheck.engine.host.seat import Seat
from deckcheck.formats import Format

TEAMS = 2


def variant_of(fmt: Format, players: int) -> str:
    """Which of `RECORDS` a game of `fmt` with that many players is played in.

    Raises:
        EngineError: the engine does not play games of this format.
    """
    if fmt.seating.play == "solo":
        return "solo"
    if is_for_many(fmt):
        return "many"
    if fmt.seating.play != "duel":
        raise EngineError(f"the engine does not play {fmt.id}")
    return "two"


def fill_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """The context of a game: card table, options, and one seat per player.

    Solo has the seats that `player_seat` and `automa_seat` make.
    """
    if variant_of(fmt, len(seats)) == "solo":
        return fill_solo_context(database, fmt, seats)
    return fill_table_context(database, fmt, seats)


def is_for_many(fmt: Format) -> bool:
    """Whether a game of the format is played in the records for many players."""
    return fmt.seating.play in ("table", "teams")


def fill_table_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """The context of a game between players, for two or for up to five."""
    context = blank_context(database, MANY_CONTEXT if is_for_many(fmt) else CONTEXT)
    x = context[0]
    if len(seats) > x.side.shape[0]:
        raise EngineError(
            f"the Gwent engine plays with up to {x.side.shape[0]} players here, "
            f"not with {len(seats)}"
        )
    x.n_players = len(seats)
    x.n_sides = TEAMS if fmt.seating.play == "teams" else len(seats)
    fill_options(x, fmt)
    for player, seat in enumerate(seats):
        fill_seat(x, database, player, seat)
        fill_figures(x, player, figures_of(seat.heuristic))
    fill_first_figures(x)
    if fmt.seating.play == "teams" and not x.neutrals_colourless:
        dye_neutral_cards(x, len(database.cards))
    return context
