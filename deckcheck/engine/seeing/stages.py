"""The stages of a game: by the lives left, and by passes."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Cells, Player

STAGES = 12


@jit
def duel_stage(lives: Cells, passed: Cells, player: Player, enemy: Player) -> int:
    """Which stage of a duel this is for the player; `lives` are what both have left."""
    return 3 * life_stage(lives, player, enemy) + round_stage(passed, player, enemy)


@jit
def life_stage(lives: Cells, own: int, other: int) -> int:
    """Whether one side, or both, would lose the game with the round."""
    return 2 * (lives[own] <= 1) + (lives[other] <= 1)


@jit
def round_stage(passed: Cells, player: Player, enemy: Player) -> int:
    """0 with both in the round, 1 if the enemy has passed, 2 if only the player has."""
    if passed[enemy]:
        return 1
    return 2 if passed[player] else 0
