"""SG Gwint for two players, as the contract of the engine wants it."""

from __future__ import annotations

from deckcheck.engine.contract import register
from deckcheck.engine.features import STAGES
from deckcheck.engine.sg_gwint.context import SEEING
from deckcheck.engine.sg_gwint.context import card_numbers
from deckcheck.engine.sg_gwint.context import fill_context
from deckcheck.engine.sg_gwint.context import variant_of
from deckcheck.engine.sg_gwint.features import features
from deckcheck.engine.sg_gwint.features import possible_worlds
from deckcheck.engine.sg_gwint.features import within_turn
from deckcheck.engine.sg_gwint.heuristic import heuristic_move
from deckcheck.engine.sg_gwint.moves import apply_move
from deckcheck.engine.sg_gwint.moves import cards_left
from deckcheck.engine.sg_gwint.moves import determinize
from deckcheck.engine.sg_gwint.moves import discard_moves
from deckcheck.engine.sg_gwint.moves import first_player
from deckcheck.engine.sg_gwint.moves import is_over
from deckcheck.engine.sg_gwint.moves import legal_moves
from deckcheck.engine.sg_gwint.moves import pass_move
from deckcheck.engine.sg_gwint.moves import place
from deckcheck.engine.sg_gwint.moves import points
from deckcheck.engine.sg_gwint.moves import returns
from deckcheck.engine.sg_gwint.moves import rounds_played
from deckcheck.engine.sg_gwint.moves import score_margin
from deckcheck.engine.sg_gwint.moves import seat_of
from deckcheck.engine.sg_gwint.moves import set_up
from deckcheck.engine.sg_gwint.moves import to_move
from deckcheck.engine.sg_gwint.moves import wins_by_passing
from deckcheck.engine.sg_gwint.rounds import redrawn_card
from deckcheck.engine.sg_gwint.state import CONTEXT
from deckcheck.engine.sg_gwint.state import STATE
from deckcheck.engine.sg_gwint.state import copy_to
import sys

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
