"""Gwen't for two to six players, as the contract of the engine wants it."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.games.gwen_t.host.context import (
    card_numbers,
    fill_context,
    variant_of,
)
from deckcheck.engine.games.gwen_t.players.heuristic import heuristic_move
from deckcheck.engine.games.gwen_t.players.worth import margin
from deckcheck.engine.games.gwen_t.rules.hidden import determinize
from deckcheck.engine.games.gwen_t.rules.moves import PASS, apply_move, legal_moves
from deckcheck.engine.games.gwen_t.rules.setup import set_up
from deckcheck.engine.games.gwen_t.state import CONTEXT, STATE
from deckcheck.engine.jit import entry
from deckcheck.engine.types import Context, Move, Player, State

__all__ = [
    "RECORDS",
    "apply_move",
    "card_numbers",
    "cards_left",
    "determinize",
    "discard_moves",
    "fill_context",
    "first_player",
    "heuristic_move",
    "is_over",
    "legal_moves",
    "pass_move",
    "place",
    "points",
    "returns",
    "rounds_played",
    "score_margin",
    "seat_of",
    "set_up",
    "to_move",
    "variant_of",
    "wins_by_passing",
]

# The records of the state and of the context, by variant of the game.
RECORDS = {"table": (STATE, CONTEXT)}


@entry
def to_move(s: State) -> Player:
    """The player who has to decide."""
    return s.turn


@entry
def is_over(s: State) -> bool:
    """Whether at most one player is left (rules 4.7)."""
    return s.over != 0


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """2 for the winner; 1 each for players who share the first place; else 0."""
    if s.place[player] != 1:
        return 0
    return 2 if s.winner == player else 1


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """The later the defeat, the better; defeated in the same round: the same place."""
    return s.place[entrant]


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """The scores of the player at the ends of the rounds, added up."""
    return s.points[entrant]


@entry
def seat_of(s: State, x: Context, entrant: int) -> int:
    """0 for who began, then in the turn order of the first round."""
    return (entrant - s.first) % s.players


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """The score of the player less the best of the others."""
    return margin(s, x, player)


@entry
def first_player(s: State) -> Player:
    """The player who began the game."""
    return s.first


@entry
def rounds_played(s: State) -> int:
    """Number of the current round."""
    return s.round_no


@entry
def cards_left(s: State, x: Context, entrant: int) -> int:
    """Cards in hand."""
    return s.n_hand[entrant]


@entry
def pass_move(s: State, x: Context) -> Move:
    """Passing is possible on every turn."""
    return PASS


@entry
def discard_moves(s: State, x: Context, count: int) -> int:
    """No move throws a card away."""
    return 0


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Whether all others have passed and are behind."""
    return s.standing - s.n_passed == 1 and margin(s, x, s.turn) > 0


register(sys.modules[__name__], STATE)
