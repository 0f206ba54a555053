"""Cards that leave the board, and the side-deck cards that come for them.

Avengers are summoned when a card is discarded (rules 1.6.11), Berserkers turn where a
Mardroeme works (rules 1.6.10).
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.board import only_row, place, remove_from_row
from deckcheck.engine.games.gwent.codes import Ability, Slot
from deckcheck.engine.games.gwent.scoring import rescore
from deckcheck.engine.games.gwent.zones import discard
from deckcheck.engine.jit import jit

__all__ = [
    "arrive_summons",
    "call_summons",
    "leave_board",
    "row_has_mardroeme",
    "turn_berserkers",
]


@jit
def leave_board(s: Any, x: Any, side: Any, row: Any, card: Any) -> Any:
    """A card of a row goes to the discard pile of the side on which it lies."""
    if x.summoned_card_vanishes and x.side_index[card] >= 0:
        s.n_removed += 1
    else:
        discard(s, side, card)
    if x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, x, side, row, card)


@jit
def call_summons(s: Any, x: Any, side: Any, row: Any, card: Any) -> Any:
    """Note that what `card` summons shall come to `side`."""
    s.summons[s.n_summons, 0] = side
    s.summons[s.n_summons, 1] = row
    s.summons[s.n_summons, 2] = x.summoned[card]
    s.n_summons += 1


@jit
def arrive_summons(s: Any, x: Any) -> Any:
    """Summoned cards come from the side deck to their printed row."""
    for i in range(s.n_summons):
        side, card = s.summons[i, 0], s.summons[i, 2]
        row = s.summons[i, 1] if x.summoned_joins_row else only_row(x, card)
        if take_from_side_deck(s, x, side, card):
            place(s, x, side, row, card)
    s.n_summons = 0


@jit
def take_from_side_deck(s: Any, x: Any, side: Any, card: Any) -> Any:
    """Take a copy out of a side deck of that side; 1 if there was one, else 0."""
    index = x.side_index[card]
    for player in range(s.side_deck.shape[0]):
        if x.side[player] == side and index >= 0 and s.side_deck[player, index] > 0:
            s.side_deck[player, index] -= 1
            return 1
    return 0


@jit
def row_has_mardroeme(s: Any, x: Any, side: Any, row: Any) -> Any:
    """Whether a Mardroeme works on the row: the special, or a unit such as Ermion."""
    if s.slot[side, row] == Slot.MARDROEME:
        return True
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.MARDROEME:
            return True
    return False


@jit
def turn_berserkers(s: Any, x: Any, side: Any, row: Any) -> Any:
    """Turn every Berserker of a row on which a Mardroeme works."""
    if not row_has_mardroeme(s, x, side, row):
        return
    for i in range(s.n_row[side, row] - 1, -1, -1):
        card = s.row[side, row, i]
        if x.ability[card] & Ability.BERSERKER:
            if take_from_side_deck(s, x, side, x.becomes[card]):
                s.row[side, row, i] = x.becomes[card]
                s.n_removed += 1
            elif x.berserker_leaves:
                remove_from_row(s, side, row, i)
                s.n_removed += 1
    rescore(s, x, side, row)
