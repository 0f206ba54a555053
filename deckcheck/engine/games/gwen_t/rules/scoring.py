"""What units show, and the score of a side (rules 1.3, 5.4 to 5.7)."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.jit import jit

__all__ = ["best_other_score", "row_score", "score_under", "side_score"]


@jit
def row_score(s: Any, x: Any, player: Any, row: Any, weather_row: Any) -> Any:
    """What a row shows while weather covers `weather_row`."""
    if row == weather_row:
        return s.n_row[player, row] * x.weather_strength
    return s.total[player, row]


@jit
def score_under(s: Any, x: Any, player: Any, weather_row: Any) -> Any:
    """What the side of a player shows while weather covers `weather_row`."""
    score = 0
    for row in range(s.n_row.shape[1]):
        score += row_score(s, x, player, row, weather_row)
    return score


@jit
def side_score(s: Any, x: Any, player: Any) -> Any:
    """The score of a side: the sum of the shown strengths of its units."""
    return score_under(s, x, player, s.weather_row)


@jit
def best_other_score(s: Any, x: Any, player: Any, weather_row: Any) -> Any:
    """The highest score among the others who are in the game."""
    best = -1
    for i in range(s.standing):
        other = s.order[i]
        if other != player:
            best = max(best, score_under(s, x, other, weather_row))
    return best
