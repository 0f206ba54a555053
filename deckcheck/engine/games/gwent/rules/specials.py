"""Special cards, weather apart (rules 1.6.7 to 1.6.10)."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Phase, Slot
from deckcheck.engine.games.gwent.rules.board import row_has_unit
from deckcheck.engine.games.gwent.rules.scorch import scorch_board
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.rules.side_deck import turn_berserkers
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import discard, remove_from_deck, shuffle_deck
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

SLOT_ABILITIES = int(Ability.COMMANDERS_HORN | Ability.MARDROEME)
SPECIAL_ABILITIES = int(SLOT_ABILITIES | Ability.DECOY | Ability.SCORCH)
"""Of which a special card has one."""


@jit
def play_special(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Carry out a special card; `row` counts for those that lie beside a row."""
    ability = x.ability[card]
    side = x.side[player]
    if ability & Ability.DECOY:
        if has_decoy_target(s, x, side):
            s.phase = Phase.DECOY
            s.picked = card
        else:
            discard(s, side, card)
    elif ability & Ability.SCORCH:
        scorch_board(s, x, -1, -1, -1)
        discard(s, side, card)
    elif ability & SLOT_ABILITIES:
        lay_beside_row(s, x, side, card, row)
    else:
        raise UnplayedCode("special")


@jit
def lay_beside_row(s: State, x: Context, side: Side, card: Card, row: Row) -> None:
    """Put a horn or a Mardroeme into the slot of the row."""
    horn = x.ability[card] & Ability.COMMANDERS_HORN
    s.slot[side, row] = Slot.HORN if horn else Slot.MARDROEME
    s.slot_card[side, row] = card
    turn_berserkers(s, x, side, row)
    rescore(s, x, side, row)


@jit
def has_decoy_target(s: State, x: Context, side: Side) -> bool:
    """Whether a non-hero unit lies on the side (rules 1.6.9)."""
    for row in range(s.n_row.shape[1]):
        if row_has_unit(s, x, side, row):
            return True
    return False


@jit
def fetch_from_deck(s: State, x: Context, player: Player, card: Card) -> None:
    """Take `card` out of the deck and shuffle it."""
    remove_from_deck(s, player, card)
    shuffle_deck(s, x, player)
