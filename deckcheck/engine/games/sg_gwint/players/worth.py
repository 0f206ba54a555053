"""Worth of a card in hand in an average use: rules of thumb for one player."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability, Kind
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State

CARD = 5  # what one more card in hand is worth, in points of strength
IN_COMPANY = int(Ability.MUSTER | Ability.TIGHT_BOND)  # worth more with others


@jit
def copies_at_hand(s: State, player: Player, card: Card) -> int:
    """Copies of a card in hand."""
    count = 0
    for i in range(s.n_hand[player]):
        count += s.hand[player, i] == card
    return count


@jit
def family_strength(s: State, x: Context, player: Player, family: int) -> int:
    """Printed strength of a muster family in the deck."""
    total = 0
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        if x.family[card] == family and not x.shield[card]:
            total += x.strength[card]
    return total


@jit
def card_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """What a card in hand is worth in an average use, in points of strength."""
    ability = x.ability[card]
    worth = x.worth[card]
    if not ability & IN_COMPANY or x.kind[card] > Kind.GOLD or ability & Ability.SPY:
        return worth
    own = x.strength[card]
    if ability & Ability.MUSTER:
        called = family_strength(s, x, player, x.calls[card])
        own += called
        worth += called
    if ability & Ability.TIGHT_BOND:
        worth += own * (max(copies_at_hand(s, player, card), 1) - 1)
    return worth


@jit
def hand_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Worth of a card in this hand: muster leaves the others of a family behind."""
    if x.ability[card] & Ability.MUSTER and x.calls[card] == x.family[card]:
        for i in range(s.n_hand[player]):
            other = s.hand[player, i]
            if x.family[other] == x.family[card] and other != card:
                return x.strength[card]
        if copies_at_hand(s, player, card) > 1:
            return x.strength[card]
    return card_worth(s, x, player, card)
