"""Moves that need a closer look before their outcome can be valued."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_verb
from deckcheck.engine.games.sg_gwint.codes import Ability, Leader, Phase, Verb
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, State

DRAWING = 4  # worlds in which a move that draws cards is tried
DRAWS = int(Ability.SPY | Ability.EXCHANGE)


@jit
def within_turn(s: State) -> bool:
    """Whether the choice to be made belongs to the move before."""
    return s.phase > Phase.PLAY and s.phase != Phase.OVER


@jit
def possible_worlds(s: State, x: Context, move: Move) -> int:
    """In how many possible worlds to try a move: in several if it draws cards."""
    verb = move_verb(move)
    if s.phase < Phase.PLAY:
        return DRAWING
    if verb == Verb.PASS and s.passed[1 - s.turn]:
        # The next round begins with new cards.
        return DRAWING
    if verb == Verb.PLAY and x.ability[move_card(move)] & DRAWS:
        return DRAWING
    if verb == Verb.LEADER and x.leader[s.turn] == Leader.DRAW_CARDS:
        return DRAWING
    return 1
