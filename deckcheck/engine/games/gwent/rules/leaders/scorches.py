"""Leaders who scorch an enemy row (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Leader, Phase, RowName
from deckcheck.engine.games.gwent.rules.board import row_has_unit
from deckcheck.engine.games.gwent.rules.scorch import SCORCH_THRESHOLD, scorch_enemies
from deckcheck.engine.games.gwent.rules.seats import has_many_sides, sides
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, Row, State


@jit
def scorched_row(leader: int) -> Row:
    """The enemy row a scorching leader burns, -1 for a leader of another kind."""
    if leader == Leader.SCORCH_ENEMY_CLOSE:
        return RowName.CLOSE.value
    if leader == Leader.SCORCH_ENEMY_RANGED:
        return RowName.RANGED.value
    if leader == Leader.SCORCH_ENEMY_SIEGE:
        return RowName.SIEGE.value
    return -1


@jit
def scorch_has_effect(s: State, x: Context, player: Player, row: Row) -> bool:
    """Whether a row scorch would destroy something on an enemy side."""
    for side in range(sides(s, x)):
        if side != x.side[player] and s.total[side, row] >= SCORCH_THRESHOLD:
            if row_has_unit(s, x, side, row):
                return True
    return False


@jit
def scorch_for_leader(s: State, x: Context, player: Player, row: Row) -> None:
    """Scorch the row of the enemy; of several the player chooses one (4.7.2)."""
    if has_many_sides(s, x) and not x.leader_scorches_all:
        s.phase = Phase.OPPONENT
    else:
        scorch_enemies(s, x, player, row)
