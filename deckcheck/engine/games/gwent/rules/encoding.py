"""Moves as numbers: `verb << 24 | who << 16 | row << 12 | card`.

Two copies of a card in hand are one move. Every choice is a move of its own.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Verb
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Move, Player, Row

__all__ = [
    "CHOOSE",
    "KEEP_HAND",
    "PASS",
    "PLAY",
    "REDRAW",
    "START",
    "USE_LEADER",
    "VOID",
    "encode",
    "move_card",
    "move_row",
    "move_verb",
    "move_who",
]

PASS = int(Verb.PASS) << 24
KEEP_HAND = int(Verb.KEEP_HAND) << 24
USE_LEADER = int(Verb.LEADER) << 24
PLAY = int(Verb.PLAY) << 24
CHOOSE = int(Verb.CHOOSE) << 24
REDRAW = int(Verb.REDRAW) << 24
START = int(Verb.START) << 24
VOID = int(Verb.VOID) << 24


def encode(verb: int, card: Card = 0, row: Row = 0, who: Player = 0) -> Move:
    """The move as a number."""
    return verb << 24 | who << 16 | row << 12 | card


@jit
def move_verb(move: Move) -> int:
    """The verb of a move."""
    return move >> 24


@jit
def move_who(move: Move) -> Player:
    """The player a move speaks of."""
    return (move >> 16) & 255


@jit
def move_row(move: Move) -> Row:
    """The row of a move."""
    return (move >> 12) & 15


@jit
def move_card(move: Move) -> Card:
    """The card of a move."""
    return move & 4095
