"""Moving cards between hand, deck and graveyard; shuffles and random picks.

Nothing here knows a rule: these are the hands that move the cards.
"""

from __future__ import annotations

from deckcheck.engine import piles
from deckcheck.engine.games.sg_gwint.codes import Kind
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import (
    add_to_deck_bottom,
    discard,
    index_in_hand,
    take_from_hand_at,
)
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, Player, State


@jit
def shuffle_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle; nobody knows any longer what lies under the deck."""
    s.n_under[player] = 0
    piles.shuffle_deck(s, x, player)


@jit
def hand_order(x: Context, player: Player, card: Card) -> int:
    """By what a hand is sorted: cards of the database, a player's own copy first."""
    return 2 * x.plain[card] + (x.owner[card] != player)


@jit
def add_to_hand(s: State, x: Context, player: Player, card: Card, seen: int) -> None:
    """Put `card` into the hand, in order; `seen` is 1 if the opponent knows it."""
    i = s.n_hand[player]
    key = hand_order(x, player, card)
    while i > 0 and hand_order(x, player, s.hand[player, i - 1]) > key:
        s.hand[player, i] = s.hand[player, i - 1]
        s.seen[player, i] = s.seen[player, i - 1]
        i -= 1
    s.hand[player, i] = card
    s.seen[player, i] = seen
    s.n_hand[player] += 1


@jit
def remove_from_hand(s: State, player: Player, card: Card) -> int:
    """Take one copy out of the hand, one the opponent knows if there is; was it?"""
    at = index_in_hand(s, player, card)
    seen = s.seen[player, at]
    take_from_hand_at(s, player, at)
    return seen


@jit
def draw_cards(s: State, x: Context, player: Player, count: int) -> None:
    """Draw up to `count` cards: "from an empty deck does nothing" (rules 6.10)."""
    for _ in range(min(count, s.n_deck[player])):
        s.n_deck[player] -= 1
        last = s.n_deck[player]
        seen = 0
        if s.n_under[player] > last:
            seen = s.under_seen[player, last]
            s.n_under[player] = last
        add_to_hand(s, x, player, s.deck[player, last], seen)


@jit
def put_under_deck(s: State, player: Player, card: Card, seen: int) -> None:
    """Put a card of the hand below the deck, where its player knows it (2.5)."""
    for i in range(s.n_under[player], 0, -1):
        s.under_seen[player, i] = s.under_seen[player, i - 1]
    s.under_seen[player, 0] = seen
    add_to_deck_bottom(s, player, card)
    s.n_under[player] += 1


@jit
def remove_from_deck(s: State, x: Context, player: Player, card: Card) -> None:
    """Take the topmost copy out of the deck that was searched, and shuffle (8.19)."""
    piles.remove_from_deck(s, player, card)
    shuffle_deck(s, x, player)


@jit
def bury(s: State, x: Context, card: Card) -> None:
    """Put `card` into its owner's graveyard; a leader leaves the game."""
    if x.kind[card] == Kind.LEADER:
        s.n_removed += 1
        return
    discard(s, x.owner[card], card)


@jit
def take_from_reserves(s: State, x: Context, card: Card) -> int:
    """Take a copy of `card` out of its owner's reserves; 1 if there was one, else 0."""
    owner, index = x.owner[card], x.reserve_index[card]
    if card == 0 or index < 0 or s.reserves[owner, index] == 0:
        return 0
    s.reserves[owner, index] -= 1
    return 1


@jit
def toss(s: State, x: Context) -> None:
    """Toss the coin again; a scripted game says who wins."""
    s.n_tosses += 1
    if x.scripted:
        s.coin = x.coins[s.n_tosses - 1]
    else:
        s.coin = draw_below(s.rng, 2)
    s.tossed = 1
