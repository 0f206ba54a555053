"""Destruction of the strongest units: on the board, or in one row (rules 1.6.8)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Kind
from deckcheck.engine.games.gwent.rules.board import remove_from_row
from deckcheck.engine.games.gwent.rules.scoring import rescore_all, unit_strength
from deckcheck.engine.games.gwent.rules.seats import sides
from deckcheck.engine.games.gwent.rules.side_deck import arrive_summons, leave_board
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

SCORCH_THRESHOLD = 10

# A victim in `x.pool`: its side, row, and place in the row.
INDEX_MASK = 4095
ROW_BIT, ROW_MASK = 12, 15
SIDE_BIT = 16


@jit
def scorch_board(
    s: State, x: Context, spare_side: Side, spare_row: Row, spare: int
) -> None:
    """Destroy the strongest units of the whole board; one card may be left out.

    The card at index `spare` of a row neither dies nor counts; -1 spares none.
    """
    best = -1
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            skip = spare if side == spare_side and row == spare_row else -1
            best = max(best, strongest_unit(s, x, side, row, skip))
    victims = 0
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            skip = spare if side == spare_side and row == spare_row else -1
            victims = mark_victims(s, x, side, row, best, skip, victims)
    destroy_marked(s, x, victims)


@jit
def scorch_by_unit(s: State, x: Context, card: Card, row: Row, side: Side) -> None:
    """Clan Dimun Pirate: "it never destroys itself and is left out".

    At a table it may by option look at each opponent separately (4.6.2).
    """
    if x.pirate_scorches_each:
        for other in range(sides(s, x)):
            if other != side:
                scorch_side(s, x, other)
        return
    own = -1
    if not x.pirate_hits_itself:
        for i in range(s.n_row[side, row]):
            if s.row[side, row, i] == card:
                own = i
    scorch_board(s, x, side, row, own)


@jit
def scorch_side(s: State, x: Context, side: Side) -> None:
    """Destroy the strongest units of one side."""
    best = -1
    for row in range(s.n_row.shape[1]):
        best = max(best, strongest_unit(s, x, side, row, -1))
    victims = 0
    for row in range(s.n_row.shape[1]):
        victims = mark_victims(s, x, side, row, best, -1, victims)
    destroy_marked(s, x, victims)


@jit
def scorch_enemies(s: State, x: Context, player: Player, row: Row) -> None:
    """A row scorch looks at every enemy side separately (rules 4.6.2)."""
    for side in range(sides(s, x)):
        if side != x.side[player]:
            scorch_row(s, x, side, row)


@jit
def scorch_row(s: State, x: Context, side: Side, row: Row) -> None:
    """If the row totals 10 or more, heroes included, its strongest units die."""
    if s.total[side, row] >= SCORCH_THRESHOLD:
        best = strongest_unit(s, x, side, row, -1)
        destroy_marked(s, x, mark_victims(s, x, side, row, best, -1, 0))


@jit
def strongest_unit(s: State, x: Context, side: Side, row: Row, skip: int) -> int:
    """Highest current strength of a non-hero unit in the row, -1 if there is none."""
    best = -1
    for i in range(s.n_row[side, row]):
        if i != skip and x.kind[s.row[side, row, i]] == Kind.UNIT:
            best = max(best, unit_strength(s, x, side, row, i))
    return best


@jit
def mark_victims(
    s: State, x: Context, side: Side, row: Row, strength: int, skip: int, marked: int
) -> int:
    """Note the units of exactly this strength in `x.pool`; returns how many in all."""
    for i in range(s.n_row[side, row]):
        if i != skip and x.kind[s.row[side, row, i]] == Kind.UNIT:
            if unit_strength(s, x, side, row, i) == strength:
                x.pool[marked] = side << SIDE_BIT | row << ROW_BIT | i
                marked += 1
    return marked


@jit
def destroy_marked(s: State, x: Context, marked: int) -> None:
    """All victims leave together (rules 1.8.2), then what they summon arrives."""
    if marked == 0:
        return
    for i in range(marked - 1, -1, -1):
        side, row = x.pool[i] >> SIDE_BIT, (x.pool[i] >> ROW_BIT) & ROW_MASK
        card = remove_from_row(s, side, row, x.pool[i] & INDEX_MASK)
        leave_board(s, x, side, row, card)
    rescore_all(s, x)
    arrive_summons(s, x)
