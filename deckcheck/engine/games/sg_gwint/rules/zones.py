"""Moving cards between hand, deck and graveyard; shuffles and random picks.

Nothing here knows a rule: these are the hands that move the cards.
"""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Kind
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, Player, State

__all__ = [
    "add_to_hand",
    "bury",
    "draw_cards",
    "hand_order",
    "pick",
    "put_under_deck",
    "remove_from_deck",
    "remove_from_discard",
    "remove_from_hand",
    "shuffle_deck",
    "take_from_reserves",
    "toss",
]


@jit
def shuffle_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle (Fisher-Yates); scripted games keep the order as it is."""
    s.n_under[player] = 0
    if x.scripted:
        return
    for i in range(s.n_deck[player] - 1, 0, -1):
        j = draw_below(s.rng, i + 1)
        card = s.deck[player, i]
        s.deck[player, i] = s.deck[player, j]
        s.deck[player, j] = card


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
    at = -1
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card and (at < 0 or s.seen[player, i]):
            at = i
    seen = s.seen[player, at]
    s.n_hand[player] -= 1
    for i in range(at, s.n_hand[player]):
        s.hand[player, i] = s.hand[player, i + 1]
        s.seen[player, i] = s.seen[player, i + 1]
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
    for i in range(s.n_deck[player], 0, -1):
        s.deck[player, i] = s.deck[player, i - 1]
    for i in range(s.n_under[player], 0, -1):
        s.under_seen[player, i] = s.under_seen[player, i - 1]
    s.deck[player, 0] = card
    s.under_seen[player, 0] = seen
    s.n_deck[player] += 1
    s.n_under[player] += 1


@jit
def remove_from_deck(s: State, x: Context, player: Player, card: Card) -> None:
    """Take the topmost copy out of the deck that was searched, and shuffle (8.19)."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if s.deck[player, i] == card:
            s.n_deck[player] -= 1
            for j in range(i, s.n_deck[player]):
                s.deck[player, j] = s.deck[player, j + 1]
            break
    shuffle_deck(s, x, player)


@jit
def bury(s: State, x: Context, card: Card) -> None:
    """Put `card` into its owner's graveyard; a leader leaves the game."""
    if x.kind[card] == Kind.LEADER:
        s.n_removed += 1
        return
    owner = x.owner[card]
    s.discard[owner, s.n_discard[owner]] = card
    s.n_discard[owner] += 1


@jit
def remove_from_discard(s: State, player: Player, card: Card) -> None:
    """Take the topmost copy of `card` out of the graveyard."""
    for i in range(s.n_discard[player] - 1, -1, -1):
        if s.discard[player, i] == card:
            s.n_discard[player] -= 1
            for j in range(i, s.n_discard[player]):
                s.discard[player, j] = s.discard[player, j + 1]
            return


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


@jit
def pick(s: State, x: Context, count: int, lot: int, player: Player) -> int:
    """Index of a random one of the `count` candidates in `x.pool`, for `player`.

    A scripted game answers with the next card of the script, which need not answer if
    the candidates are all the same card.
    """
    if not x.scripted:
        return draw_below(s.rng, count)
    if x.script_error:
        return 0
    several = 0
    for i in range(count):
        card = x.plain[x.pool[i]]
        if x.script_pos < x.n_script and x.script[x.script_pos] == card:
            x.script_pos += 1
            return i
        several |= card != x.plain[x.pool[0]]
    if several:
        lack_answer(x, count, lot, player)
    return 0


@jit
def lack_answer(x: Context, count: int, lot: int, player: Player) -> None:
    """Keep what a pick from `x.pool` is about that lacks a right answer.

    `script_error` becomes 1 if there is none, and 2 if it is not among the candidates.
    """
    x.script_error = 1
    if x.script_pos < x.n_script:
        x.script_pos += 1
        x.script_error = 2
    x.asked[0] = lot
    x.asked[1] = player
    x.n_asked = count
    for i in range(count):
        x.asked_cards[i] = x.pool[i]
