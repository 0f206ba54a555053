"""Gwent for two to five players, as the contract of the engine wants it."""

from __future__ import annotations

from deckcheck.engine.contract import register
from deckcheck.engine.features import STAGES
from deckcheck.engine.gwent import solo as solo_game
from deckcheck.engine.gwent.board import has_many_sides
from deckcheck.engine.gwent.board import others_passed
from deckcheck.engine.gwent.board import sides
from deckcheck.engine.gwent.codes import Phase
from deckcheck.engine.gwent.context import MANY_SEEING
from deckcheck.engine.gwent.context import SEEING
from deckcheck.engine.gwent.context import automa_seat
from deckcheck.engine.gwent.context import card_numbers
from deckcheck.engine.gwent.context import coin_decides
from deckcheck.engine.gwent.context import coin_decides_between
from deckcheck.engine.gwent.context import fill_context
from deckcheck.engine.gwent.context import match_rules
from deckcheck.engine.gwent.context import player_seat
from deckcheck.engine.gwent.context import variant_of
from deckcheck.engine.gwent.evaluation import lead
from deckcheck.engine.gwent.features import STAGES as MANY_STAGES
from deckcheck.engine.gwent.features import is_endgame
from deckcheck.engine.gwent.features import possible_worlds
from deckcheck.engine.gwent.features import seen
from deckcheck.engine.gwent.features import within_turn
from deckcheck.engine.gwent.heuristic import heuristic_move
from deckcheck.engine.gwent.heuristic import suppose_plans
from deckcheck.engine.gwent.moves import apply_move
from deckcheck.engine.gwent.moves import cards_left
from deckcheck.engine.gwent.moves import determinize
from deckcheck.engine.gwent.moves import discard_moves
from deckcheck.engine.gwent.moves import first_player
from deckcheck.engine.gwent.moves import is_over
from deckcheck.engine.gwent.moves import pass_move
from deckcheck.engine.gwent.moves import returns
from deckcheck.engine.gwent.moves import rounds_played
from deckcheck.engine.gwent.moves import to_move
from deckcheck.engine.gwent.rounds import legal_moves
from deckcheck.engine.gwent.rounds import redrawn_card
from deckcheck.engine.gwent.rounds import set_up
from deckcheck.engine.gwent.rounds import table_place
from deckcheck.engine.gwent.state import CONTEXT
from deckcheck.engine.gwent.state import MANY_CONTEXT
from deckcheck.engine.gwent.state import MANY_STATE
from deckcheck.engine.gwent.state import SOLO_CONTEXT
from deckcheck.engine.gwent.state import SOLO_STATE
from deckcheck.engine.gwent.state import STATE
from deckcheck.engine.jit import Context
from deckcheck.engine.jit import Player
from deckcheck.engine.jit import State
from deckcheck.engine.jit import Workspace
from deckcheck.engine.jit import entry
import sys

__all__ = [
    "ADVISED",
    "LEARNED",
    "RECORDS",
    "STYLED",
    "apply_move",
    "automa_seat",
    "card_numbers",
    "cards_left",
    "coin_decides",
    "coin_decides_between",
    "determinize",
    "discard_moves",
    "features",
    "fill_context",
    "first_player",
    "heuristic_move",
    "is_endgame",
    "is_over",
    "legal_moves",
    "match_rules",
    "pass_move",
    "place",
    "player_seat",
    "points",
    "possible_worlds",
    "redrawn_card",
    "returns",
    "rounds_played",
    "score_margin",
    "seat_of",
    "set_up",
    "suppose_plans",
    "to_move",
    "variant_of",
    "wins_by_passing",
    "within_turn",
]


# The records of the state and of the context, by variant of the game.
RECORDS = {
    "two": (STATE, CONTEXT),
    "many": (MANY_STATE, MANY_CONTEXT),
    "solo": (SOLO_STATE, SOLO_CONTEXT),
}

# What `learned` needs in the workspace, and how many stages a game has, by variant.
LEARNED = {"two": (SEEING, STAGES), "many": (MANY_SEEING, MANY_STAGES)}

# The variants in which `search` asks `learned`, and solves endgames.
ADVISED = ("two",)

# The variants in which the heuristic has styles.
STYLED = ("two", "many")


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """By gems, in a free-for-all by points (rules 4.7.6); a draw is place 1 for all."""
    if has_many_sides(s, x):
        return table_place(s, x, entrant)
    return 2 if s.winner == 1 - entrant else 1


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Gems left; in a free-for-all the points scored (rules 4.3)."""
    return s.points[entrant] if has_many_sides(s, x) else s.gems[entrant]


@entry
def seat_of(s: State, x: Context, entrant: int) -> int:
    """0 for the player or team that began, then in the order of play."""
    return (entrant - x.side[s.first]) % sides(s, x)


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Strength of the own side less that of the strongest other."""
    return lead(s, x, x.side[player])


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Whether all opponents have passed and are behind."""
    player = s.turn
    return (
        s.phase == Phase.PLAY
        and others_passed(s, x, x.side[player])
        and score_margin(s, x, player) > 0
    )


@entry
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees of a duel or a table; returns the stage of the game."""
    return seen(s, x, q, player)


register(sys.modules[__name__], STATE, MANY_STATE)
register(solo_game, SOLO_STATE)
