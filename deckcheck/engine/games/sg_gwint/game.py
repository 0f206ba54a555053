"""SG Gwint for two players, as the contract of the engine wants it."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.games.sg_gwint.host.cardtable import card_numbers
from deckcheck.engine.games.sg_gwint.host.context import fill_context, variant_of
from deckcheck.engine.games.sg_gwint.host.seeing import SEEING
from deckcheck.engine.games.sg_gwint.players.copying import copy_to
from deckcheck.engine.games.sg_gwint.players.heuristic import heuristic_move
from deckcheck.engine.games.sg_gwint.players.seeing.features import features
from deckcheck.engine.games.sg_gwint.players.seeing.trying import (
    possible_worlds,
    within_turn,
)
from deckcheck.engine.games.sg_gwint.rules.hidden import determinize
from deckcheck.engine.games.sg_gwint.rules.legal import legal_moves
from deckcheck.engine.games.sg_gwint.rules.moves import apply_move, set_up
from deckcheck.engine.games.sg_gwint.rules.readings import (
    cards_left,
    discard_moves,
    first_player,
    is_over,
    pass_move,
    place,
    points,
    returns,
    rounds_played,
    score_margin,
    seat_of,
    to_move,
    wins_by_passing,
)
from deckcheck.engine.games.sg_gwint.rules.setup import redrawn_card
from deckcheck.engine.games.sg_gwint.state import CONTEXT, STATE
from deckcheck.engine.seeing.stages import STAGES

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
