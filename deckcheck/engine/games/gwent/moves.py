"""Moves: how they are encoded, which are legal, and what they do.

A move is `verb << 24 | who << 16 | row << 12 | card`. Two copies of a card in hand
are one move. Every choice is a move of its own.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.abilities import deploy, revive
from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    LeaderState,
    Phase,
    Slot,
    Verb,
)
from deckcheck.engine.games.gwent.leaders import (
    any_weather,
    bond_copy_in_deck,
    is_weather,
    leader_has_effect,
    mardroeme_in_deck,
    row_has_unit,
    use_leader,
)
from deckcheck.engine.games.gwent.rounds import pass_round, settle
from deckcheck.engine.games.gwent.scoring import rescore, row_has_horn
from deckcheck.engine.games.gwent.setup import choose_starter, keep_hand, redraw
from deckcheck.engine.games.gwent.side_deck import arrive_summons, call_summons
from deckcheck.engine.games.gwent.specials import (
    fetch_from_deck,
    has_decoy_target,
    play_special,
    play_weather,
    weather_index,
)
from deckcheck.engine.games.gwent.zones import (
    add_to_hand,
    discard,
    remove_from_deck,
    remove_from_discard,
    remove_from_hand,
    shuffle_deck,
)
from deckcheck.engine.jit import entry, jit

__all__ = [
    "KEEP_HAND",
    "PASS",
    "apply_move",
    "encode",
    "legal_moves",
    "move_card",
    "move_row",
    "move_verb",
    "move_who",
]

PASS = int(Verb.PASS) << 24
KEEP_HAND = int(Verb.KEEP_HAND) << 24
USE_LEADER = int(Verb.LEADER) << 24
PLAY = int(Verb.PLAY) << 24
CHOOSE = int(Verb.CHOOSE) << 24
REDRAW = int(Verb.REDRAW) << 24
START = int(Verb.START) << 24
HISTORY_MASK = 0xFFFFFFFF


def encode(verb: int, card: int = 0, row: int = 0, who: int = 0) -> int:
    """The move as a number."""
    return verb << 24 | who << 16 | row << 12 | card


@jit
def move_verb(move: Any) -> Any:
    """The verb of a move."""
    return move >> 24


@jit
def move_who(move: Any) -> Any:
    """The player a move speaks of."""
    return (move >> 16) & 255


@jit
def move_row(move: Any) -> Any:
    """The row of a move."""
    return (move >> 12) & 15


@jit
def move_card(move: Any) -> Any:
    """The card of a move."""
    return move & 4095


# Legal moves


@entry
def legal_moves(s: Any, x: Any) -> Any:
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
        for who in range(s.leader.shape[0]):
            count = add(x, count, START | who << 16)
        return count
    if phase == Phase.OVER:
        return 0
    return leader_choice_moves(s, x, player, side, phase)


@jit
def leader_choice_moves(s: Any, x: Any, player: Any, side: Any, phase: Any) -> Any:
    """What a leader lets his player choose from."""
    count = 0
    if phase == Phase.ENEMY_DISCARD:
        enemy = x.side[1 - player]
        for i in range(s.n_discard[enemy]):
            if x.kind[s.discard[enemy, i]] != Kind.HERO:
                count = add_once(x, count, CHOOSE | s.discard[enemy, i])
    elif phase == Phase.OWN_DISCARD:
        for i in range(s.n_discard[side]):
            count = add_once(x, count, CHOOSE | s.discard[side, i])
    elif phase == Phase.DISCARD_TWO:
        count = add_hand(s, x, player, CHOOSE, 0)
    elif phase == Phase.FROM_DECK:
        for i in range(s.n_deck[player]):
            count = add_once(x, count, CHOOSE | s.deck[player, i])
        sort_moves(x, count)
    elif phase == Phase.WEATHER_FROM_DECK:
        for i in range(s.n_deck[player]):
            if is_weather(x, s.deck[player, i]):
                count = add_once(x, count, CHOOSE | s.deck[player, i])
        sort_moves(x, count)
    elif phase == Phase.BOND_COPY:
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                card = s.row[side, row, i]
                if bond_copy_in_deck(s, x, player, card):
                    count = add_once(x, count, CHOOSE | row << 12 | card)
    elif phase == Phase.MARDROEME_ROW:
        for row in range(s.slot.shape[1]):
            if s.slot[side, row] == Slot.EMPTY:
                card = mardroeme_in_deck(s, x, player)
                count = add(x, count, CHOOSE | row << 12 | card)
    return count


@jit
def add(x: Any, count: Any, move: Any) -> Any:
    """Append a move to the list; returns the new length."""
    x.moves[count] = move
    return count + 1


@jit
def add_once(x: Any, count: Any, move: Any) -> Any:
    """Append a move unless it is in the list already."""
    for i in range(count):
        if x.moves[i] == move:
            return count
    x.moves[count] = move
    return count + 1


@jit
def add_hand(s: Any, x: Any, player: Any, verb: Any, count: Any) -> Any:
    """Append one move for each different hand card (the hand is sorted)."""
    last = 0
    for i in range(s.n_hand[player]):
        if s.hand[player, i] != last:
            last = s.hand[player, i]
            count = add(x, count, verb | last)
    return count


@jit
def sort_moves(x: Any, count: Any) -> Any:
    """Sort the list, so that it does not tell the order of a deck."""
    for i in range(1, count):
        move = x.moves[i]
        j = i
        while j > 0 and x.moves[j - 1] > move:
            x.moves[j] = x.moves[j - 1]
            j -= 1
        x.moves[j] = move


@jit
def turn_moves(s: Any, x: Any, player: Any, side: Any) -> Any:
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
                if x.rows[card] >> row & 1:
                    count = add(x, count, PLAY | row << 12 | card)
        else:
            count = special_moves(s, x, side, card, count)
    if s.leader[player] and s.leader_state[player] == LeaderState.READY:
        stuck = x.empty_hand_passes and s.n_hand[player] == 0
        useless = x.leader_needs_effect and not leader_has_effect(s, x, player)
        if not stuck and not useless:
            count = add(x, count, USE_LEADER)
    return count


@jit
def special_moves(s: Any, x: Any, side: Any, card: Any, count: Any) -> Any:
    """The ways to play a special or weather card."""
    ability = x.ability[card]
    if ability & (Ability.COMMANDERS_HORN | Ability.MARDROEME):
        for row in range(s.slot.shape[1]):
            # "one horn special per row"; Mardroeme uses the same slot
            if s.slot[side, row] == Slot.EMPTY and (
                not x.special_needs_effect or slot_has_effect(s, x, side, row, ability)
            ):
                count = add(x, count, PLAY | row << 12 | card)
        return count
    if ability & Ability.DECOY:
        if x.decoy_needs_no_target or has_decoy_target(s, x, side):
            count = add(x, count, PLAY | card)
        return count
    index = weather_index(ability)
    if x.kind[card] == Kind.WEATHER and index >= 0 and s.weather[index]:
        if x.repeated_weather_forbidden or x.special_needs_effect:
            return count
    if x.special_needs_effect and (
        (ability & Ability.SCORCH and not any_unit(s, x))
        or (ability & Ability.WEATHER_CLEAR and not any_weather(s))
    ):
        return count
    return add(x, count, PLAY | card)


@jit
def slot_has_effect(s: Any, x: Any, side: Any, row: Any, ability: Any) -> Any:
    """Whether a horn or Mardroeme laid beside the row would change anything now."""
    if ability & Ability.COMMANDERS_HORN:
        return row_has_unit(s, x, side, row) and not row_has_horn(s, side, row)
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.BERSERKER:
            return True
    return False


@jit
def any_unit(s: Any, x: Any) -> Any:
    """Whether a non-hero unit lies anywhere on the board."""
    for side in range(s.n_row.shape[0]):
        if has_decoy_target(s, x, side):
            return True
    return False


@jit
def medic_moves(s: Any, x: Any, side: Any) -> Any:
    """Each different unit of the pile, once for each row it may enter."""
    count = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] == Kind.UNIT and (s.picked == 0 or s.picked == card):
            for row in range(s.n_row.shape[1]):
                if x.rows[card] >> row & 1:
                    count = add_once(x, count, CHOOSE | row << 12 | card)
    return count


@jit
def decoy_moves(s: Any, x: Any, side: Any) -> Any:
    """Each different non-hero unit on the own side, spies of the enemy included."""
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.kind[card] == Kind.UNIT:
                count = add_once(x, count, CHOOSE | row << 12 | card)
    return count


# Carrying out a move


@entry
def apply_move(s: Any, x: Any, move: Any) -> Any:
    """Carry out a legal move; that it is legal is the caller's duty."""
    player = s.turn
    card = move_card(move)
    row = move_row(move)
    verb = move_verb(move)
    s.turns += 1
    s.history = (s.history * 31 + move + 1) & HISTORY_MASK
    if verb == Verb.PLAY:
        play_card(s, x, player, card, row)
    elif verb == Verb.PASS:
        pass_round(s, x, player)
    elif verb == Verb.LEADER:
        use_leader(s, x, player)
    elif verb == Verb.CHOOSE:
        choose(s, x, player, card, row)
    elif verb == Verb.REDRAW:
        redraw(s, x, player, card)
    elif verb == Verb.KEEP_HAND:
        keep_hand(s, x, player)
    else:
        choose_starter(s, x, move_who(move))
    if verb <= Verb.CHOOSE:
        settle(s, x)


