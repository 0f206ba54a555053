"""Gwent for two to five players: the members and functions of the engine's contract."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.features import DUEL_STAGES
from deckcheck.engine.gwent import solo as solo_game
from deckcheck.engine.gwent.abilities import ABILITIES
from deckcheck.engine.gwent.board import has_many_sides, others_passed, sides
from deckcheck.engine.gwent.codes import Ability, FactionAbility, Leader, Phase
from deckcheck.engine.gwent.context import (
    DUEL_FIELDS,
    TABLE_FIELDS,
    automa_seat,
    coin_decides,
    coin_decides_between,
    fill_context,
    find_variant,
    player_seat,
)
from deckcheck.engine.gwent.evaluation import lead
from deckcheck.engine.gwent.features import TABLE_STAGES as MANY_STAGES
from deckcheck.engine.gwent.features import (
    is_endgame,
    possible_worlds,
    within_turn,
    write_features,
)
from deckcheck.engine.gwent.heuristic import heuristic_move, suppose_plans
from deckcheck.engine.gwent.leaders import LEADERS
from deckcheck.engine.gwent.match import match_rules
from deckcheck.engine.gwent.moves import (
    apply_move,
    cards_left,
    determinize,
    is_over,
    pass_move,
    returns,
)
from deckcheck.engine.gwent.rounds import (
    FACTION_ABILITIES,
    FACTION_ABILITIES_AT_TABLE,
    legal_moves,
    redrawn_card,
    set_up,
    table_place,
)
from deckcheck.engine.gwent.state import (
    CONTEXT,
    MANY_CONTEXT,
    MANY_STATE,
    SOLO_CONTEXT,
    SOLO_STATE,
    STATE,
)
from deckcheck.engine.gwent.traits import TRAITS, judge_pass, see_move, see_turn
from deckcheck.engine.jit import Context, Player, State, Workspace, entry
from deckcheck.engine.primitives import deal_hand
from deckcheck.engine.registry import card_numbers

# The functions that carry out the abilities of cards, leaders and factions.
CARRIED_OUT = {
    "duel": {
        Ability: ABILITIES,
        Leader: LEADERS,
        FactionAbility: FACTION_ABILITIES,
    },
    "table": {
        Ability: ABILITIES,
        Leader: LEADERS,
        FactionAbility: FACTION_ABILITIES_AT_TABLE,
    },
}

# The records of the state and of the context, by variant of the game.
RECORD_TYPES = {
    "two": (STATE, CONTEXT),
    "many": (MANY_STATE, MANY_CONTEXT),
    "solo": (SOLO_STATE, SOLO_CONTEXT),
}

# The fields of the workspace for a learned value, and the number of stages of a game.
LEARNED_VARIANTS = {
    "two": (DUEL_FIELDS, DUEL_STAGES),
    "many": (TABLE_FIELDS, MANY_STAGES),
}

# The number of traits of a move, by variant in which moves are rated.
RATED_VARIANTS = {"two": TRAITS}

# The variants in which `search` asks for a learned value, and solves endgames.
ADVISED_VARIANTS = ("two",)

# The variants in which the heuristic has styles.
STYLED_VARIANTS = ("two", "many")


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """Return the place by gems, or by points in a free-for-all (4.7.6).

    Draws share 1.
    """
    if has_many_sides(s, x):
        return table_place(s, x, entrant)
    return 2 if s.winner == 1 - entrant else 1


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Return the gems left, or in a free-for-all the points scored (rules 4.3)."""
    return s.points[entrant] if has_many_sides(s, x) else s.gems[entrant]


@entry
def find_seat(s: State, x: Context, entrant: int) -> int:
    """Return 0 for the player or team that began, then the order of play."""
    return (entrant - x.side[s.first]) % sides(s, x)


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Return the player's strength minus the strongest opponent's."""
    return lead(s, x, x.side[player])


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Report whether all opponents have passed and are behind."""
    if s.phase != Phase.PLAY or not others_passed(s, x, x.side[s.turn]):
        return False
    return score_margin(s, x, s.turn) > 0


@entry
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the view of a duel or a table and return the stage of the game."""
    return write_features(s, x, q, player)


register(sys.modules[__name__], STATE, MANY_STATE)
register(solo_game, SOLO_STATE)
