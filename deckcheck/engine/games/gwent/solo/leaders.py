"""The automa's leaders, turned up when the user is ahead (rules 6.4 and 6.7)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Kind, Leader, LeaderState, Phase, Slot
from deckcheck.engine.games.gwent.rules.leader_setup import note_passive_leaders
from deckcheck.engine.games.gwent.rules.leaders import (
    card_in_deck,
    fetched_weather,
    horn_row,
    scorched_row,
)
from deckcheck.engine.games.gwent.rules.piles import reshuffle_discards
from deckcheck.engine.games.gwent.rules.scorch import scorch_row
from deckcheck.engine.games.gwent.rules.scoring import rescore, rescore_all
from deckcheck.engine.games.gwent.rules.specials import (
    clear_weather,
    fetch_from_deck,
    play_weather,
)
from deckcheck.engine.games.gwent.rules.zones import pick, remove_from_discard
from deckcheck.engine.games.gwent.solo.automa import play
from deckcheck.engine.games.gwent.solo.cards import (
    CARD,
    MARDROEME,
    OWN_PILE,
    TIGHT_BOND,
    USER_PILE,
    draw,
)
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, State

__all__ = [
    "end_passive_leaders",
    "note_leaders_in_force",
    "shuffle_leaders",
    "turn_up_leader",
]


@jit
def turn_up_leader(s: State, x: Context) -> None:
    """Turn up the top leader of the pile and apply the effect (6.4.1)."""
    s.n_leaders -= 1
    leader = s.leaders[s.n_leaders]
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
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        card = card_in_deck(s, x, AUTOMA, weather)
        if card:
            fetch_from_deck(s, x, AUTOMA, card)
            play_weather(s, x, AUTOMA, card)
    elif horn >= 0:
        if s.slot[AUTOMA, horn] != Slot.HORN:
            s.leader_horn[AUTOMA, horn] = 1
            rescore(s, x, AUTOMA, horn)
    elif scorched >= 0:
        scorch_row(s, x, USER, scorched)
    elif leader == Leader.CLEAR_WEATHER:
        clear_weather(s, x)
    elif leader == Leader.RESHUFFLE_DISCARDS:
        reshuffle_discards(s, x)
    elif leader == Leader.PEEK_THREE_HAND_CARDS:
        # "you discard a card of your hand of your choice" (6.7.5)
        if s.n_hand[USER] > 0:
            s.phase = Phase.AUTOMA_DISCARD
    elif not comes_into_force(s, x, leader):
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
    if leader == Leader.RESTORE_OWN_DISCARD:
        play(s, x, OWN_PILE, 0)
    elif leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        play(s, x, USER_PILE, 0)
    elif leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        play(s, x, TIGHT_BOND, 0)
    elif leader == Leader.PLAY_MARDROEME_FROM_DECK:
        play(s, x, MARDROEME, 0)
    else:
        card = found_card(s, x, leader)
        if card:
            play(s, x, CARD, card)


@jit
def found_card(s: State, x: Context, leader: int) -> Card:
    """The top card of the deck, or a random unit of the pile; 0 if there is none."""
    if leader != Leader.RANDOM_REVIVE:
        # Destroyer of Worlds and Daisy: "draws a card and plays it" (6.7.1, 6.7.8)
        return draw(s)
    count = 0
    for i in range(s.n_discard[AUTOMA]):
        if x.kind[s.discard[AUTOMA, i]] == Kind.UNIT:
            x.pool[count] = s.discard[AUTOMA, i]
            count += 1
    if count == 0:
        return 0
    card = x.pool[pick(s, x, count)]
    remove_from_discard(s, AUTOMA, card)
    return card
