"""Strengths of units, and the score of a side (rules 1.3, 5.4 to 5.7)."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, Row, State


@jit
def row_score(s: State, x: Context, player: Player, row: Row, weather_row: Row) -> int:
    """What a row shows while weather covers `weather_row`."""
    if row == weather_row:
        return s.n_row[player, row] * x.weather_strength
    return s.total[player, row]


@jit
def score_under(s: State, x: Context, player: Player, weather_row: Row) -> int:
    """What the side of a player shows while weather covers `weather_row`."""
    score = 0
    for row in range(s.n_row.shape[1]):
        score += row_score(s, x, player, row, weather_row)
    return score


@jit
def side_score(s: State, x: Context, player: Player) -> int:
    """The score of a side: the sum of the shown strengths of its units."""
    return score_under(s, x, player, s.weather_row)


@jit
def best_other_score(s: State, x: Context, player: Player, weather_row: Row) -> int:
    """The highest score among the others who are in the game."""
    best = -1
    for i in range(s.standing):
        other = s.order[i]
        if other != player:
            best = max(best, score_under(s, x, other, weather_row))
    return best
