"""Weather cards and what ends them (rules 1.6.12)."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Weather
from deckcheck.engine.games.gwent.rules.scoring import rescore_all
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import discard
from deckcheck.engine.types import Card, Context, Player, State

WEATHER_ABILITIES = int(
    Ability.WEATHER_FROST
    | Ability.WEATHER_FOG
    | Ability.WEATHER_RAIN
    | Ability.WEATHER_STORM
    | Ability.WEATHER_CLEAR
)
"""A weather card has exactly one of these abilities."""


@jit
def weather_index(ability: int) -> int:
    """Which `Weather` an ability brings."""
    if ability & Ability.WEATHER_FROST:
        return Weather.FROST.value
    if ability & Ability.WEATHER_FOG:
        return Weather.FOG.value
    if ability & Ability.WEATHER_RAIN:
        return Weather.RAIN.value
    if ability & Ability.WEATHER_STORM:
        return Weather.STORM.value
    if ability & Ability.WEATHER_CLEAR:
        return Weather.CLEAR.value
    raise UnplayedCode("weather")


@jit
def is_weather(x: Context, card: Card) -> bool:
    """Whether the card is a weather card, Clear Weather included."""
    return x.ability[card] & WEATHER_ABILITIES != 0


@jit
def any_weather(s: State) -> bool:
    """Whether a weather card lies on the board."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            return True
    return False


@jit
def play_weather(s: State, x: Context, player: Player, card: Card) -> None:
    """Put a weather card on the board; a second copy of a kind is discarded at once."""
    index = weather_index(x.ability[card])
    if index == Weather.CLEAR:
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
