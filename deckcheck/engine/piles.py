"""Hands, decks and discard piles, with cards in them, whatever the game.

Nothing here knows a rule: these are the hands that move the cards.
"""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, Player, Side, State


@jit
def copy_deck(s: State, x: Context, player: Player) -> None:
    """The deck that the player brought, without its empty places."""
    s.n_deck[player] = 0
    for i in range(x.n_deck[player]):
        if x.deck[player, i] != 0:
            s.deck[player, s.n_deck[player]] = x.deck[player, i]
            s.n_deck[player] += 1


@jit
def shuffle_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle (Fisher-Yates); scripted games keep the order as it is."""
    if x.scripted:
        return
    if x.by_place[player]:
        shuffle_places(s, x, player)
        return
    for i in range(s.n_deck[player] - 1, 0, -1):
        j = draw_below(s.rng, i + 1)
        card = s.deck[player, i]
        s.deck[player, i] = s.deck[player, j]
        s.deck[player, j] = card


@jit
def shuffle_places(s: State, x: Context, player: Player) -> None:
    """Shuffle the places of the list, with the cards of the deck that belong there.

    A list with empty places, and one that has a card in each of them, so take the same
    random numbers, and the cards that both have in the deck come in the same order.
    """
    places = x.n_deck[player]
    for i in range(places):
        x.places[i] = 0
    strays = 0
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        place = free_place(x, player, card)
        if place < 0:
            place = places + strays
            strays += 1
        x.places[place] = card
    for i in range(places - 1, 0, -1):
        j = draw_below(s.rng, i + 1)
        card = x.places[i]
        x.places[i] = x.places[j]
        x.places[j] = card
    count = 0
    for i in range(places):
        if x.places[i] != 0:
            s.deck[player, count] = x.places[i]
            count += 1
    # Cards that the list does not have go anywhere among the others.
    for i in range(places, places + strays):
        j = draw_below(s.rng, count + 1)
        s.deck[player, count] = s.deck[player, j]
        s.deck[player, j] = x.places[i]
        count += 1


@jit
def free_place(x: Context, player: Player, card: Card) -> int:
    """The first place of the list that belongs to `card` and is free, -1 for none."""
    for i in range(x.n_deck[player]):
        if x.deck[player, i] == card and x.places[i] == 0:
            return i
    return -1


@jit
def index_in_hand(s: State, player: Player, card: Card) -> int:
    """Where a copy of `card` is in the hand, one the opponents know if there is."""
    at = -1
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card and (at < 0 or s.seen[player, i]):
            at = i
    return at


@jit
def take_from_hand_at(s: State, player: Player, index: int) -> Card:
    """Take the hand card at `index` out and return it."""
    card = s.hand[player, index]
    s.n_hand[player] -= 1
    for i in range(index, s.n_hand[player]):
        s.hand[player, i] = s.hand[player, i + 1]
        s.seen[player, i] = s.seen[player, i + 1]
    return card


@jit
def remove_from_hand(s: State, player: Player, card: Card) -> Card:
    """Take one copy of `card` out of the hand, one the opponents know if there is."""
    return take_from_hand_at(s, player, index_in_hand(s, player, card))


@jit
def remove_from_deck(s: State, player: Player, card: Card) -> int:
    """Take the topmost copy of `card` out of the deck; 1 if there was one, else 0."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if s.deck[player, i] == card:
            s.n_deck[player] -= 1
            for j in range(i, s.n_deck[player]):
                s.deck[player, j] = s.deck[player, j + 1]
            return 1
    return 0


@jit
def add_to_deck_bottom(s: State, player: Player, card: Card) -> None:
    """Put `card` below the deck."""
    for i in range(s.n_deck[player], 0, -1):
        s.deck[player, i] = s.deck[player, i - 1]
    s.deck[player, 0] = card
    s.n_deck[player] += 1


@jit
def discard(s: State, side: Side, card: Card) -> None:
    """Put `card` on the discard pile of `side`."""
    s.discard[side, s.n_discard[side]] = card
    s.n_discard[side] += 1


@jit
def remove_from_discard(s: State, side: Side, card: Card) -> int:
    """Take the topmost copy of `card` out of the pile; 1 if there was one, else 0."""
    for i in range(s.n_discard[side] - 1, -1, -1):
        if s.discard[side, i] == card:
            s.n_discard[side] -= 1
            for j in range(i, s.n_discard[side]):
                s.discard[side, j] = s.discard[side, j + 1]
            return 1
    return 0
