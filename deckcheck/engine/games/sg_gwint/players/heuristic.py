"""Provisional."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.jit import entry


@entry
def heuristic_move(s: Any, x: Any, count: Any) -> Any:
    return x.moves[0]
