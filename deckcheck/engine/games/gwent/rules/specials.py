"""Special and weather cards (rules 1.6.7 to 1.6.12)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind, Phase, Slot
from deckcheck.engine.games.gwent.rules.scorch import scorch_board
from deckcheck.engine.games.gwent.rules.scoring import rescore, rescore_all
from deckcheck.engine.games.gwent.rules.side_deck import turn_berserkers
from deckcheck.engine.games.gwent.rules.zones import (
    discard,
    remove_from_deck,
    shuffle_deck,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

__all__ = [
    "clear_weather",
    "fetch_from_deck",
    "has_decoy_target",
    "play_special",
    "play_weather",
    "weather_index",
]


@jit
def weather_index(ability: int) -> int:
    """Which weather an ability is: frost, fog, rain, storm; -1 for Clear Weather."""
    if ability & Ability.WEATHER_FROST:
        return 0
    if ability & Ability.WEATHER_FOG:
        return 1
    if ability & Ability.WEATHER_RAIN:
        return 2
    if ability & Ability.WEATHER_STORM:
        return 3
    return -1


@jit
def play_weather(s: State, x: Context, player: Player, card: Card) -> None:
    """Put a weather card on the board; a second copy of a kind is discarded at once."""
    index = weather_index(x.ability[card])
    if index < 0:
        clear_weather(s, x)
        discard(s, x.side[player], card)
    elif s.weather[index]:
        discard(s, x.side[player], card)
    else:
        s.weather[index] = 1 + player
        s.weather_card[index] = card
        rescore_all(s, x)


@jit
def clear_weather(s: State, x: Context) -> None:
    """Weather cards go to the piles of the players who played them."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            discard(s, x.side[s.weather[index] - 1], s.weather_card[index])
            s.weather[index] = 0
    rescore_all(s, x)


@jit
def play_special(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Carry out a special card; `row` counts for those that lie beside a row."""
    ability = x.ability[card]
    side = x.side[player]
    if ability & Ability.DECOY:
        if has_decoy_target(s, x, side):
            s.phase = Phase.DECOY
            s.picked = card
        else:
            discard(s, side, card)
    elif ability & Ability.SCORCH:
        scorch_board(s, x, -1, -1, -1)
        discard(s, side, card)
    else:
        horn = ability & Ability.COMMANDERS_HORN
        s.slot[side, row] = Slot.HORN if horn else Slot.MARDROEME
        s.slot_card[side, row] = card
        turn_berserkers(s, x, side, row)
        rescore(s, x, side, row)


@jit
def has_decoy_target(s: State, x: Context, side: Side) -> bool:
    """Whether a non-hero unit lies on the side (rules 1.6.9)."""
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if x.kind[s.row[side, row, i]] == Kind.UNIT:
                return True
    return False


@jit
def fetch_from_deck(s: State, x: Context, player: Player, card: Card) -> None:
    """Take `card` out of the deck and shuffle it."""
    remove_from_deck(s, player, card)
    shuffle_deck(s, x, player)
