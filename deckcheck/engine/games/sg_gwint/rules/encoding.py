"""The verbs of moves, as numbers: `engine.encoding` says how moves are made.

Two copies of a card in hand are one move. A card on the battlefield is chosen by its
index in the row. Every choice is a move of its own.
"""

from __future__ import annotations

from deckcheck.engine.encoding import ROW_BIT, VERB_BIT, WHO_BIT
from deckcheck.engine.games.sg_gwint.codes import Verb
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Move, Row, Side

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
    return side << WHO_BIT | row << ROW_BIT
