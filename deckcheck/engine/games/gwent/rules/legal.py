"""The legal moves."""

from __future__ import annotations

from deckcheck.engine.encoding import ROW_BIT, WHO_BIT
from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    LeaderState,
    Phase,
    Slot,
    Weather,
)
from deckcheck.engine.games.gwent.rules.board import may_lie_in, row_has_unit
from deckcheck.engine.games.gwent.rules.encoding import (
    CHOOSE,
    KEEP_HAND,
    PASS,
    PLAY,
    REDRAW,
    START,
    USE_LEADER,
    VOID,
)
from deckcheck.engine.games.gwent.rules.leaders.choosing import leader_choices
from deckcheck.engine.games.gwent.rules.leaders.using import leader_has_effect
from deckcheck.engine.games.gwent.rules.scoring import row_has_horn
from deckcheck.engine.games.gwent.rules.seats import players, sides
from deckcheck.engine.games.gwent.rules.specials import SLOT_ABILITIES, has_decoy_target
from deckcheck.engine.games.gwent.rules.weather import any_weather, weather_index
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.move_list import add, add_hand, add_once
from deckcheck.engine.types import Card, Context, Player, Row, Side, State


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves of the player to move to `x.moves`; returns their number.

    The list has no repetitions. It is empty only when the game is over.
    """
    player = s.turn
    side = x.side[player]
    phase = s.phase
    if phase == Phase.PLAY:
        return turn_moves(s, x, player, side)
    if phase == Phase.REDRAW:
        return add_hand(s, x, player, REDRAW, add(x, 0, KEEP_HAND))
    if phase == Phase.MEDIC:
        return medic_moves(s, x, side)
    if phase == Phase.DECOY:
        return decoy_moves(s, x, side)
    if phase == Phase.STARTER:
        count = 0
        for who in range(players(s, x)):
            count = add(x, count, START | who << WHO_BIT)
        return count
    if phase == Phase.OVER:
        return 0
    if phase == Phase.VOID_LEADER:
        return add_opponents(s, x, side, VOID)
    if phase == Phase.RECIPIENT or phase == Phase.OPPONENT:
        return add_opponents(s, x, side, CHOOSE)
    return leader_choices(s, x, player)


@jit
def add_opponents(s: State, x: Context, side: Side, verb: int) -> int:
    """One move for each opponent."""
    count = 0
    for who in range(players(s, x)):
        if x.side[who] != side:
            count = add(x, count, verb | who << WHO_BIT)
    return count


@jit
def nobody_can_play(s: State, x: Context) -> bool:
    """Whether all that every player could do is pass (4.7.7)."""
    for player in range(players(s, x)):
        if turn_moves(s, x, player, x.side[player]) > 1:
            return False
    return True


@jit
def turn_moves(s: State, x: Context, player: Player, side: Side) -> int:
    """Pass, play a hand card, or use the leader (rules 1.3.1)."""
    count = add(x, 0, PASS)
    last = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        if card == last:
            continue
        last = card
        if x.kind[card] <= Kind.HERO:
            for row in range(s.n_row.shape[1]):
                if may_lie_in(x, card, row):
                    count = add(x, count, PLAY | row << ROW_BIT | card)
        else:
            count = special_moves(s, x, side, card, count)
    if s.leader[player] and s.leader_state[player] == LeaderState.READY:
        stuck = x.empty_hand_passes and s.n_hand[player] == 0
        useless = x.leader_needs_effect and not leader_has_effect(s, x, player)
        if not stuck and not useless:
            count = add(x, count, USE_LEADER)
    return count


@jit
def special_moves(s: State, x: Context, side: Side, card: Card, count: int) -> int:
    """The ways to play a special or weather card."""
    ability = x.ability[card]
    if ability & SLOT_ABILITIES:
        for row in range(s.slot.shape[1]):
            # "one horn special per row"; Mardroeme uses the same slot
            if s.slot[side, row] == Slot.EMPTY and (
                not x.special_needs_effect or slot_has_effect(s, x, side, row, ability)
            ):
                count = add(x, count, PLAY | row << ROW_BIT | card)
        return count
    if ability & Ability.DECOY:
        if x.decoy_needs_no_target or has_decoy_target(s, x, side):
            count = add(x, count, PLAY | card)
        return count
    if x.kind[card] == Kind.WEATHER:
        if not weather_may_be_played(s, x, ability):
            return count
    elif x.special_needs_effect and not any_unit(s, x):
        return count
    return add(x, count, PLAY | card)


@jit
def weather_may_be_played(s: State, x: Context, ability: int) -> bool:
    """Whether the options allow this weather, or the end of all weather, now."""
    index = weather_index(ability)
    if index == Weather.CLEAR:
        return not x.special_needs_effect or any_weather(s)
    is_there = s.weather[index] != 0
    return not (is_there and (x.repeated_weather_forbidden or x.special_needs_effect))


@jit
def slot_has_effect(s: State, x: Context, side: Side, row: Row, ability: int) -> bool:
    """Whether a horn or Mardroeme laid beside the row would change anything now."""
    if ability & Ability.COMMANDERS_HORN:
        return row_has_unit(s, x, side, row) and not row_has_horn(s, side, row)
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.BERSERKER:
            return True
    return False


@jit
def any_unit(s: State, x: Context) -> bool:
    """Whether a non-hero unit lies anywhere on the board."""
    for side in range(sides(s, x)):
        if has_decoy_target(s, x, side):
            return True
    return False


@jit
def medic_moves(s: State, x: Context, side: Side) -> int:
    """Each different unit of the pile, once for each row it may enter."""
    count = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] == Kind.UNIT and (s.picked == 0 or s.picked == card):
            for row in range(s.n_row.shape[1]):
                if may_lie_in(x, card, row):
                    count = add_once(x, count, CHOOSE | row << ROW_BIT | card)
    return count


@jit
def decoy_moves(s: State, x: Context, side: Side) -> int:
    """Each different non-hero unit on the own side, spies of the enemy included."""
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.kind[card] == Kind.UNIT:
                count = add_once(x, count, CHOOSE | row << ROW_BIT | card)
    return count
