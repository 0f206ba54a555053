"""What a card in hand is worth in an average use: rules of thumb for one player."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Kind
from deckcheck.engine.games.gwent.rules.abilities import SPY_DRAWS
from deckcheck.engine.games.gwent.rules.weather import WEATHER_ABILITIES
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State

__all__ = ["CARD", "ROW_SCORCH", "card_worth", "copies_at_hand"]

CARD = 6  # what one more card in hand is worth, in points of strength
ROW_SCORCH = int(Ability.SCORCH_CLOSE | Ability.SCORCH_RANGED | Ability.SCORCH_SIEGE)


@jit
def copies_at_hand(s: State, player: Player, card: Card) -> int:
    """Copies of a card in hand."""
    count = 0
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card:
            count += 1
    return count


@jit
def family_strength(s: State, x: Context, player: Player, family: int) -> int:
    """Printed strength of a muster family in hand and deck together."""
    total = 0
    for i in range(s.n_hand[player]):
        if x.family[s.hand[player, i]] == family:
            total += x.strength[s.hand[player, i]]
    for i in range(s.n_deck[player]):
        if x.family[s.deck[player, i]] == family:
            total += x.strength[s.deck[player, i]]
    return total


@jit
def card_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """What a card in hand is worth in an average use, in points of strength."""
    ability = x.ability[card]
    strength = x.strength[card]
    if x.kind[card] > Kind.HERO:
        return special_worth(ability)
    if ability & Ability.SPY:
        return SPY_DRAWS * CARD - strength
    if ability & Ability.MUSTER:
        called = family_strength(s, x, player, x.calls[card])
        return called if x.calls[card] == x.family[card] else strength + called
    if ability & Ability.TIGHT_BOND:
        return strength * max(copies_at_hand(s, player, card), 1)
    if ability & Ability.MEDIC:
        return strength + 7
    if ability & Ability.SUMMON_AVENGER:
        return strength + x.strength[x.summoned[card]]
    if ability & Ability.COMMANDERS_HORN:
        return strength + 10
    if ability & (Ability.SCORCH | ROW_SCORCH):
        return strength + 6
    if ability & Ability.MORALE_BOOST:
        return strength + 3
    if ability & (Ability.BERSERKER | Ability.MARDROEME):
        return strength + 3
    return strength


@jit
def special_worth(ability: int) -> int:
    """What a special or weather card is worth in an average use."""
    if ability & Ability.COMMANDERS_HORN:
        return 13
    if ability & Ability.SCORCH:
        return 10
    if ability & Ability.DECOY:
        return 7
    if ability & Ability.MARDROEME:
        return 9
    if ability & Ability.WEATHER_CLEAR:
        return 6
    if ability & WEATHER_ABILITIES:
        return 8
    raise UnplayedCode("special")
