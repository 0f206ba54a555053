"""Hidden information: the hands of the others, and the order of the decks.

Decklists are taken as known, which of their cards are in hand is not. Of a random deck
only the pool is known, and the cards that have been played.
"""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.rules.zones import fill_pool, list_kinds, random_card
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import draw_below, seed_generator
from deckcheck.engine.shuffling import mix
from deckcheck.engine.types import Context, Player, State


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the cards that `player` cannot see anew, at random from `x.rng`.

    The future chance of the game is new as well.
    """
    for other in range(s.players):
        if other == player:
            reorder_deck(s, x, other)
        else:
            redeal(s, x, other)
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )


@jit
def reorder_deck(s: State, x: Context, player: Player) -> None:
    """The own deck in an order of its own."""
    for i in range(s.n_deck[player]):
        x.unseen[i] = s.deck[player, i]
    mix(x.unseen, s.n_deck[player], x.rng)
    for i in range(s.n_deck[player]):
        s.deck[player, i] = x.unseen[i]


@jit
def redeal(s: State, x: Context, other: Player) -> None:
    """Hand and deck of another player, dealt anew from what they may hold."""
    hand, deck = s.n_hand[other], s.n_deck[other]
    if x.random_deck[other]:
        left = forget_played(s, x, other)
        for i in range(hand + deck):
            x.unseen[i] = random_card(x, x.rng, left - i)
    else:
        for i in range(hand):
            x.unseen[i] = s.hand[other, i]
        for i in range(deck):
            x.unseen[hand + i] = s.deck[other, i]
    mix(x.unseen, hand + deck, x.rng)
    for i in range(hand):
        s.hand[other, i] = x.unseen[i]
    for i in range(deck):
        s.deck[other, i] = x.unseen[hand + i]


@jit
def forget_played(s: State, x: Context, other: Player) -> int:
    """What is left of a player's pool but for the cards played; returns how many."""
    left = fill_pool(x)
    for i in range(s.n_discard[other]):
        x.left[s.discard[other, i]] -= 1
    left -= s.n_discard[other]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[other, row]):
            x.left[s.row[other, row, i]] -= 1
        left -= s.n_row[other, row]
    if s.weather and s.weather_by == other:
        x.left[s.weather] -= 1
        left -= 1
    list_kinds(x)
    return left
