"""Moving cards between deck, hand and discard pile; random decks.

Nothing here knows a rule of play: these are the hands that move the cards.
"""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Cells, Context, Player, State


@jit
def draw_cards(s: State, x: Context, player: Player, count: int) -> None:
    """Draw up to `count` cards: "hand limit 10, fewer if the deck runs out"."""
    room = x.hand_limit - s.n_hand[player]
    for _ in range(min(count, room, s.n_deck[player])):
        s.n_deck[player] -= 1
        s.hand[player, s.n_hand[player]] = s.deck[player, s.n_deck[player]]
        s.n_hand[player] += 1


@jit
def take_from_hand(s: State, player: Player, index: int) -> Card:
    """Take the hand card at `index` out and return it; the last card closes the gap."""
    card = s.hand[player, index]
    s.n_hand[player] -= 1
    s.hand[player, index] = s.hand[player, s.n_hand[player]]
    return card


@jit
def discard(s: State, player: Player, card: Card) -> None:
    """Put a card that leaves the board on its owner's pile."""
    s.discard[player, s.n_discard[player]] = card
    s.n_discard[player] += 1


@jit
def fill_pool(x: Context) -> int:
    """A fresh copy of the pool in `x.left`; returns the number of its cards."""
    total = 0
    for card in range(1, x.n_cards + 1):
        x.left[card] = x.copies[card]
        total += x.copies[card]
    list_kinds(x)
    return total


@jit
def list_kinds(x: Context) -> None:
    """Bring the list of kinds that are not used up in line with `x.left`."""
    x.n_kinds = 0
    for card in range(1, x.n_cards + 1):
        if x.left[card] > 0:
            x.kinds[x.n_kinds] = card
            x.n_kinds += 1


@jit
def random_card(x: Context, rng: Cells, total: int) -> Card:
    """Take a random card out of the `total` cards in `x.left` (rules 2.3 and 2.4).

    To pick again where a kind is used up is to pick among those that are not.
    """
    place = 0
    if x.weighted_sampling:
        ticket = draw_below(rng, total)
        while ticket >= x.left[x.kinds[place]]:
            ticket -= x.left[x.kinds[place]]
            place += 1
    else:
        place = draw_below(rng, x.n_kinds)
    card = x.kinds[place]
    x.left[card] -= 1
    if x.left[card] == 0:
        x.n_kinds -= 1
        x.kinds[place] = x.kinds[x.n_kinds]
    return card
