"""Worth of a card in hand in an average use: rules of thumb for one player."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability, Kind
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State

CARD = 5  # what one more card in hand is worth, in points of strength


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
    strength = x.strength[card]
    if x.kind[card] == Kind.TOKEN:
        return 0
    if x.kind[card] == Kind.SPECIAL:
        return special_worth(x, card, ability)
    if ability & Ability.SPY:
        return max(strength, CARD + 4)
    worth = strength
    if ability & Ability.MUSTER:
        worth += family_strength(s, x, player, x.calls[card])
    if ability & Ability.TIGHT_BOND:
        worth *= max(copies_at_hand(s, player, card), 1)
    if ability & Ability.MEDIC:
        worth += 7
    if ability & Ability.GUARDIAN:
        worth += x.strength[x.summoned[card]]
    if ability & Ability.BRING_RESERVES:
        worth += x.strength[x.brings[card]] * x.brought[card]
    if ability & Ability.MAHAKAM_LAGER:
        worth += 10
    if ability & (Ability.SCORCH | Ability.ROW_SCORCH | Ability.DESTROY_UNIT):
        worth += 6
    if ability & (Ability.MORALE_BOOST | Ability.TENACITY):
        worth += 3
    if ability & (Ability.TRANSFORM | Ability.MARDROEME | Ability.DEVOUR):
        worth += 3
    return worth + x.reinforces[card]


@jit
def special_worth(x: Context, card: Card, ability: int) -> int:
    """What a special is worth in an average use."""
    if ability & Ability.MAHAKAM_LAGER:
        return 12
    if ability & Ability.SCORCH:
        return 9
    if ability & Ability.MARDROEME:
        return 8
    if ability & Ability.DECOY:
        return 6
    if ability & Ability.CLEAR_WEATHER:
        return 4
    return 5 + x.adds[card]


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
