"""Leaders who pick cards out of their deck, weather apart (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.encoding import ROW_BIT, move_card, move_row
from deckcheck.engine.games.gwent.codes import Ability, Kind, Phase, Slot
from deckcheck.engine.games.gwent.rules.abilities import deploy
from deckcheck.engine.games.gwent.rules.encoding import CHOOSE
from deckcheck.engine.games.gwent.rules.specials import fetch_from_deck, play_special
from deckcheck.engine.games.gwent.rules.zones import UNKNOWN, add_to_hand
from deckcheck.engine.jit import jit
from deckcheck.engine.move_list import (
    add,
    add_hand,
    add_once,
    sort_moves,
)
from deckcheck.engine.piles import (
    discard,
    remove_from_deck,
    remove_from_hand,
    shuffle_deck,
)
from deckcheck.engine.types import Card, Context, Move, Player, State

DISCARDED = 2


# Destroyer of Worlds: "discard two cards, then choose one of the deck"


@jit
def has_cards(s: State, x: Context, player: Player) -> bool:
    """Whether there is a card to discard or to choose."""
    return s.n_hand[player] > 0 or s.n_deck[player] > 0


@jit
def offer_discards(s: State, x: Context, player: Player) -> None:
    """As many cards as there are are discarded, two at most."""
    s.to_discard = min(DISCARDED, s.n_hand[player])
    offer_next(s, player)


@jit
def offer_next(s: State, player: Player) -> None:
    """The next card to discard, else the card of the deck."""
    if s.to_discard > 0:
        s.phase = Phase.DISCARD_TWO
    elif s.n_deck[player] > 0:
        s.phase = Phase.FROM_DECK


@jit
def discard_moves(s: State, x: Context, player: Player) -> int:
    """Each different hand card."""
    return add_hand(s, x, player, CHOOSE, 0)


@jit
def discard_chosen(s: State, x: Context, player: Player, move: Move) -> None:
    """Discard a hand card."""
    remove_from_hand(s, player, move_card(move))
    discard(s, x.side[player], move_card(move))
    s.to_discard -= 1
    offer_next(s, player)


@jit
def deck_moves(s: State, x: Context, player: Player) -> int:
    """Each different card of the deck."""
    count = 0
    for i in range(s.n_deck[player]):
        count = add_once(x, count, CHOOSE | s.deck[player, i])
    sort_moves(x, count)
    return count


@jit
def pick_from_deck(s: State, x: Context, player: Player, move: Move) -> None:
    """Take the chosen card of the deck into the hand."""
    remove_from_deck(s, player, move_card(move))
    shuffle_deck(s, x, player)
    add_to_hand(s, player, move_card(move), UNKNOWN)


# Arnjolf: a copy of a tight-bond unit on the own side, out of the deck


@jit
def bond_copy_in_deck(s: State, x: Context, player: Player, card: Card) -> bool:
    """Whether Arnjolf could fetch a copy of the unit `card` on the own side."""
    if x.kind[card] != Kind.UNIT or not x.ability[card] & Ability.TIGHT_BOND:
        return False
    for i in range(s.n_deck[player]):
        if s.deck[player, i] == card:
            return True
    return False


@jit
def any_bond_copy(s: State, x: Context, player: Player) -> bool:
    """Whether Arnjolf has anything to fetch."""
    side = x.side[player]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if bond_copy_in_deck(s, x, player, s.row[side, row, i]):
                return True
    return False


@jit
def offer_bond_copy(s: State, x: Context, player: Player) -> None:
    """The player chooses the unit, and with it the row."""
    if any_bond_copy(s, x, player):
        s.phase = Phase.BOND_COPY


@jit
def bond_copy_moves(s: State, x: Context, player: Player) -> int:
    """Each different unit of the own side of which a copy is in the deck."""
    count = 0
    side = x.side[player]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if bond_copy_in_deck(s, x, player, card):
                count = add_once(x, count, CHOOSE | row << ROW_BIT | card)
    return count


@jit
def play_bond_copy(s: State, x: Context, player: Player, move: Move) -> None:
    """Play the copy beside the chosen unit."""
    fetch_from_deck(s, x, player, move_card(move))
    deploy(s, x, player, move_card(move), move_row(move))


# The Cripple: a Mardroeme card of the deck


@jit
def mardroeme_in_deck(s: State, x: Context, player: Player) -> Card:
    """A Mardroeme special in the deck, 0 if there is none (Ermion is no such card)."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        card = s.deck[player, i]
        if x.kind[card] == Kind.SPECIAL and x.ability[card] & Ability.MARDROEME:
            return card
    return 0


@jit
def can_lay_mardroeme(s: State, x: Context, player: Player) -> bool:
    """Whether there is such a card, and a row without a special beside it."""
    if not mardroeme_in_deck(s, x, player):
        return False
    for row in range(s.slot.shape[1]):
        if s.slot[x.side[player], row] == Slot.EMPTY:
            return True
    return False


@jit
def offer_mardroeme(s: State, x: Context, player: Player) -> None:
    """The player chooses the row."""
    if can_lay_mardroeme(s, x, player):
        s.phase = Phase.MARDROEME_ROW


@jit
def mardroeme_moves(s: State, x: Context, player: Player) -> int:
    """The card for each row without a special beside it."""
    count = 0
    for row in range(s.slot.shape[1]):
        if s.slot[x.side[player], row] == Slot.EMPTY:
            card = mardroeme_in_deck(s, x, player)
            count = add(x, count, CHOOSE | row << ROW_BIT | card)
    return count


@jit
def lay_mardroeme(s: State, x: Context, player: Player, move: Move) -> None:
    """Lay the card beside the chosen row."""
    fetch_from_deck(s, x, player, move_card(move))
    play_special(s, x, player, move_card(move), move_row(move))
