"""Moves: a move is the space, 0 to 8 row by row, on which the drawn card is placed."""

from __future__ import annotations

from deckcheck.engine.games.deckmaster.rules.placing import end_turn, place_card
from deckcheck.engine.history import extended
from deckcheck.engine.jit import entry
from deckcheck.engine.types import Context, Move, State


@entry
def legal_moves(s: State, x: Context) -> int:
    """The empty spaces; all nine if none is empty (rules 2.3)."""
    if s.n_deck == 0:
        return 0
    if s.empty == 0:
        for space in range(s.card.shape[0]):
            x.moves[space] = space
        return s.card.shape[0]
    count = 0
    for space in range(s.card.shape[0]):
        # Without a branch: which spaces are empty is hard to foresee.
        x.moves[count] = space
        count += (s.empty >> space) & 1
    return count


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Place the top card of the deck, end the turn, and pass it on."""
    s.n_deck -= 1
    place_card(s, x, s.turn, move, s.deck[s.n_deck])
    end_turn(s, x)
    s.turns += 1
    s.history = extended(s.history, move)
    s.turn = 1 - s.turn
