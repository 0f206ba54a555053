"""Moves as numbers: `verb << 24 | side << 16 | row << 12 | card`.

Two copies of a card in hand are one move. A card on the battlefield is chosen by its
index in the row. Every choice is a move of its own.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.sg_gwint.codes import Verb
from deckcheck.engine.jit import jit

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
def at(side: Any, row: Any) -> Any:
    """The part of a move that says where."""
    return side << 16 | row << 12


@jit
def move_verb(move: Any) -> Any:
    """The verb of a move."""
    return move >> 24


@jit
def move_side(move: Any) -> Any:
    """The side, or the player, that a move speaks of."""
    return (move >> 16) & 255


@jit
def move_row(move: Any) -> Any:
    """The row of a move."""
    return (move >> 12) & 15


@jit
def move_card(move: Any) -> Any:
    """The card of a move, or the index of one in its row."""
    return move & 4095
