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

CARD_MASK = 4095
ROW_BIT, ROW_MASK = 12, 15
SIDE_BIT, SIDE_MASK = 16, 255
VERB_BIT = 24

PASS = int(Verb.PASS) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT
USE_LEADER = int(Verb.LEADER) << VERB_BIT
LAY = int(Verb.LAY) << VERB_BIT
CHOOSE = int(Verb.CHOOSE) << VERB_BIT
DECLINE = int(Verb.DECLINE) << VERB_BIT
DISCARD = int(Verb.DISCARD) << VERB_BIT
REDRAW = int(Verb.REDRAW) << VERB_BIT
KEEP_HAND = int(Verb.KEEP_HAND) << VERB_BIT
START = int(Verb.START) << VERB_BIT
ANNOUNCE = int(Verb.ANNOUNCE) << VERB_BIT


@jit
def at(side: Side, row: Row) -> Move:
    """The part of a move that says where."""
    return side << SIDE_BIT | row << ROW_BIT


@jit
def move_verb(move: Move) -> int:
    """The verb of a move."""
    return move >> VERB_BIT


@jit
def move_side(move: Move) -> Side:
    """The side, or the player, that a move speaks of."""
    return (move >> SIDE_BIT) & SIDE_MASK


@jit
def move_row(move: Move) -> Row:
    """The row of a move."""
    return (move >> ROW_BIT) & ROW_MASK


@jit
def move_card(move: Move) -> Card:
    """The card of a move, or the index of one in its row."""
    return move & CARD_MASK
