"""Leaders who sound a horn in an own row (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Leader, RowName, Slot
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, Row, State


@jit
def horn_row(leader: int) -> Row:
    """The row a horn leader doubles, -1 for a leader of another kind."""
    if leader == Leader.HORN_OWN_CLOSE:
        return RowName.CLOSE.value
    if leader == Leader.HORN_OWN_RANGED:
        return RowName.RANGED.value
    if leader == Leader.HORN_OWN_SIEGE:
        return RowName.SIEGE.value
    return -1


@jit
def horn_has_effect(s: State, x: Context, player: Player, row: Row) -> bool:
    """ "No effect if that row already has a horn"."""
    return s.slot[x.side[player], row] != Slot.HORN


@jit
def sound_horn(s: State, x: Context, player: Player, row: Row) -> None:
    """A horn for the row until the end of the round."""
    if horn_has_effect(s, x, player, row):
        s.leader_horn[x.side[player], row] = 1
        rescore(s, x, x.side[player], row)
