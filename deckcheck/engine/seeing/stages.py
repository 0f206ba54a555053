"""The stages of a duel: by who is about to lose it, and by who has passed."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Cells, Player

STAGES = 12


@jit
def stage_of(lives: Cells, passed: Cells, player: Player) -> int:
    """Which stage of a duel this is for the player."""
    last = 2 * (lives[player] <= 1) + (lives[1 - player] <= 1)
    out = 0
    if passed[1 - player]:
        out = 1
    elif passed[player]:
        out = 2
    return 3 * last + out
