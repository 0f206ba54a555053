"""The rule-of-thumb player against the automa: honest, and good at passing."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card
from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.players.gains import lead
from deckcheck.engine.games.gwent.players.heuristic import (
    choice_value,
    hand_worth,
    redraw_move,
    wins_ties,
)
from deckcheck.engine.games.gwent.players.weighing import (
    NEVER,
    is_spy,
    move_gain,
    move_worth,
)
from deckcheck.engine.games.gwent.rules.encoding import PASS
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Context, Move, State

# The figures below were found by play against automas of all factions, in this order:
# with two gems each, one gem ahead, one gem behind, on the last gem each.
LEAD = (7, 9, 7, 11)  # a lead to rest on, before the automa's last turn
ARREARS = (18, 13, 1000, 1000)  # too far behind to follow in a round
USEFUL = (1, 5, -4, 4)  # a move that brings no more is worse than passing
WORTH = (5, 2, 3, 0)  # how much the worth of a card weighs, tenths of its gain


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """The move of the rule-of-thumb player among the `count` moves in `x.moves`."""
    if s.phase == Phase.PLAY:
        return turn_move(s, x, count)
    if s.phase == Phase.REDRAW:
        return redraw_move(s, x, USER, count)
    best = x.moves[0]
    best_value = NEVER
    for i in range(count):
        if s.phase == Phase.AUTOMA_DISCARD:
            value = -hand_worth(s, x, USER, move_card(x.moves[i]))
        else:
            value = choice_value(s, x, USER, x.moves[i])
        if value > best_value:
            best, best_value = x.moves[i], value
    return best


@jit
def turn_move(s: State, x: Context, count: int) -> Move:
    """Pass, or the best of the moves; a spy comes first: two cards for one."""
    if count == 1:
        return x.moves[0]
    ahead = lead(s, x, USER)
    if wins_ties(s, x, USER):
        ahead += 1
    gems = 2 * (s.gems[USER] == 1) + (s.gems[AUTOMA] == 1)
    best, gain = best_play(s, x, count, WORTH[gems])
    if is_spy(s, x, USER, best):
        return best
    if gain <= USEFUL[gems] or ahead >= LEAD[gems] or -ahead > ARREARS[gems]:
        return PASS
    return best


@jit
def best_play(s: State, x: Context, count: int, weight: int) -> tuple[Move, int]:
    """The best move that is no pass, and its gain.

    The automa answers every turn, so gain is what counts; cards that are worth more in
    another round wait. What would cost strength comes last.
    """
    best, best_value, best_gain = PASS, 100 * NEVER, NEVER
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, USER, move)
        value = 10 * gain - weight * move_worth(s, x, USER, move)
        if is_spy(s, x, USER, move):
            value -= 100 * NEVER
        elif gain < 0:
            value += 10 * NEVER
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain
