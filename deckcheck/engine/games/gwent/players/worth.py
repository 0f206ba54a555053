"""Worth of a card in hand in an average use: rules of thumb for one player."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Kind
from deckcheck.engine.games.gwent.rules.abilities import SPY_DRAWS
from deckcheck.engine.games.gwent.rules.weather import WEATHER_ABILITIES
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State

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
        return special_worth(x, player, ability)
    if ability & Ability.SPY:
        return SPY_DRAWS * x.figures[player].card - strength
    if ability & Ability.MUSTER:
        return muster_worth(s, x, player, card)
    if ability & Ability.TIGHT_BOND:
        more = max(copies_at_hand(s, player, card) - 1, 0)
        return strength + strength * more * x.figures[player].bond // 100
    if x.kind[card] == Kind.HERO:
        strength += x.figures[player].hero
    if ability & Ability.MEDIC:
        return strength + x.figures[player].medic
    if ability & Ability.SUMMON_AVENGER:
        return strength + x.strength[x.summoned[card]]
    if ability & Ability.COMMANDERS_HORN:
        return strength + x.figures[player].horn_unit
    if ability & (Ability.SCORCH | ROW_SCORCH):
        return strength + x.figures[player].scorch_unit
    if ability & Ability.MORALE_BOOST:
        return strength + x.figures[player].morale
    if ability & (Ability.BERSERKER | Ability.MARDROEME):
        return strength + x.figures[player].berserker
    return strength


@jit
def muster_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """What a card is worth that calls others, itself included."""
    called = family_strength(s, x, player, x.calls[card])
    strength = x.strength[card]
    if x.calls[card] == x.family[card]:
        called -= strength
    return strength + called * x.figures[player].muster // 100


@jit
def special_worth(x: Context, player: Player, ability: int) -> int:
    """What a special or weather card is worth in an average use."""
    figures = x.figures[player]
    if ability & Ability.COMMANDERS_HORN:
        return figures.horn
    if ability & Ability.SCORCH:
        return figures.scorch
    if ability & Ability.DECOY:
        return figures.decoy
    if ability & Ability.MARDROEME:
        return figures.mardroeme
    if ability & Ability.WEATHER_CLEAR:
        return figures.clear
    if ability & WEATHER_ABILITIES:
        return figures.weather
    raise UnplayedCode("special")
