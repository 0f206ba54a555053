"""The rule-of-thumb player of Gwent."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below

__all__ = ["heuristic_move"]


@jit
def heuristic_move(s: Any, x: Any, count: Any) -> Any:
    """For now a random move."""
    return x.moves[draw_below(x.rng, count)]
