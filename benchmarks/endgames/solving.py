"""The value of a position in which nothing is hidden, by trying everything.

It knows no game: values are those of `returns`, with best play on both sides.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.jit import entry

__all__ = ["DEPTH", "UNKNOWN", "WON", "solve"]

WON = 2
WORST, BEST = -1, 3  # below and above every value
DEPTH = 32  # moves to the end of the game
UNKNOWN = -2


@entry
def solve(states: Any, x: Any, lines: Any, player: Any, limit: Any) -> Any:
    """The half-points that `player` gets from `states[0]` with best play of both.

    `states` and `lines`, an array of (DEPTH, moves + 3), hold the line that is being
    tried. Returns UNKNOWN where that takes more than `limit` moves, a line is longer
    than DEPTH, or chance has a part in it.
    """
    if is_over(states[0]):
        return returns(states[0], player)
    moves = lines.shape[1] - 3
    value, depth, tried, opens = UNKNOWN, 0, 0, True
    while depth >= 0:
        line = lines[depth]
        wants_most = to_move(states[depth]) == player
        if opens:
            count = legal_moves(states[depth], x)
            line[moves], line[moves + 1] = count, 0
            line[moves + 2] = WORST if wants_most else BEST
            for i in range(count):
                line[i] = x.moves[i]
            opens = False
        elif value != UNKNOWN:
            best = line[moves + 2]
            line[moves + 2] = max(best, value) if wants_most else min(best, value)
        best = line[moves + 2]
        decided = best == WON if wants_most else best == 0
        if decided or line[moves + 1] == line[moves]:
            value = best
            depth -= 1
            continue
        if tried == limit or depth + 1 == DEPTH:
            return UNKNOWN
        tried += 1
        states[depth + 1] = states[depth]
        apply_move(states[depth + 1], x, line[line[moves + 1]])
        line[moves + 1] += 1
        value = UNKNOWN
        for i in range(states[0].rng.shape[0]):
            if states[depth + 1].rng[i] != states[0].rng[i]:
                return UNKNOWN
        if is_over(states[depth + 1]):
            value = returns(states[depth + 1], player)
        else:
            depth += 1
            opens = True
    return value
