"""The automa's leaders, turned up when the user is ahead (rules 6.4 and 6.7)."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Deed, Leader, LeaderState, Lot, Phase
from deckcheck.engine.games.gwent.rules.leaders.passive import note_passive_leaders
from deckcheck.engine.games.gwent.rules.leaders.using import use_at_once
from deckcheck.engine.games.gwent.rules.leaders.weather import fetch_weather
from deckcheck.engine.games.gwent.rules.scoring import rescore_all
from deckcheck.engine.games.gwent.rules.weather import WEATHER_ABILITIES
from deckcheck.engine.games.gwent.solo.automa import play
from deckcheck.engine.games.gwent.solo.cards import (
    CARD,
    MARDROEME,
    OWN_PILE,
    TIGHT_BOND,
    USER_PILE,
    draw,
    note_drawn,
    take_random_unit,
)
from deckcheck.engine.games.gwent.solo.deeds import NO_ROW, note_deed
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Context, State


@jit
def turn_up_leader(s: State, x: Context) -> None:
    """Turn up the top leader of the pile and apply the effect (6.4.1)."""
    s.n_leaders -= 1
    leader = s.leaders[s.n_leaders]
    note_deed(s, x, Deed.LEADER.value, leader, NO_ROW, AUTOMA)
    if x.leader_shuffled_back:
        s.n_leaders += 1
        shuffle_leaders(s, x)
    if leader == Leader.CANCEL_ENEMY_LEADER:
        # "you have no leader ability for the rest of the game" (6.7.7)
        s.leader_state[USER] = LeaderState.VOID
        note_leaders_in_force(s, x)
    elif not user_voids_leaders(s):
        apply_leader(s, x, leader)


@jit
def shuffle_leaders(s: State, x: Context) -> None:
    """Shuffle the pile; scripted games keep the order as it is."""
    if x.scripted:
        return
    for i in range(s.n_leaders - 1, 0, -1):
        j = draw_below(s.rng, i + 1)
        leader = s.leaders[i]
        s.leaders[i] = s.leaders[j]
        s.leaders[j] = leader


@jit
def user_voids_leaders(s: State) -> bool:
    """Whether the user's White Flame is in force (1.9.5, 6.7.14)."""
    return (
        s.leader[USER] == Leader.CANCEL_ENEMY_LEADER
        and s.leader_state[USER] == LeaderState.PASSIVE
    )


@jit
def apply_leader(s: State, x: Context, leader: int) -> None:
    """What the automa's leader does: the table of 6.7, else the normal effect."""
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        fetch_weather(s, x, AUTOMA, WEATHER_ABILITIES)
    elif leader == Leader.PEEK_THREE_HAND_CARDS:
        # "you discard a card of your hand of your choice" (6.7.5)
        if s.n_hand[USER] > 0:
            s.phase = Phase.AUTOMA_DISCARD
    elif not use_at_once(s, x, AUTOMA, leader) and not comes_into_force(s, x, leader):
        play_for_leader(s, x, leader)


@jit
def comes_into_force(s: State, x: Context, leader: int) -> bool:
    """The Treacherous, King Bran and Hope of the Aen Seidhe (6.7.9, 6.7.12)."""
    if leader == Leader.DOUBLE_SPIES:
        s.automa_double_spies = 1
    elif leader == Leader.HALF_WEATHER:
        s.automa_half_weather = 1
    elif leader == Leader.OPTIMISE_AGILE_ROWS:
        s.agile_bonus[AUTOMA] = 1
    else:
        return False
    note_leaders_in_force(s, x)
    return True


@jit
def note_leaders_in_force(s: State, x: Context) -> None:
    """Set the marks of passive leaders, the automa's included."""
    note_passive_leaders(s, x)
    if s.automa_double_spies:
        s.double_spies = 1
    if s.automa_half_weather:
        s.half_weather[AUTOMA] = 1
    rescore_all(s, x)


@jit
def end_passive_leaders(s: State, x: Context) -> None:
    """Passive leaders of the automa end with the round (6.7.14)."""
    if not x.automa_passives_stay:
        s.automa_double_spies = 0
        s.automa_half_weather = 0
        s.agile_bonus[AUTOMA] = 0
        note_leaders_in_force(s, x)


@jit
def play_for_leader(s: State, x: Context, leader: int) -> None:
    """Leaders that find a card and play it at once."""
    what, card = CARD, 0
    if leader == Leader.RESTORE_OWN_DISCARD:
        what = OWN_PILE
    elif leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        what = USER_PILE
    elif leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        what = TIGHT_BOND
    elif leader == Leader.PLAY_MARDROEME_FROM_DECK:
        what = MARDROEME
    elif leader == Leader.RANDOM_REVIVE:
        card = take_random_unit(s, x, Lot.LEADER.value)
    elif leader == Leader.DISCARD_TWO_PICK_ONE or leader == Leader.EXTRA_OPENING_CARD:
        # Destroyer of Worlds and Daisy: "draws a card and plays it" (6.7.1, 6.7.8)
        card = draw(s)
        note_drawn(s, x, card)
    else:
        raise UnplayedCode("leader")
    if what != CARD or card:
        play(s, x, what, card)
