"""Moves: how they are encoded, which are legal, and what they do.

A move is `verb << 24 | place in the hand << 12 | card`. Each card of the hand is a move
of its own, copies too, so that a random move is a random card (rules 4.2).
"""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.codes import Verb
from deckcheck.engine.games.gwen_t.rules.abilities import play_card
from deckcheck.engine.games.gwen_t.rules.rounds import pass_round, settle
from deckcheck.engine.games.gwen_t.rules.zones import take_from_hand
from deckcheck.engine.history import extended
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Card, Context, Move, State

CARD_MASK = PLACE_MASK = 4095
PLACE_BIT = 12
VERB_BIT = 24

PASS = int(Verb.PASS) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT


@jit
def move_card(move: Move) -> Card:
    """The card of a move, 0 for a pass."""
    return move & CARD_MASK


@jit
def move_index(move: Move) -> int:
    """The place in the hand of the card of a move."""
    return (move >> PLACE_BIT) & PLACE_MASK


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves of the player to move to `x.moves`; returns their number.

    It may pass, or play a card (rules 4.1). There are none when the game is over.
    """
    if s.over:
        return 0
    x.moves[0] = PASS
    for i in range(s.n_hand[s.turn]):
        x.moves[i + 1] = PLAY | i << PLACE_BIT | s.hand[s.turn, i]
    return s.n_hand[s.turn] + 1


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move; that it is legal is the caller's duty."""
    player = s.turn
    s.turns += 1
    s.history = extended(s.history, move)
    if move == PASS:
        pass_round(s, player)
    else:
        play_card(s, x, player, take_from_hand(s, player, move_index(move)))
        # "A player whose hand becomes empty passes automatically."
        if s.n_hand[player] == 0:
            pass_round(s, player)
    settle(s, x)
