"""Moving cards between hand, deck, discard pile and rows; shuffles and random picks.

Nothing here knows a rule: these are the hands that move the cards.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.seats import TWO, players
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State

# What a script has for the player with number 0; for others one less each.
PLAYER_ANSWER = -1
# The same for rows.
ROW_ANSWER = -11

# `seen` says who knows a hand card: nobody, everybody, or a bit for each side.
UNKNOWN = 0
KNOWN_TO_ALL = 1
KNOWN_TO_SIDE = 2  # that of side 0


@jit
def known_mark(s: State, x: Context, player: Player) -> int:
    """What `seen` has in it for a card that only the side of `player` knows.

    In a game of two everybody is the one opponent.
    """
    return KNOWN_TO_ALL if players(s, x) == TWO else KNOWN_TO_SIDE << x.side[player]


@jit
def knows(s: State, x: Context, player: Player, other: Player, index: int) -> bool:
    """Whether `player` knows the hand card of `other` at this index."""
    return s.seen[other, index] & (KNOWN_TO_ALL | known_mark(s, x, player)) != 0


@jit
def add_to_hand(s: State, player: Player, card: Card, seen: int) -> None:
    """Put `card` into the hand, in order; `seen` says who knows it."""
    i = s.n_hand[player]
    while i > 0 and s.hand[player, i - 1] > card:
        s.hand[player, i] = s.hand[player, i - 1]
        s.seen[player, i] = s.seen[player, i - 1]
        i -= 1
    s.hand[player, i] = card
    s.seen[player, i] = seen
    s.n_hand[player] += 1


@jit
def draw_cards(s: State, player: Player, count: int) -> None:
    """Draw up to `count` cards; fewer when the deck is short (rules 1.6.5)."""
    for _ in range(min(count, s.n_deck[player])):
        s.n_deck[player] -= 1
        add_to_hand(s, player, s.deck[player, s.n_deck[player]], UNKNOWN)


@jit
def card_in_deck(s: State, x: Context, player: Player, ability: int) -> Card:
    """The topmost card of the deck with one of these abilities, 0 if there is none."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if x.ability[s.deck[player, i]] & ability:
            return s.deck[player, i]
    return 0
