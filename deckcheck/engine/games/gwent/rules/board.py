"""Places on the board: where a card lands, laying it down, taking it away."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind, RowName
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.rules.seats import enemy_side
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State


@jit
def landing_side(s: State, x: Context, player: Player, card: Card) -> Side:
    """The side a unit of `player` lands on: spies go across (rules 1.6.5).

    It is -1 for a spy whose player chooses among several opponents (rules 4.6.1).
    """
    if x.ability[card] & Ability.SPY:
        return enemy_side(s, x, x.side[player])
    return x.side[player]


@jit
def may_lie_in(x: Context, card: Card, row: Row) -> bool:
    """Whether the card may lie in the row."""
    return x.rows[card] >> row & 1 != 0


@jit
def row_has_unit(s: State, x: Context, side: Side, row: Row) -> bool:
    """Whether a non-hero unit lies in the row."""
    for i in range(s.n_row[side, row]):
        if x.kind[s.row[side, row, i]] == Kind.UNIT:
            return True
    return False


@jit
def only_row(x: Context, card: Card) -> Row:
    """The first row a card may lie in."""
    if may_lie_in(x, card, RowName.CLOSE.value):
        return RowName.CLOSE.value
    if may_lie_in(x, card, RowName.RANGED.value):
        return RowName.RANGED.value
    return RowName.SIEGE.value


@jit
def place(s: State, x: Context, side: Side, row: Row, card: Card) -> None:
    """Put a card at the end of a row."""
    s.row[side, row, s.n_row[side, row]] = card
    s.n_row[side, row] += 1
    rescore(s, x, side, row)


@jit
def remove_from_row(s: State, side: Side, row: Row, index: int) -> Card:
    """Take the card at `index` out of a row and return it; totals are not updated."""
    card = s.row[side, row, index]
    s.n_row[side, row] -= 1
    for i in range(index, s.n_row[side, row]):
        s.row[side, row, i] = s.row[side, row, i + 1]
    return card
