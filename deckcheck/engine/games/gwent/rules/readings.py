"""Readings of the state that duels, tables and solo games share."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.rules.encoding import PASS
from deckcheck.engine.games.gwent.rules.seats import players
from deckcheck.engine.jit import entry
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
def returns(s: State, player: Player) -> int:
    """2 for the winner, 0 for the loser, 1 each if both lost the last gem."""
    if s.winner < 0:
        return 1
    return 2 if s.winner == player else 0


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
