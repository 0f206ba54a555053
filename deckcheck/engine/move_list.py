"""The list of moves that is written to `x.moves`."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, State


@jit
def add(x: Context, count: int, move: Move) -> int:
    """Append a move to the list; returns the new length."""
    x.moves[count] = move
    return count + 1


@jit
def add_once(x: Context, count: int, move: Move) -> int:
    """Append a move unless it is in the list already."""
    for i in range(count):
        if x.moves[i] == move:
            return count
    x.moves[count] = move
    return count + 1


@jit
def add_hand(s: State, x: Context, player: Player, verb: int, count: int) -> int:
    """Append one move for each different hand card (the hand is sorted)."""
    last = 0
    for i in range(s.n_hand[player]):
        if s.hand[player, i] != last:
            last = s.hand[player, i]
            count = add(x, count, verb | last)
    return count


@jit
def sort_moves(x: Context, count: int) -> None:
    """Sort the list, so that it does not tell the order of a deck."""
    for i in range(1, count):
        move = x.moves[i]
        j = i
        while j > 0 and x.moves[j - 1] > move:
            x.moves[j] = x.moves[j - 1]
            j -= 1
        x.moves[j] = move
