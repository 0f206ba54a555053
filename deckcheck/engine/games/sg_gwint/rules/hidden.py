"""What a player does not know: the opponent's hand, the order of the decks, the coin.

Both decklists are taken as known, as at tournaments with open lists; which of the
cards are in hand is not. A player knows the cards he has put under his deck (2.5), and
those of the opponent's that he saw in the hand before.
"""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.rules.zones import hand_order
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import draw_below, seed_generator
from deckcheck.engine.types import Context, Player, State

__all__ = ["determinize"]


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the cards that `player` cannot see anew, at random from `x.rng`.

    The future chance of the game is new as well, the coin included until it is tossed.
    """
    other = 1 - player
    for i in range(s.n_deck[player] - 1, s.n_under[player], -1):
        j = s.n_under[player] + draw_below(x.rng, i + 1 - s.n_under[player])
        swap_in_deck(s, player, i, j)
    mix_hand(s, x, other)
    mix_deck(s, x, other)
    if not s.tossed:
        s.coin = draw_below(x.rng, 2)
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )


@jit
def swap_in_deck(s: State, player: Player, i: int, j: int) -> None:
    """Exchange two cards of a deck."""
    card = s.deck[player, i]
    s.deck[player, i] = s.deck[player, j]
    s.deck[player, j] = card


@jit
def is_seen(s: State, player: Player, i: int) -> bool:
    """Whether the opponent knows the card at this place of the deck."""
    return i < s.n_under[player] and s.under_seen[player, i] != 0


@jit
def unseen_places(s: State, x: Context, player: Player, below: int) -> int:
    """Write the places below `below` of a deck that nobody else knows to `x.pool`."""
    count = 0
    for i in range(below):
        if not is_seen(s, player, i):
            x.pool[count] = i
            count += 1
    return count


@jit
def mix_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle the cards of a deck that the opponent does not know."""
    count = unseen_places(s, x, player, s.n_deck[player])
    for i in range(count - 1, 0, -1):
        swap_in_deck(s, player, x.pool[i], x.pool[draw_below(x.rng, i + 1)])


@jit
def mix_hand(s: State, x: Context, player: Player) -> None:
    """Exchange each hand card that was not seen for one of hand and deck."""
    for i in range(s.n_hand[player]):
        if s.seen[player, i]:
            continue
        count = unseen_places(s, x, player, s.n_deck[player])
        hidden = 0
        for j in range(i + 1, s.n_hand[player]):
            if not s.seen[player, j]:
                x.pool[count + hidden] = j
                hidden += 1
        choice = draw_below(x.rng, count + hidden + 1)
        card = s.hand[player, i]
        if choice < count:
            j = x.pool[choice]
            s.hand[player, i] = s.deck[player, j]
            s.deck[player, j] = card
        elif choice < count + hidden:
            j = x.pool[choice]
            s.hand[player, i] = s.hand[player, j]
            s.hand[player, j] = card
    sort_hand(s, x, player)


@jit
def sort_hand(s: State, x: Context, player: Player) -> None:
    """Bring a hand back into order, marks of what was seen included."""
    for i in range(1, s.n_hand[player]):
        card, seen = s.hand[player, i], s.seen[player, i]
        key = hand_order(x, player, card)
        j = i
        while j > 0 and hand_order(x, player, s.hand[player, j - 1]) > key:
            s.hand[player, j] = s.hand[player, j - 1]
            s.seen[player, j] = s.seen[player, j - 1]
            j -= 1
        s.hand[player, j] = card
        s.seen[player, j] = seen