@jit
def play_card(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Play a hand card."""
    remove_from_hand(s, player, card)
    if x.kind[card] <= Kind.HERO:
        deploy(s, x, player, card, row)
    elif x.kind[card] == Kind.WEATHER:
        play_weather(s, x, player, card)
    else:
        play_special(s, x, player, card, row)


@jit
def choose(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Answer the open choice."""
    phase = s.phase
    side = x.side[player]
    s.phase = Phase.PLAY
    if phase == Phase.MEDIC:
        revive(s, x, player, card, row)
    elif phase == Phase.DECOY:
        swap_decoy(s, x, player, card, row)
    elif phase == Phase.ENEMY_DISCARD:
        remove_from_discard(s, x.side[1 - player], card)
        add_to_hand(s, player, card, 1)
    elif phase == Phase.OWN_DISCARD:
        remove_from_discard(s, side, card)
        add_to_hand(s, player, card, 1)
    elif phase == Phase.DISCARD_TWO:
        remove_from_hand(s, player, card)
        discard(s, side, card)
        s.to_discard -= 1
        if s.to_discard > 0:
            s.phase = Phase.DISCARD_TWO
        elif s.n_deck[player] > 0:
            s.phase = Phase.FROM_DECK
    elif phase == Phase.FROM_DECK:
        remove_from_deck(s, player, card)
        shuffle_deck(s, x, player)
        add_to_hand(s, player, card, 0)
    elif phase == Phase.WEATHER_FROM_DECK:
        fetch_from_deck(s, x, player, card)
        play_weather(s, x, player, card)
    elif phase == Phase.BOND_COPY:
        fetch_from_deck(s, x, player, card)
        deploy(s, x, player, card, row)
    elif phase == Phase.MARDROEME_ROW:
        fetch_from_deck(s, x, player, card)
        play_special(s, x, player, card, row)


@jit
def swap_decoy(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Put the Decoy in the place of a unit and take that into the hand (1.6.9)."""
    side = x.side[player]
    index = 0
    while s.row[side, row, index] != card:
        index += 1
    s.row[side, row, index] = s.picked
    s.picked = 0
    add_to_hand(s, player, card, 1)
    if x.decoyed_summoner_summons and x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, x, side, row, card)
    rescore(s, x, side, row)
    arrive_summons(s, x)
