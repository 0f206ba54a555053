"""Cards that come into play: effects of units, and weather (rules 5)."""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.codes import NO_ROW, Effect, Kind
from deckcheck.engine.games.gwen_t.rules.zones import discard
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, State


@jit
def play_card(s: State, x: Context, player: Player, card: Card) -> None:
    """Play a unit onto the own side, or a weather card."""
    if x.kind[card] == Kind.UNIT:
        deploy(s, x, player, card)
    else:
        change_weather(s, x, player, card)


@jit
def deploy(s: State, x: Context, player: Player, card: Card) -> None:
    """The effect of a unit acts on those already there, then the unit joins its row.

    Weather needs no step of its own: it hides what a row shows, never what is stacked.
    """
    effect = x.effect[card]
    strength = x.strength[card]
    if effect == Effect.TIGHT_BOND:
        if double_namesakes(s, player, x.effect_row[card], card) or x.lone_bond_doubles:
            strength *= 2
    elif effect == Effect.MORALE_BOOST:
        boost_row(s, player, x.effect_row[card])
    row = x.row[card]
    last = s.n_row[player, row]
    s.row[player, row, last] = card
    s.stacked[player, row, last] = strength
    s.n_row[player, row] = last + 1
    s.total[player, row] += strength


@jit
def double_namesakes(s: State, player: Player, row: Row, card: Card) -> int:
    """Double every card of the same name in the row; whether there was one."""
    has_doubled = False
    for i in range(s.n_row[player, row]):
        if s.row[player, row, i] == card:
            s.total[player, row] += s.stacked[player, row, i]
            s.stacked[player, row, i] *= 2
            has_doubled = True
    return has_doubled


@jit
def boost_row(s: State, player: Player, row: Row) -> None:
    """Every card that lies in the row gains 1."""
    for i in range(s.n_row[player, row]):
        s.stacked[player, row, i] += 1
    s.total[player, row] += s.n_row[player, row]


@jit
def change_weather(s: State, x: Context, player: Player, card: Card) -> None:
    """A weather card replaces the one before it."""
    lift_weather(s)
    s.weather = card
    s.weather_by = player
    s.weather_row = x.effect_row[card]


@jit
def lift_weather(s: State) -> None:
    """The weather card leaves the board, and every unit shows its strength."""
    if s.weather:
        discard(s, s.weather_by, s.weather)
    s.weather = 0
    s.weather_row = NO_ROW
