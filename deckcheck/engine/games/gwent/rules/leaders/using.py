"""The functions that use a leader, and that say whether it would change anything."""

from __future__ import annotations

from deckcheck.engine.encoding import move_who
from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Leader, LeaderState
from deckcheck.engine.games.gwent.rules.leaders.agile import (
    any_agile_move,
    optimise_agile_rows,
)
from deckcheck.engine.games.gwent.rules.leaders.decks import (
    any_bond_copy,
    can_lay_mardroeme,
    has_cards,
    offer_bond_copy,
    offer_discards,
    offer_mardroeme,
)
from deckcheck.engine.games.gwent.rules.leaders.discards import (
    any_discard,
    enemy_pile_has_card,
    offer_enemy_discard,
    offer_own_discard,
    reshuffle_discards,
)
from deckcheck.engine.games.gwent.rules.leaders.hands import (
    enemy_holds_cards,
    peek,
    peek_at_opponent,
)
from deckcheck.engine.games.gwent.rules.leaders.horns import (
    horn_has_effect,
    horn_row,
    sound_horn,
)
from deckcheck.engine.games.gwent.rules.leaders.scorches import (
    scorch_for_leader,
    scorch_has_effect,
    scorched_row,
)
from deckcheck.engine.games.gwent.rules.leaders.weather import (
    fetch_weather,
    fetched_weather,
    offer_weather,
)
from deckcheck.engine.games.gwent.rules.scorch import scorch_row
from deckcheck.engine.games.gwent.rules.weather import any_weather, clear_weather
from deckcheck.engine.games.gwent.rules.zones import card_in_deck
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, State

PASSIVE_LEADERS = (
    Leader.CANCEL_ENEMY_LEADER,
    Leader.DOUBLE_SPIES,
    Leader.EXTRA_OPENING_CARD,
    Leader.HALF_WEATHER,
    Leader.RANDOM_REVIVE,
)
"""Leaders who act by themselves, see `passive`."""

ACTIVE_LEADERS = (
    Leader.CLEAR_WEATHER,
    Leader.DISCARD_TWO_PICK_ONE,
    Leader.HORN_OWN_CLOSE,
    Leader.HORN_OWN_RANGED,
    Leader.HORN_OWN_SIEGE,
    Leader.OPTIMISE_AGILE_ROWS,
    Leader.PEEK_THREE_HAND_CARDS,
    Leader.PLAY_ANY_WEATHER_FROM_DECK,
    Leader.PLAY_FOG_FROM_DECK,
    Leader.PLAY_FROST_FROM_DECK,
    Leader.PLAY_MARDROEME_FROM_DECK,
    Leader.PLAY_RAIN_FROM_DECK,
    Leader.PLAY_STORM_FROM_DECK,
    Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK,
    Leader.RESHUFFLE_DISCARDS,
    Leader.RESTORE_OWN_DISCARD,
    Leader.SCORCH_ENEMY_CLOSE,
    Leader.SCORCH_ENEMY_RANGED,
    Leader.SCORCH_ENEMY_SIEGE,
    Leader.TAKE_FROM_ENEMY_DISCARD,
)
"""Leaders who are used in a turn. Data with a leader of neither kind is refused."""


@jit
def use_leader(s: State, x: Context, player: Player) -> None:
    """Use the active leader of `player`; some of them ask for a choice afterwards."""
    s.leader_state[player] = LeaderState.USED
    leader = s.leader[player]
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        offer_weather(s, x, player)
    elif leader == Leader.PEEK_THREE_HAND_CARDS:
        peek_at_opponent(s, x, player)
    elif leader == Leader.OPTIMISE_AGILE_ROWS:
        optimise_agile_rows(s, x, player)
    elif leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        offer_enemy_discard(s, x, player)
    elif leader == Leader.RESTORE_OWN_DISCARD:
        offer_own_discard(s, x, player)
    elif leader == Leader.DISCARD_TWO_PICK_ONE:
        offer_discards(s, x, player)
    elif leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        offer_bond_copy(s, x, player)
    elif leader == Leader.PLAY_MARDROEME_FROM_DECK:
        offer_mardroeme(s, x, player)
    elif not use_at_once(s, x, player, leader):
        raise UnplayedCode("leader")


@jit
def use_at_once(s: State, x: Context, player: Player, leader: int) -> bool:
    """Leaders who do the same for a player and for the automa; false for the others."""
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        fetch_weather(s, x, player, weather)
    elif horn >= 0:
        sound_horn(s, x, player, horn)
    elif scorched >= 0:
        scorch_for_leader(s, x, player, scorched)
    elif leader == Leader.CLEAR_WEATHER:
        clear_weather(s, x)
    elif leader == Leader.RESHUFFLE_DISCARDS:
        reshuffle_discards(s, x)
    else:
        return False
    return True


@jit
def use_on_opponent(s: State, x: Context, player: Player, move: Move) -> None:
    """The leader works on the opponent whom the player has chosen (rules 4.7.2)."""
    row = scorched_row(s.leader[player])
    if row >= 0:
        scorch_row(s, x, x.side[move_who(move)], row)
    else:
        peek(s, x, player, move_who(move))


@jit
def leader_has_effect(s: State, x: Context, player: Player) -> bool:
    """Whether using the leader now would change anything (rules 1.9.9)."""
    leader = s.leader[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return card_in_deck(s, x, player, weather) != 0
    if horn >= 0:
        return horn_has_effect(s, x, player, horn)
    if scorched >= 0:
        return scorch_has_effect(s, x, player, scorched)
    if leader == Leader.CLEAR_WEATHER:
        return any_weather(s)
    if leader == Leader.PEEK_THREE_HAND_CARDS:
        return enemy_holds_cards(s, x, player)
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        return enemy_pile_has_card(s, x, player)
    if leader == Leader.RESTORE_OWN_DISCARD:
        return s.n_discard[x.side[player]] > 0
    if leader == Leader.DISCARD_TWO_PICK_ONE:
        return has_cards(s, x, player)
    if leader == Leader.RESHUFFLE_DISCARDS:
        return any_discard(s, x)
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return any_bond_copy(s, x, player)
    if leader == Leader.PLAY_MARDROEME_FROM_DECK:
        return can_lay_mardroeme(s, x, player)
    if leader == Leader.OPTIMISE_AGILE_ROWS:
        return any_agile_move(s, x, player)
    raise UnplayedCode("leader")
