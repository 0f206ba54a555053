"""The automa's agile units, which move for free in its turn (rules 6.5.5)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Deed, Kind, RowName
from deckcheck.engine.games.gwent.rules.board import remove_from_row
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.solo.deeds import note_deed
from deckcheck.engine.games.gwent.solo.state import AUTOMA
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Row, State


@jit
def move_agile_units(s: State, x: Context) -> None:
    """One agile unit after another moves, as long as that raises the total."""
    moving = has_agile_unit(s, x)
    while moving:
        moving = False
        for here in range(RowName.SIEGE.value):
            i = 0
            while i < s.n_row[AUTOMA, here]:
                if moves(s, x, here, 1 - here, i):
                    moving = True
                else:
                    i += 1


@jit
def has_agile_unit(s: State, x: Context) -> bool:
    """Whether there is a unit that could move."""
    for row in range(RowName.SIEGE.value):
        for i in range(s.n_row[AUTOMA, row]):
            if is_agile_unit(x, s.row[AUTOMA, row, i]):
                return True
    return False


@jit
def is_agile_unit(x: Context, card: Card) -> bool:
    """Whether the card is a unit with agile that may move; a hero may by option."""
    may_move = x.kind[card] == Kind.UNIT or x.automa_moves_heroes
    return may_move and x.ability[card] & Ability.AGILE != 0


@jit
def moves(s: State, x: Context, here: Row, there: Row, index: int) -> bool:
    """Move the card at `index` if it is agile and the automa's total grows."""
    if not is_agile_unit(x, s.row[AUTOMA, here, index]):
        return False
    before = s.total[AUTOMA, here] + s.total[AUTOMA, there]
    card = remove_from_row(s, AUTOMA, here, index)
    s.row[AUTOMA, there, s.n_row[AUTOMA, there]] = card
    s.n_row[AUTOMA, there] += 1
    rescore(s, x, AUTOMA, here)
    rescore(s, x, AUTOMA, there)
    if s.total[AUTOMA, here] + s.total[AUTOMA, there] > before:
        note_deed(s, x, Deed.MOVE.value, card, there, AUTOMA)
        return True
    s.n_row[AUTOMA, there] -= 1
    for i in range(s.n_row[AUTOMA, here], index, -1):
        s.row[AUTOMA, here, i] = s.row[AUTOMA, here, i - 1]
    s.row[AUTOMA, here, index] = card
    s.n_row[AUTOMA, here] += 1
    rescore(s, x, AUTOMA, here)
    rescore(s, x, AUTOMA, there)
    return False
