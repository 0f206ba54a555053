"""Leaders who fetch weather from the deck, and who clear it (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card
from deckcheck.engine.games.gwent.codes import Ability, Leader, Phase
from deckcheck.engine.games.gwent.rules.encoding import CHOOSE
from deckcheck.engine.games.gwent.rules.specials import fetch_from_deck
from deckcheck.engine.games.gwent.rules.weather import (
    WEATHER_ABILITIES,
    is_weather,
    play_weather,
)
from deckcheck.engine.games.gwent.rules.zones import card_in_deck
from deckcheck.engine.jit import jit
from deckcheck.engine.move_list import add_once, sort_moves
from deckcheck.engine.types import Context, Move, Player, State


@jit
def fetched_weather(leader: int) -> int:
    """The weather ability a leader looks for in the deck, 0 for one of another kind."""
    if leader == Leader.PLAY_FROST_FROM_DECK:
        return Ability.WEATHER_FROST.value
    if leader == Leader.PLAY_FOG_FROM_DECK:
        return Ability.WEATHER_FOG.value
    if leader == Leader.PLAY_RAIN_FROM_DECK:
        return Ability.WEATHER_RAIN.value
    if leader == Leader.PLAY_STORM_FROM_DECK:
        return Ability.WEATHER_STORM.value
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        return WEATHER_ABILITIES
    return 0


@jit
def fetch_weather(s: State, x: Context, player: Player, weather: int) -> None:
    """Play the topmost such card of the deck."""
    card = card_in_deck(s, x, player, weather)
    if card:
        fetch_from_deck(s, x, player, card)
        play_weather(s, x, player, card)


@jit
def offer_weather(s: State, x: Context, player: Player) -> None:
    """King of the Wild Hunt: any weather card of the deck, as the player likes."""
    if card_in_deck(s, x, player, WEATHER_ABILITIES):
        s.phase = Phase.WEATHER_FROM_DECK


@jit
def weather_moves(s: State, x: Context, player: Player) -> int:
    """Each different weather card of the deck."""
    count = 0
    for i in range(s.n_deck[player]):
        if is_weather(x, s.deck[player, i]):
            count = add_once(x, count, CHOOSE | s.deck[player, i])
    sort_moves(x, count)
    return count


@jit
def choose_weather(s: State, x: Context, player: Player, move: Move) -> None:
    """Play the chosen weather card."""
    fetch_from_deck(s, x, player, move_card(move))
    play_weather(s, x, player, move_card(move))
