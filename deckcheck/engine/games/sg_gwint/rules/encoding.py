"""Moves as numbers: `verb << 24 | side << 16 | row << 12 | card`.

Two copies of a card in hand are one move. A card on the battlefield is chosen by its
index in the row. Every choice is a move of its own.
"""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Verb
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Move, Row, Side

__all__ = [
    "ANNOUNCE",
    "CHOOSE",
    "DECLINE",
    "DISCARD",
    "KEEP_HAND",
    "LAY",
    "PASS",
    "PLAY",
    "REDRAW",
    "START",
    "USE_LEADER",
    "at",
    "move_card",
    "move_row",
    "move_side",
    "move_verb",
]

PASS = int(Verb.PASS) << 24
PLAY = int(Verb.PLAY) << 24
USE_LEADER = int(Verb.LEADER) << 24
LAY = int(Verb.LAY) << 24
CHOOSE = int(Verb.CHOOSE) << 24
DECLINE = int(Verb.DECLINE) << 24
DISCARD = int(Verb.DISCARD) << 24
REDRAW = int(Verb.REDRAW) << 24
KEEP_HAND = int(Verb.KEEP_HAND) << 24
START = int(Verb.START) << 24
ANNOUNCE = int(Verb.ANNOUNCE) << 24


@jit
def at(side: Side, row: Row) -> Move:
    """The part of a move that says where."""
    return side << 16 | row << 12


@jit
def move_verb(move: Move) -> int:
    """The verb of a move."""
    return move >> 24


@jit
def move_side(move: Move) -> Side:
    """The side, or the player, that a move speaks of."""
    return (move >> 16) & 255


@jit
def move_row(move: Move) -> Row:
    """The row of a move."""
    return (move >> 12) & 15


@jit
def move_card(move: Move) -> Card:
    """The card of a move, or the index of one in its row."""
    return move & 4095
