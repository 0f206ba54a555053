"""Hope of the Aen Seidhe: agile units move between their rows (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind, RowName
from deckcheck.engine.games.gwent.rules.board import remove_from_row
from deckcheck.engine.games.gwent.rules.scoring import rescore, unit_strength
from deckcheck.engine.games.gwent.rules.seats import sides
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, Row, Side, State


@jit
def is_reached(x: Context, player: Player, side: Side) -> bool:
    """Whether the leader of `player` moves the units of this side."""
    return side == x.side[player] or x.hope_moves_both_sides


@jit
def optimise_agile_rows(s: State, x: Context, player: Player) -> None:
    """Move the agile units of the own side, by option of all sides."""
    for side in range(sides(s, x)):
        if is_reached(x, player, side):
            move_agile_units(s, x, side)


@jit
def move_agile_units(s: State, x: Context, side: Side) -> None:
    """Each agile unit moves to the row that makes it strongest; equal ones stay.

    One after another, close row first; a unit that moved does not move back.
    """
    stayed = s.n_row[side, RowName.RANGED.value]
    move_agile_row(
        s, x, side, RowName.CLOSE.value, RowName.RANGED.value, s.n_row[side, 0]
    )
    move_agile_row(s, x, side, RowName.RANGED.value, RowName.CLOSE.value, stayed)


@jit
def move_agile_row(
    s: State, x: Context, side: Side, here: Row, there: Row, count: int
) -> None:
    """Try the first `count` units of the row `here` in the row `there`."""
    i = 0
    for _ in range(count):
        if prefers(s, x, side, here, there, i):
            card = remove_from_row(s, side, here, i)
            s.row[side, there, s.n_row[side, there]] = card
            s.n_row[side, there] += 1
        else:
            i += 1
    rescore(s, x, side, here)
    rescore(s, x, side, there)


@jit
def prefers(
    s: State, x: Context, side: Side, here: Row, there: Row, index: int
) -> bool:
    """Whether the unit is agile and would be stronger in the row `there`."""
    card = s.row[side, here, index]
    if x.kind[card] != Kind.UNIT or not x.ability[card] & Ability.AGILE:
        return False
    last = s.n_row[side, there]
    s.row[side, there, last] = card
    s.n_row[side, there] += 1
    elsewhere = unit_strength(s, x, side, there, last)
    s.n_row[side, there] -= 1
    return elsewhere > unit_strength(s, x, side, here, index)


@jit
def any_agile_move(s: State, x: Context, player: Player) -> bool:
    """Whether the leader of `player` would move a unit."""
    for side in range(sides(s, x)):
        if is_reached(x, player, side):
            for here in range(RowName.SIEGE.value):
                for i in range(s.n_row[side, here]):
                    if prefers(s, x, side, here, 1 - here, i):
                        return True
    return False
