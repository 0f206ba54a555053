"""The battlefield: laying units down, what lies under them, moving and destroying."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability
from deckcheck.engine.games.sg_gwint.rules.scoring import rescore, rescore_all
from deckcheck.engine.games.sg_gwint.rules.zones import bury, take_from_reserves
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State


@jit
def place(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Put a card at the end of a row; returns what tells it apart from now on."""
    i = s.n_row[side, row]
    s.last_ident += 1
    s.row[side, row, i] = card
    s.extra[side, row, i] = 0
    s.ident[side, row, i] = s.last_ident
    s.stayed[side, row, i] = 0
    s.n_row[side, row] += 1
    rescore(s, x, side, row)
    return s.last_ident


@jit
def bring_lager(s: State, x: Context, side: Side, row: Row, ident: int) -> None:
    """A unit doubles its row from now on, until the end of the round (9.6)."""
    s.lagers[s.n_lagers, 0] = ident
    s.lagers[s.n_lagers, 1] = side
    s.lagers[s.n_lagers, 2] = row
    s.n_lagers += 1
    rescore(s, x, side, row)


@jit
def locate(s: State, ident: int) -> tuple[Side, Row, int]:
    """Side, row and index of a unit; side -1 if it is gone."""
    if ident > 0:
        for side in range(2):
            for row in range(s.n_row.shape[1]):
                for i in range(s.n_row[side, row]):
                    if s.ident[side, row, i] == ident:
                        return side, row, i
    return -1, -1, -1


@jit
def lift(s: State, side: Side, row: Row, index: int) -> Card:
    """Take the card at `index` out of a row and return it; totals are not updated."""
    card = s.row[side, row, index]
    s.n_row[side, row] -= 1
    for i in range(index, s.n_row[side, row]):
        s.row[side, row, i] = s.row[side, row, i + 1]
        s.extra[side, row, i] = s.extra[side, row, i + 1]
        s.ident[side, row, i] = s.ident[side, row, i + 1]
        s.stayed[side, row, i] = s.stayed[side, row, i + 1]
    return card


@jit
def lay_below(
    s: State, x: Context, side: Side, row: Row, index: int, card: Card
) -> None:
    """Lay a token or a special under a unit; it adds to the base strength."""
    s.below[s.n_below, 0] = s.ident[side, row, index]
    s.below[s.n_below, 1] = card
    s.n_below += 1
    s.extra[side, row, index] += x.adds[card]
    rescore(s, x, side, row)


@jit
def swallow(s: State, x: Context, eater: int, eaten: int, card: Card) -> None:
    """The eaten card, and what lay under it, lie under the eater (9.16)."""
    for k in range(s.n_below):
        if s.below[k, 0] == eaten:
            s.below[k, 0] = eater
    s.below[s.n_below, 0] = eater
    s.below[s.n_below, 1] = card
    s.n_below += 1


@jit
def bury_below(s: State, x: Context, ident: int, leaving: int) -> int:
    """What lies under a unit goes to the graveyards; returns what it added.

    Only cards with one of the abilities `leaving` go, all of them if that is 0.
    """
    kept = 0
    added = 0
    for k in range(s.n_below):
        card = s.below[k, 1]
        if s.below[k, 0] == ident and (leaving == 0 or x.ability[card] & leaving):
            added += x.adds[card]
            bury(s, x, card)
        else:
            s.below[kept, 0] = s.below[k, 0]
            s.below[kept, 1] = card
            kept += 1
    s.n_below = kept
    return added


@jit
def stack_up(s: State, card: Card, player: Player, ident: int, abilities: int) -> None:
    """Remember that a card is to come into play, or to use its abilities.

    A card that is still to come has no `ident`, and `abilities` are those that it will
    not use; one that lies has those that it still has to use. A special that lies in no
    row has the ident -1.
    """
    s.stack[s.n_stack, 0] = card
    s.stack[s.n_stack, 1] = player
    s.stack[s.n_stack, 2] = ident
    s.stack[s.n_stack, 3] = abilities
    s.n_stack += 1


@jit
def summon_for(s: State, x: Context, card: Card, side: Side) -> None:
    """A guardian of this side was destroyed: its card comes from the reserves (9.9).

    They are those of the guardian's owner, who by option gets the card, too.
    """
    if x.ability[card] & Ability.GUARDIAN:
        summoned = x.summoned[card]
        if take_from_reserves(s, x, summoned):
            player = x.owner[card] if x.summoned_to_owner else side
            stack_up(s, summoned, player, 0, 0)


@jit
def destroy(s: State, x: Context, side: Side, row: Row, index: int) -> None:
    """A card of a row goes to its owner's graveyard with all that lies under it."""
    ident = s.ident[side, row, index]
    card = lift(s, side, row, index)
    bury_below(s, x, ident, 0)
    bury(s, x, card)
    rescore(s, x, side, row)
    summon_for(s, x, card, side)


@jit
def under_mardroeme(s: State, x: Context, side: Side, row: Row) -> bool:
    """Whether a Mardroeme works on the row: the row effect, or a unit (9.14)."""
    if x.ability[s.slot[side, row]] & Ability.MARDROEME:
        return True
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.MARDROEME:
            return True
    return False


@jit
def note_sky_rows(s: State, x: Context) -> None:
    """Bring up to date on which rows the weather works."""
    s.sky_rows = 0
    for i in range(s.n_sky):
        s.sky_rows |= x.rows[s.sky[i]]
    rescore_all(s, x)


@jit
def clear_sky(s: State, x: Context) -> None:
    """All weather leaves, that in slots too (8.7)."""
    for i in range(s.n_sky):
        bury(s, x, s.sky[i])
    s.n_sky = 0
    for side in range(2):
        for row in range(s.slot.shape[1]):
            if x.ability[s.slot[side, row]] & Ability.WEATHER:
                bury(s, x, s.slot[side, row])
                s.slot[side, row] = 0
    note_sky_rows(s, x)
