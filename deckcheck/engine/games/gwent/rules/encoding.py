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
    "ROW_BIT",
    "START",
    "USE_LEADER",
    "VOID",
    "WHO_BIT",
    "encode",
    "move_card",
    "move_row",
    "move_verb",
    "move_who",
]

CARD_MASK = 4095
ROW_BIT, ROW_MASK = 12, 15
WHO_BIT, WHO_MASK = 16, 255
VERB_BIT = 24

PASS = int(Verb.PASS) << VERB_BIT
KEEP_HAND = int(Verb.KEEP_HAND) << VERB_BIT
USE_LEADER = int(Verb.LEADER) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT
CHOOSE = int(Verb.CHOOSE) << VERB_BIT
REDRAW = int(Verb.REDRAW) << VERB_BIT
START = int(Verb.START) << VERB_BIT
VOID = int(Verb.VOID) << VERB_BIT


def encode(verb: int, card: int = 0, row: int = 0, who: int = 0) -> int:
    """The move as a number."""
    return verb << VERB_BIT | who << WHO_BIT | row << ROW_BIT | card


@jit
def move_verb(move: Move) -> int:
    """The verb of a move."""
    return move >> VERB_BIT


@jit
def move_who(move: Move) -> Player:
    """The player a move speaks of."""
    return (move >> WHO_BIT) & WHO_MASK


@jit
def move_row(move: Move) -> Row:
    """The row of a move."""
    return (move >> ROW_BIT) & ROW_MASK


@jit
def move_card(move: Move) -> Card:
    """The card of a move."""
    return move & CARD_MASK
