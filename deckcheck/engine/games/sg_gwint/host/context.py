"""Builds the context record of a game from the card database and a format."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.sg_gwint.host.cardtable import blank_context, note_returns
from deckcheck.engine.games.sg_gwint.host.options import fill_options
from deckcheck.engine.games.sg_gwint.host.seats import fill_seat
from deckcheck.engine.host.seat import Seat
from deckcheck.formats import Format

PLAYERS = 2


def variant_of(fmt: Format, players: int) -> str:
    """Which of `RECORDS` a game of `fmt` is played in.

    Raises:
        EngineError: the engine does not play games of this format.
    """
    if fmt.seating.play != "duel" or players != PLAYERS:
        raise EngineError(f"the engine does not play {fmt.id}")
    return "duel"


def fill_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """The context of a game: card table, options, and one seat per player.

    Raises:
        EngineError: the engine cannot play this data or these decks.
    """
    variant_of(fmt, len(seats))
    context = blank_context(database)
    x = context[0]
    note_returns(x, database, fmt)
    fill_options(x, fmt)
    for player, seat in enumerate(seats):
        fill_seat(x, database, fmt, player, seat)
    return context
