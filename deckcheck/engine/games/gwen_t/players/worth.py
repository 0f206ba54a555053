"""Worth of cards to their player: now, and when kept."""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.codes import NO_ROW, Effect, Kind
from deckcheck.engine.games.gwen_t.rules.scoring import best_other_score, score_under
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, State

WEATHER_WORTH = 22  # what a weather card takes from the others in an average use
CLEAR_WORTH = 12
BOOST_WORTH = 2


@jit
def margin(s: State, x: Context, player: Player) -> int:
    """By how much the player leads the best of the others right now."""
    return margin_under(s, x, player, s.weather_row)


@jit
def margin_under(s: State, x: Context, player: Player, weather_row: Row) -> int:
    """The same if weather covered `weather_row`."""
    own = score_under(s, x, player, weather_row)
    return own - best_other_score(s, x, player, weather_row)


@jit
def card_gain(s: State, x: Context, player: Player, card: Card) -> int:
    """By how much playing the card now changes the margin."""
    if x.kind[card] == Kind.WEATHER:
        changed = margin_under(s, x, player, x.effect_row[card])
        return changed - margin(s, x, player)
    gain, strength = 0, x.strength[card]
    row = x.effect_row[card]
    if x.effect[card] == Effect.TIGHT_BOND:
        stacked = namesakes(s, player, row, card)
        if stacked > 0 or x.lone_bond_doubles:
            strength *= 2
        gain = stacked
    elif x.effect[card] == Effect.MORALE_BOOST:
        gain = s.n_row[player, row]
    if row == s.weather_row:
        gain = 0
    if x.row[card] == s.weather_row:
        return gain + x.weather_strength
    return gain + strength


@jit
def namesakes(s: State, player: Player, row: Row, card: Card) -> int:
    """Stacked strength of the cards of this name in the row together."""
    total = 0
    for i in range(s.n_row[player, row]):
        if s.row[player, row, i] == card:
            total += s.stacked[player, row, i]
    return total


@jit
def copies_at_hand(s: State, player: Player, card: Card) -> int:
    """Copies of a card in hand."""
    count = 0
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card:
            count += 1
    return count


@jit
def card_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """What the card would add if it were kept, together with its copies in hand."""
    if x.kind[card] == Kind.WEATHER:
        return CLEAR_WORTH if x.effect_row[card] == NO_ROW else WEATHER_WORTH
    strength = x.strength[card]
    if x.effect[card] == Effect.TIGHT_BOND:
        return strength * bond_factor(copies_at_hand(s, player, card))
    if x.effect[card] == Effect.MORALE_BOOST:
        return strength + BOOST_WORTH
    return strength


@jit
def bond_factor(copies: int) -> int:
    """Strength of each of `count` bonded cards, in its own (1, 2 and 10/3 on average).

    One card shows 1, two show 2 + 2, three show 4 + 4 + 2, and so on.
    """
    if copies <= 2:
        return copies
    return 3 if copies == 3 else 2 ** (copies - 1)
