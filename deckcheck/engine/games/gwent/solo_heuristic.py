"""The rule-of-thumb player against the automa: honest, and good at passing."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.encoding import PASS, move_card
from deckcheck.engine.games.gwent.gains import lead
from deckcheck.engine.games.gwent.heuristic import (
    NEVER,
    best_play,
    choice_value,
    hand_worth,
    is_spy,
    redraw_move,
    wins_ties,
)
from deckcheck.engine.games.gwent.solo_state import AUTOMA, USER
from deckcheck.engine.jit import entry, jit

__all__ = ["heuristic_move"]


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
    if s.gems[USER] == 1:
        return ahead >= x.script[0] or gain <= x.script[1]
    if s.gems[AUTOMA] == 1:
        return ahead >= x.script[2] or -ahead > x.script[3] or gain <= x.script[1]
    return ahead >= x.script[4] or -ahead > x.script[5] or gain <= x.script[1]
