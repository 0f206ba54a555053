"""What units of a side are worth on average."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Side, Workspace


@jit
def average_unit(q: Workspace, side: Side) -> int:
    """The average strength of a unit that lies on the side."""
    units = q.units[side, 0] + q.units[side, 1] + q.units[side, 2]
    printed = q.printed[side, 0] + q.printed[side, 1] + q.printed[side, 2]
    return printed // max(units, 1)


@jit
def average_pair(q: Workspace, side: Side) -> int:
    """The average strength of two units of the discard pile."""
    return 2 * q.dead_strength[side] // max(q.dead[side], 1)
