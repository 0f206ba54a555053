"""Leaders that look into hands and piles: peeking and Crach's shuffle (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.seats import players, sides
from deckcheck.engine.games.gwent.rules.zones import known_mark, pick, shuffle_deck
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State

__all__ = ["peek", "reshuffle_discards"]

PEEKED = 3
JUST_SEEN = 1 << 8


@jit
def peek(s: State, x: Context, player: Player, target: Player) -> None:
    """Emperor of Nilfgaard sees three random hand cards, all of them if fewer."""
    mark = known_mark(s, x, player)
    if s.n_hand[target] <= PEEKED:
        for i in range(s.n_hand[target]):
            s.seen[target, i] |= mark
        return
    for _ in range(PEEKED):
        count = 0
        for i in range(s.n_hand[target]):
            if not s.seen[target, i] & JUST_SEEN:
                x.pool[count] = s.hand[target, i]
                count += 1
        mark_seen(s, target, x.pool[pick(s, x, count)])
    for i in range(s.n_hand[target]):
        if s.seen[target, i] & JUST_SEEN:
            s.seen[target, i] = (s.seen[target, i] ^ JUST_SEEN) | mark


@jit
def mark_seen(s: State, target: Player, card: Card) -> None:
    """Mark one copy of `card` in the hand that was not seen a moment ago."""
    for i in range(s.n_hand[target]):
        if s.hand[target, i] == card and not s.seen[target, i] & JUST_SEEN:
            s.seen[target, i] |= JUST_SEEN
            return


@jit
def reshuffle_discards(s: State, x: Context) -> None:
    """Crach: all players put their discard piles back into their decks and shuffle.

    In a scripted game the pile goes below the deck, its top card first.
    """
    for player in range(players(s, x)):
        put_below_deck(s, x, player)
    for side in range(sides(s, x)):
        s.n_discard[side] = 0
    for player in range(players(s, x)):
        shuffle_deck(s, x, player)


@jit
def put_below_deck(s: State, x: Context, player: Player) -> None:
    """The player's cards of the pile go below the deck."""
    side = x.side[player]
    own = 0
    for i in range(s.n_discard[side]):
        own += takes_back(s, x, player, s.discard[side, i])
    for i in range(s.n_deck[player] - 1, -1, -1):
        s.deck[player, i + own] = s.deck[player, i]
    s.n_deck[player] += own
    own = 0
    for i in range(s.n_discard[side]):
        if takes_back(s, x, player, s.discard[side, i]):
            s.deck[player, own] = s.discard[side, i]
            own += 1


@jit
def takes_back(s: State, x: Context, player: Player, card: Card) -> bool:
    """Whether a card of the pile is the player's; partners share a pile (5.6.8).

    It is the partner's whose colour it bears; the first partner's if it is of neither.
    """
    keeper = -1
    for other in range(players(s, x)):
        if x.side[other] == x.side[player]:
            if keeper < 0 or x.colour[card] == x.own_colour[other]:
                keeper = other
    return keeper == player
