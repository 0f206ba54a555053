"""Players without a plan: reference points for every other player."""

from __future__ import annotations

from deckcheck.engine.contract import pass_move, wins_by_passing
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Context, Move, State

__all__ = ["no_pass_move", "random_move", "sane_random_move"]


@jit
def random_move(x: Context, count: int) -> Move:
    """Any legal move, all equally likely."""
    return x.moves[draw_below(x.rng, count)]


@jit
def no_pass_move(s: State, x: Context, count: int) -> Move:
    """A random move that is no pass while there is one."""
    passing = pass_move(s, x)
    if passing >= 0 and count > 1:
        # The pass is one of the moves: swap it to the end and leave it out.
        for i in range(count):
            if x.moves[i] == passing:
                x.moves[i] = x.moves[count - 1]
                x.moves[count - 1] = passing
        count -= 1
    return random_move(x, count)


@jit
def sane_random_move(s: State, x: Context, count: int) -> Move:
    """The same, but it passes when the other has passed and it is ahead."""
    passing = pass_move(s, x)
    if passing >= 0 and wins_by_passing(s, x):
        return passing
    return no_pass_move(s, x, count)
