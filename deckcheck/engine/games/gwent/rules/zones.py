"""Moving cards between hand, deck, discard pile and rows; shuffles and random picks.

Nothing here knows a rule: these are the hands that move the cards.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.seats import TWO, players
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, Player, Side, State

__all__ = [
    "KNOWN_TO_ALL",
    "PLAYER_ANSWER",
    "ROW_ANSWER",
    "UNKNOWN",
    "add_to_deck_bottom",
    "add_to_hand",
    "card_in_deck",
    "discard",
    "draw_cards",
    "known_mark",
    "knows",
    "lack_answer",
    "pick",
    "remove_from_deck",
    "remove_from_discard",
    "remove_from_hand",
    "shuffle_deck",
    "take_from_hand_at",
]

# What a script has for the player with number 0; for others one less each.
PLAYER_ANSWER = -1
# The same for rows.
ROW_ANSWER = -11

# Who knows a hand card, in `seen`: nobody, everybody, or a bit for each side.
UNKNOWN = 0
KNOWN_TO_ALL = 1
KNOWN_TO_SIDE = 2  # that of side 0


@jit
def shuffle_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle (Fisher-Yates); scripted games keep the order as it is."""
    if x.scripted:
        return
    for i in range(s.n_deck[player] - 1, 0, -1):
        j = draw_below(s.rng, i + 1)
        card = s.deck[player, i]
        s.deck[player, i] = s.deck[player, j]
        s.deck[player, j] = card


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
    at = -1
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card and (at < 0 or s.seen[player, i]):
            at = i
    return take_from_hand_at(s, player, at)


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


@jit
def pick(
    s: State, x: Context, count: int, lot: int, player: Player, wanted: int
) -> int:
    """Index of a random one of the `count` candidates in `x.pool`.

    `wanted` cards will be picked from them one after another, for `player`; if that is
    all of them, or they are all the same card, a script need not answer. A scripted
    game answers with the next card of the script.
    """
    if not x.scripted:
        return draw_below(s.rng, count)
    if x.script_error:
        return 0
    chosen = -1
    if x.script_pos < x.n_script:
        chosen = candidate(x, count, x.script[x.script_pos])
    if chosen >= 0:
        x.script_pos += 1
        return chosen
    if count <= wanted or is_one_card(x, count):
        return 0
    lack_answer(x, count, lot, player)
    return 0


@jit
def candidate(x: Context, count: int, card: Card) -> int:
    """Index of a candidate that is this card, -1 if none is."""
    for i in range(count):
        if x.plain[x.pool[i]] == card:
            return i
    return -1


@jit
def is_one_card(x: Context, count: int) -> bool:
    """Whether all candidates are copies of one card."""
    for i in range(1, count):
        if x.plain[x.pool[i]] != x.plain[x.pool[0]]:
            return False
    return True


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
