"""SG Gwint for two players: the members and functions of the engine's contract."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.features import DUEL_STAGES
from deckcheck.engine.primitives import deal_hand
from deckcheck.engine.registry import CarriedOut, card_numbers
from deckcheck.engine.sg_gwint.abilities import ABILITIES, LEADERS
from deckcheck.engine.sg_gwint.codes import Ability, FactionAbility, Leader
from deckcheck.engine.sg_gwint.context import (
    DUEL_FIELDS,
    REFUSED_LEADERS,
    add_klepna,
    fill_context,
    fill_leader,
    find_variant,
    is_pulled,
)
from deckcheck.engine.sg_gwint.features import features, possible_worlds, within_turn
from deckcheck.engine.sg_gwint.heuristic import heuristic_move
from deckcheck.engine.sg_gwint.moves import (
    apply_move,
    determinize,
    discard_moves,
    find_seat,
    is_over,
    legal_moves,
    pass_move,
    points,
    returns,
    score_margin,
    set_up,
    wins_by_passing,
)
from deckcheck.engine.sg_gwint.rounds import (
    choose_survivor,
    claim_start,
    draw_for_round,
    leave,
    redrawn_card,
    return_skellige,
    wins_ties,
)
from deckcheck.engine.sg_gwint.state import CONTEXT, STATE, copy_to

# The records of the state and of the context, by variant of the game.
RECORD_TYPES = {"duel": (STATE, CONTEXT)}

# The functions that carry out the abilities of cards, leaders and factions.
CARRIED_OUT: dict[str, CarriedOut] = {
    "duel": {
        Ability: ABILITIES
        | {Ability.RETURN_ON_LOSS: leave, Ability.OPENING_CARD: add_klepna},
        Leader: LEADERS
        | {
            Leader.CARD_FROM_DECK: is_pulled,
            Leader.OPENING_CARDS: fill_leader,
            Leader.UNKNOWN: REFUSED_LEADERS,
        },
        FactionAbility: {
            FactionAbility.DRAW_AFTER_WIN: draw_for_round,
            FactionAbility.WIN_TIES: wins_ties,
            FactionAbility.KEEP_ONE_UNIT: choose_survivor,
            FactionAbility.CHOOSE_STARTER: claim_start,
            FactionAbility.PLAY_TWO_UNITS: return_skellige,
        },
    }
}

# The fields of the workspace for a learned value, and the number of stages of a game.
LEARNED_VARIANTS = {"duel": (DUEL_FIELDS, DUEL_STAGES)}

register(sys.modules[__name__], STATE)
