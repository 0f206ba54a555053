"""Cards that leave the board, and the side-deck cards that come for them.

Avengers are summoned when a card is discarded (rules 1.6.11), Berserkers turn where a
Mardroeme works (rules 1.6.10).
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Slot
from deckcheck.engine.games.gwent.rules.board import only_row, place, remove_from_row
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.rules.seats import players
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import discard
from deckcheck.engine.types import Card, Context, Row, Side, State

ON_LEAVING = int(Ability.SUMMON_AVENGER)


@jit
def leave_board(s: State, x: Context, side: Side, row: Row, card: Card) -> None:
    """A card of a row goes to the discard pile of the side on which it lies."""
    if x.summoned_card_vanishes and x.side_index[card] >= 0:
        s.n_removed += 1
    else:
        discard(s, side, card)
    if x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, side, row, card)


@jit
def call_summons(s: State, side: Side, row: Row, card: Card) -> None:
    """Note that what `card` summons shall come to `side`."""
    s.summons[s.n_summons, 0] = side
    s.summons[s.n_summons, 1] = row
    s.summons[s.n_summons, 2] = card
    s.n_summons += 1


@jit
def arrive_summons(s: State, x: Context) -> None:
    """Summoned cards come from the side deck to their printed row."""
    for i in range(s.n_summons):
        side, caller = s.summons[i, 0], s.summons[i, 2]
        card = take_from_side_deck(s, x, side, x.summoned[caller], caller)
        if card:
            row = s.summons[i, 1] if x.summoned_joins_row else only_row(x, card)
            place(s, x, side, row, card)
    s.n_summons = 0


@jit
def take_from_side_deck(
    s: State, x: Context, side: Side, card: Card, cause: int
) -> Card:
    """Take `card` out of a side deck of that side; returns it, 0 if there is none.

    Of two partners who both have it, the one whose colour the card `cause` bears
    gives it.
    """
    index = x.side_index[card]
    if index < 0:
        return 0
    giver = -1
    for player in range(players(s, x)):
        if x.side[player] == side and s.side_deck[player, index] > 0:
            if giver < 0 or x.colour[cause] == x.own_colour[player]:
                giver = player
    if giver < 0:
        return 0
    s.side_deck[giver, index] -= 1
    return x.side_card[giver, index]


@jit
def row_has_mardroeme(s: State, x: Context, side: Side, row: Row) -> bool:
    """Whether a Mardroeme works on the row: the special, or a unit such as Ermion."""
    if s.slot[side, row] == Slot.MARDROEME:
        return True
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.MARDROEME:
            return True
    return False


@jit
def turn_berserkers(s: State, x: Context, side: Side, row: Row) -> None:
    """Turn every Berserker of a row on which a Mardroeme works."""
    if not row_has_mardroeme(s, x, side, row):
        return
    for i in range(s.n_row[side, row] - 1, -1, -1):
        card = s.row[side, row, i]
        if x.ability[card] & Ability.BERSERKER:
            after = take_from_side_deck(s, x, side, x.becomes[card], card)
            if after:
                s.row[side, row, i] = after
                s.n_removed += 1
            elif x.berserker_leaves:
                remove_from_row(s, side, row, i)
                s.n_removed += 1
    rescore(s, x, side, row)
