"""Players without a plan: reference points for every other player."""

from __future__ import annotations

from deckcheck.engine.contract import discard_moves, pass_move, wins_by_passing
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Context, Move, State


@jit
def random_move(s: State, x: Context, count: int) -> Move:
    """Any legal move, all equally likely; to throw a card away is one, whichever."""
    discards = discard_moves(s, x, count)
    if discards == 0:
        return x.moves[draw_below(x.rng, count)]
    others = count - discards
    choice = draw_below(x.rng, others + 1)
    if choice == others:
        choice += draw_below(x.rng, discards)
    return x.moves[choice]


@jit
def no_pass_move(s: State, x: Context, count: int) -> Move:
    """A random move that plays a card while there is one; else it passes."""
    passing = pass_move(s, x)
    plays = count - discard_moves(s, x, count)
    if passing >= 0 and plays > 1:
        # The pass is one of the moves: swap it to the end and leave it out.
        for i in range(plays):
            if x.moves[i] == passing:
                x.moves[i] = x.moves[plays - 1]
                x.moves[plays - 1] = passing
        plays -= 1
    if plays == 0:
        plays = count
    return x.moves[draw_below(x.rng, plays)]


@jit
def sane_random_move(s: State, x: Context, count: int) -> Move:
    """The same, but it passes when the other has passed and it is ahead."""
    passing = pass_move(s, x)
    if passing >= 0 and wins_by_passing(s, x):
        return passing
    return no_pass_move(s, x, count)
