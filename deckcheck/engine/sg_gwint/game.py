"""SG Gwint for two players, as the contract of the engine wants it."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.features import STAGES
from deckcheck.engine.sg_gwint.context import (
    SEEING,
    card_numbers,
    fill_context,
    variant_of,
)
from deckcheck.engine.sg_gwint.features import features, possible_worlds, within_turn
from deckcheck.engine.sg_gwint.heuristic import heuristic_move
from deckcheck.engine.sg_gwint.moves import (
    apply_move,
    cards_left,
    determinize,
    discard_moves,
    first_player,
    is_over,
    legal_moves,
    pass_move,
    place,
    points,
    returns,
    rounds_played,
    score_margin,
    seat_of,
    set_up,
    to_move,
    wins_by_passing,
)
from deckcheck.engine.sg_gwint.rounds import redrawn_card
from deckcheck.engine.sg_gwint.state import CONTEXT, STATE, copy_to

__all__ = [
    "LEARNED",
    "RECORDS",
    "apply_move",
    "card_numbers",
    "cards_left",
    "copy_to",
    "determinize",
    "discard_moves",
    "features",
    "fill_context",
    "first_player",
    "heuristic_move",
    "is_over",
    "legal_moves",
    "pass_move",
    "place",
    "points",
    "possible_worlds",
    "redrawn_card",
    "returns",
    "rounds_played",
    "score_margin",
    "seat_of",
    "set_up",
    "to_move",
    "variant_of",
    "wins_by_passing",
    "within_turn",
]


# The records of the state and of the context, by variant of the game.
RECORDS = {"duel": (STATE, CONTEXT)}

# What `learned` needs in the workspace, and how many stages a game has, by variant.
LEARNED = {"duel": (SEEING, STAGES)}

register(sys.modules[__name__], STATE)
