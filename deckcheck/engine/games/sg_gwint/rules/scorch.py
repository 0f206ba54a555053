"""Destruction of the strongest units (rules 8.12, 9.20)."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.rules.board import destroy
from deckcheck.engine.games.sg_gwint.rules.scoring import is_unit, unit_strength
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Row, Side, State

SCORCH_THRESHOLD = 10


@jit
def strongest(s: State, x: Context, side: Side, row: Row) -> int:
    """The highest strength in a row among units without a shield, -1 for none (4.3)."""
    best = -1
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if is_unit(x, card) and not x.shield[card]:
            best = max(best, unit_strength(s, x, side, row, i))
    return best


@jit
def burn(s: State, x: Context, side: Side, row: Row, strength: int) -> None:
    """Destroy the units of a row that have this strength now, all at once."""
    marked = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if is_unit(x, card) and not x.shield[card]:
            if unit_strength(s, x, side, row, i) == strength:
                x.pool[marked] = s.ident[side, row, i]
                marked += 1
    i = 0
    while i < s.n_row[side, row]:
        is_marked = False
        for k in range(marked):
            if x.pool[k] == s.ident[side, row, i]:
                is_marked = True
        if is_marked:
            destroy(s, x, side, row, i)
        else:
            i += 1


@jit
def scorch_all(s: State, x: Context) -> None:
    """Destroy the strongest units of the whole battlefield (8.12)."""
    best = -1
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            best = max(best, strongest(s, x, side, row))
    if best < 0:
        return
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            burn(s, x, side, row, best)


@jit
def row_points(s: State, x: Context, side: Side, row: Row) -> int:
    """The total that a row scorch looks at, with shields or by option without (4.4)."""
    total = s.total[side, row]
    if x.scorch_ignores_shielded:
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.shield[card]:
                total -= x.strength[card]
    return total


@jit
def scorch_row(s: State, x: Context, side: Side, row: Row) -> None:
    """Destroy the strongest units of a row that has 10 points or more (9.20)."""
    if row_points(s, x, side, row) >= SCORCH_THRESHOLD:
        best = strongest(s, x, side, row)
        if best >= 0:
            burn(s, x, side, row, best)
