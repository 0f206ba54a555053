"""Moves as numbers: `verb << 24 | who << 16 | row << 12 | card`."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Move, Player, Row

CARD_MASK = 4095
ROW_BIT, ROW_MASK = 12, 15
WHO_BIT, WHO_MASK = 16, 255
VERB_BIT = 24


def encode(verb: int, card: int = 0, row: int = 0, who: int = 0) -> int:
    """The move as a number."""
    return verb << VERB_BIT | who << WHO_BIT | row << ROW_BIT | card


@jit
def move_verb(move: Move) -> int:
    """The verb of a move."""
    return move >> VERB_BIT


@jit
def move_who(move: Move) -> Player:
    """The player, or the side, that a move names."""
    return (move >> WHO_BIT) & WHO_MASK


@jit
def move_row(move: Move) -> Row:
    """The row of a move."""
    return (move >> ROW_BIT) & ROW_MASK


@jit
def move_card(move: Move) -> Card:
    """The card of a move, or the index of one in its row."""
    return move & CARD_MASK
