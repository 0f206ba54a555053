"""From the card database and a format to the context record of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.sg_gwint.host.cardtable import card_numbers, fill_cards
from deckcheck.engine.games.sg_gwint.host.seats import fill_seat
from deckcheck.engine.games.sg_gwint.host.vocabulary import check_vocabulary
from deckcheck.engine.games.sg_gwint.state import CONTEXT
from deckcheck.engine.host.seat import Seat
from deckcheck.formats import Format

__all__ = ["card_numbers", "fill_context", "variant_of"]

NUMBERS = (
    "lives",
    "hand_size",
    "redraws",
    "cards_per_round",
    "redraws_per_round",
    "replays",
    "demotivation_size",
)
FLAGS = {
    # option: (field of the context, the value that sets it)
    "setup_order": ("short_setup", "short"),
    "coin_winner": ("coin_winner_starts", "starts"),
    "klepna_is_turn": ("klepna_takes_turn", True),
    "after_free_leader": ("discard_follows_leader", "play_or_discard"),
    "shielded_count_for_scorch": ("scorch_ignores_shielded", False),
    "boosts_include_self": ("boosts_spare_self", False),
    "lagers_stack": ("lagers_stack", True),
    "weather_effect": ("weather_to_one", "to_one"),
    "immune_keeps_lager": ("immune_loses_lager", False),
    "revived_abilities": ("revived_are_idle", "idle"),
    "pulled_card": ("pulled_to_hand", "hand"),
}
AFTER_TIE = {"other": "other_starts_after_tie", "same": "same_starts_after_tie"}
# Options that the card table and the seats are filled by.
AT_TABLE = ("starter_after_tie", "silver_returns", "guardian_stays_dead", "tokens")


def variant_of(fmt: Format, players: int) -> str:
    """Which of `RECORDS` a game of `fmt` is played in.

    Raises:
        EngineError: the engine does not play games of this format.
    """
    if fmt.seating.play not in ("duel", "match") or players != len((0, 1)):
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
    check_vocabulary(database, (*NUMBERS, *FLAGS, *AT_TABLE))
    context = np.zeros(1, CONTEXT).view(np.recarray)
    x = context[0]
    fill_cards(x, database, fmt)
    fill_options(x, fmt)
    for player, seat in enumerate(seats):
        fill_seat(x, database, fmt, player, seat)
    return context


def fill_options(x: Any, fmt: Format) -> None:
    """Translate the options of the format to numbers and flags."""
    for option in NUMBERS:
        x[option] = fmt.options[option]
    for option, (field, value) in FLAGS.items():
        x[field] = int(fmt.options[option] == value)
    for value, field in AFTER_TIE.items():
        x[field] = int(fmt.options["starter_after_tie"] == value)
