"""Readings of the state that duels, tables and solo games share."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.rules.encoding import PASS
from deckcheck.engine.games.gwent.rules.free_for_all import table_place
from deckcheck.engine.games.gwent.rules.seats import has_many_sides, players
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Context, Move, Player, State


@entry
def to_move(s: State) -> Player:
    """The player who has to decide; the automa never has to."""
    return s.turn


@entry
def is_over(s: State) -> bool:
    """Whether a side has lost its gems, or a table its last round (1.4.6, 4.4)."""
    return s.phase == Phase.OVER


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """2 for each player of the side that won, 0 for the others; 1 each for a draw.

    It is drawn if both sides lost the last gem (1.4.6), and for those at a table who
    share the first place (4.7.6).
    """
    if has_many_sides(s, x):
        if table_place(s, x, player) > 1:
            return 0
        return 2 if is_first_alone(s, x, player) else 1
    if s.winner < 0:
        return 1
    return 2 if s.winner == x.side[player] else 0


@jit
def is_first_alone(s: State, x: Context, player: Player) -> bool:
    """Whether nobody else at a table shares the first place with a player."""
    for other in range(players(s, x)):
        if other != player and table_place(s, x, other) == 1:
            return False
    return True


@entry
def first_player(s: State) -> Player:
    """The player who began the game."""
    return s.first


@entry
def rounds_played(s: State) -> int:
    """Number of the current round."""
    return s.round_no


@entry
def cards_left(s: State, x: Context, entrant: int) -> int:
    """Cards in the hands of a player or team; the automa has none."""
    cards = 0
    for player in range(players(s, x)):
        if x.side[player] == entrant:
            cards += s.n_hand[player]
    return cards


@entry
def pass_move(s: State, x: Context) -> Move:
    """Passing is possible on a turn, not in the middle of a choice."""
    return PASS if s.phase == Phase.PLAY else -1


@entry
def discard_moves(s: State, x: Context, count: int) -> int:
    """No move throws a card away."""
    return 0
