"""The verbs of moves, as numbers: `engine.encoding` says how moves are made.

Two copies of a card in hand are one move. Every choice is a move of its own.
"""

from __future__ import annotations

from deckcheck.engine.encoding import VERB_BIT
from deckcheck.engine.games.gwent.codes import Verb

PASS = int(Verb.PASS) << VERB_BIT
KEEP_HAND = int(Verb.KEEP_HAND) << VERB_BIT
USE_LEADER = int(Verb.LEADER) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT
CHOOSE = int(Verb.CHOOSE) << VERB_BIT
REDRAW = int(Verb.REDRAW) << VERB_BIT
START = int(Verb.START) << VERB_BIT
VOID = int(Verb.VOID) << VERB_BIT
