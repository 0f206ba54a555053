"""Hidden information: the opponent's hand, the order of the decks, the coin.

Both decklists are taken as known, as at tournaments with open lists; which of the
cards are in hand is not. Players know the cards that they have put under their deck
(2.5), and those of the opponent's that they saw in the hand before.
"""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.rules.zones import hand_order
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import draw_below, seed_generator
from deckcheck.engine.shuffling import mix
from deckcheck.engine.types import Context, Player, State


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the cards that `player` cannot see anew, at random from `x.rng`.

    The future chance of the game is new as well, the coin included until it is tossed.
    """
    other = 1 - player
    under = s.n_under[player]
    for i in range(under, s.n_deck[player]):
        x.pool[i - under] = s.deck[player, i]
    mix(x.pool, s.n_deck[player] - under, x.rng)
    for i in range(under, s.n_deck[player]):
        s.deck[player, i] = x.pool[i - under]
    redeal(s, x, other)
    if not s.tossed:
        s.coin = draw_below(x.rng, 2)
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )


@jit
def is_seen(s: State, player: Player, i: int) -> bool:
    """Whether the opponent knows the card at this place of the deck."""
    return i < s.n_under[player] and s.under_seen[player, i] != 0


@jit
def redeal(s: State, x: Context, player: Player) -> None:
    """Deal the cards that the opponent does not know anew to hand and deck."""
    count = 0
    for i in range(s.n_hand[player]):
        if not s.seen[player, i]:
            x.pool[count] = s.hand[player, i]
            count += 1
    for i in range(s.n_deck[player]):
        if not is_seen(s, player, i):
            x.pool[count] = s.deck[player, i]
            count += 1
    mix(x.pool, count, x.rng)
    count = 0
    for i in range(s.n_hand[player]):
        if not s.seen[player, i]:
            s.hand[player, i] = x.pool[count]
            count += 1
    for i in range(s.n_deck[player]):
        if not is_seen(s, player, i):
            s.deck[player, i] = x.pool[count]
            count += 1
    sort_hand(s, x, player)


@jit
def sort_hand(s: State, x: Context, player: Player) -> None:
    """Bring a hand back into order; of equal cards those that were seen come last."""
    for i in range(1, s.n_hand[player]):
        card, seen = s.hand[player, i], s.seen[player, i]
        key = hand_key(s, x, player, i)
        j = i
        while j > 0 and hand_key(s, x, player, j - 1) > key:
            s.hand[player, j] = s.hand[player, j - 1]
            s.seen[player, j] = s.seen[player, j - 1]
            j -= 1
        s.hand[player, j] = card
        s.seen[player, j] = seen


@jit
def hand_key(s: State, x: Context, player: Player, i: int) -> int:
    """By what the cards of a hand are ordered."""
    return 2 * hand_order(x, player, s.hand[player, i]) + s.seen[player, i]
