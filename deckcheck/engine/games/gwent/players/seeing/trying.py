"""Moves that need a closer look before their outcome can be valued."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_verb
from deckcheck.engine.games.gwent.codes import Ability, Phase, Verb
from deckcheck.engine.games.gwent.rules.seats import has_many_sides
from deckcheck.engine.games.gwent.rules.zones import knows
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, State

DRAWING = 4  # worlds in which a move that draws cards is tried
ENDGAME = 3  # cards in a hand
LONG_GAME = 12  # rounds; few tables have seven


@jit
def within_turn(s: State) -> bool:
    """Whether the player to move is in the middle of a turn: a medic, a Decoy."""
    return s.phase != Phase.PLAY and s.phase != Phase.REDRAW


@jit
def possible_worlds(s: State, x: Context, move: Move) -> int:
    """In how many possible worlds to try a move: in several if it draws cards.

    In a free-for-all all players may pass for ever, since no round has to be won: so
    from some round on a pass is no choice while another move is legal.
    """
    verb = move_verb(move)
    if verb == Verb.PASS and s.round_no > LONG_GAME and has_many_sides(s, x):
        return 0
    if verb == Verb.REDRAW or verb == Verb.KEEP_HAND or verb == Verb.START:
        return DRAWING
    if verb == Verb.PLAY and x.ability[move_card(move)] & Ability.SPY:
        return DRAWING
    return 1


@jit
def is_endgame(s: State, x: Context, player: Player) -> bool:
    """Whether few cards are left in both hands, and `player` knows the enemy's."""
    enemy = 1 - player
    if max(s.n_hand[player], s.n_hand[enemy]) > ENDGAME:
        return False
    for i in range(s.n_hand[enemy]):
        if not knows(s, x, player, enemy, i):
            return False
    return True
