"""The rule-of-thumb player against the automa: honest, and good at passing."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.encoding import PASS, move_card
from deckcheck.engine.games.gwent.gains import lead
from deckcheck.engine.games.gwent.heuristic import (
    choice_value,
    hand_worth,
    redraw_move,
    wins_ties,
)
from deckcheck.engine.games.gwent.solo_state import AUTOMA, USER
from deckcheck.engine.games.gwent.weighing import NEVER, best_play, is_spy
from deckcheck.engine.jit import entry, jit

__all__ = ["heuristic_move"]

# The figures below were found by play against automas of all factions.
USEFUL = -4  # a move that brings no more than this is worse than passing
FIRST_ROUND_LEAD = 5  # a lead to rest on, before the automa's last turn
LAST_GEM_LEAD = 8
FIRST_ROUND_ARREARS = 27  # too far behind to follow in a round that may be lost
LATE_ARREARS = 11


@entry
def heuristic_move(s: Any, x: Any, count: Any) -> Any:
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
def turn_move(s: Any, x: Any, count: Any) -> Any:
    """Pass, or the best of the moves."""
    if count == 1:
        return x.moves[0]
    ahead = lead(s, x, USER)
    if wins_ties(s, x, USER):
        ahead += 1
    best, gain, reserve = best_play(s, x, USER, count)
    if should_pass(s, x, best, gain, reserve, ahead):
        return PASS
    return best


@jit
def should_pass(s: Any, x: Any, best: Any, gain: Any, reserve: Any, ahead: Any) -> Any:
    """Whether to leave the round to the automa's last turn.

    `reserve` is what the two best moves could add.
    """
    if is_spy(s, x, USER, best):
        return False
    if gain <= USEFUL:
        return True
    if s.gems[USER] == 1:
        return ahead >= LAST_GEM_LEAD
    if s.gems[AUTOMA] == 1:
        return ahead >= LAST_GEM_LEAD or -ahead > LATE_ARREARS
    return ahead >= FIRST_ROUND_LEAD or -ahead > FIRST_ROUND_ARREARS
