"""Choices that leaders give their player: the moves, and their effects."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.rules.leaders.decks import (
    bond_copy_moves,
    deck_moves,
    discard_chosen,
    discard_moves,
    lay_mardroeme,
    mardroeme_moves,
    pick_from_deck,
    play_bond_copy,
)
from deckcheck.engine.games.gwent.rules.leaders.discards import (
    enemy_discard_moves,
    own_discard_moves,
    restore_from_own_discard,
    take_from_enemy_discard,
)
from deckcheck.engine.games.gwent.rules.leaders.using import use_on_opponent
from deckcheck.engine.games.gwent.rules.leaders.weather import (
    choose_weather,
    weather_moves,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, State


@jit
def leader_choices(s: State, x: Context, player: Player) -> int:
    """Write what a leader lets the player choose from; returns the number of moves."""
    phase = s.phase
    if phase == Phase.ENEMY_DISCARD:
        return enemy_discard_moves(s, x, player)
    if phase == Phase.OWN_DISCARD:
        return own_discard_moves(s, x, player)
    if phase == Phase.DISCARD_TWO:
        return discard_moves(s, x, player)
    if phase == Phase.FROM_DECK:
        return deck_moves(s, x, player)
    if phase == Phase.WEATHER_FROM_DECK:
        return weather_moves(s, x, player)
    if phase == Phase.BOND_COPY:
        return bond_copy_moves(s, x, player)
    if phase == Phase.MARDROEME_ROW:
        return mardroeme_moves(s, x, player)
    raise UnplayedCode("choice")


@jit
def choose_for_leader(
    s: State, x: Context, player: Player, phase: int, move: Move
) -> None:
    """Carry out what was chosen in this phase."""
    if phase == Phase.ENEMY_DISCARD:
        take_from_enemy_discard(s, x, player, move)
    elif phase == Phase.OWN_DISCARD:
        restore_from_own_discard(s, x, player, move)
    elif phase == Phase.DISCARD_TWO:
        discard_chosen(s, x, player, move)
    elif phase == Phase.FROM_DECK:
        pick_from_deck(s, x, player, move)
    elif phase == Phase.WEATHER_FROM_DECK:
        choose_weather(s, x, player, move)
    elif phase == Phase.BOND_COPY:
        play_bond_copy(s, x, player, move)
    elif phase == Phase.MARDROEME_ROW:
        lay_mardroeme(s, x, player, move)
    elif phase == Phase.OPPONENT:
        use_on_opponent(s, x, player, move)
    else:
        raise UnplayedCode("choice")
