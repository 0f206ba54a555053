"""Which moves are legal."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    LeaderState,
    Phase,
    Slot,
)
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
from deckcheck.engine.games.gwent.rules.leaders import (
    any_weather,
    bond_copy_in_deck,
    is_weather,
    leader_has_effect,
    mardroeme_in_deck,
    row_has_unit,
)
from deckcheck.engine.games.gwent.rules.scoring import row_has_horn
from deckcheck.engine.games.gwent.rules.seats import has_many_sides, players, sides
from deckcheck.engine.games.gwent.rules.specials import has_decoy_target, weather_index
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Card, Context, Move, Player, Row, Side, State

__all__ = ["legal_moves", "nobody_can_play"]


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
            count = add(x, count, START | who << 16)
        return count
    if phase == Phase.OVER:
        return 0
    if phase == Phase.VOID_LEADER:
        return add_opponents(s, x, side, VOID)
    if phase == Phase.RECIPIENT or phase == Phase.OPPONENT:
        return add_opponents(s, x, side, CHOOSE)
    return leader_choice_moves(s, x, player, side, phase)


@jit
def leader_choice_moves(
    s: State, x: Context, player: Player, side: Side, phase: int
) -> int:
    """What a leader lets his player choose from."""
    count = 0
    if phase == Phase.ENEMY_DISCARD:
        count = enemy_discard_moves(s, x, side)
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
def enemy_discard_moves(s: State, x: Context, side: Side) -> int:
    """Each card that The Relentless may take, of several opponents with its owner."""
    count = 0
    for player in range(players(s, x)):
        enemy = x.side[player]
        if enemy != side:
            who = player << 16 if has_many_sides(s, x) else 0
            for i in range(s.n_discard[enemy]):
                if x.kind[s.discard[enemy, i]] != Kind.HERO:
                    count = add_once(x, count, CHOOSE | who | s.discard[enemy, i])
    return count


@jit
def add_opponents(s: State, x: Context, side: Side, verb: int) -> int:
    """One move for each opponent."""
    count = 0
    for who in range(players(s, x)):
        if x.side[who] != side:
            count = add(x, count, verb | who << 16)
    return count


@jit
def nobody_can_play(s: State, x: Context) -> bool:
    """Whether all that every player could do is pass (4.7.7)."""
    for player in range(players(s, x)):
        if turn_moves(s, x, player, x.side[player]) > 1:
            return False
    return True


@jit
def add(x: Context, count: int, move: Move) -> int:
    """Append a move to the list; returns the new length."""
    x.moves[count] = move
    return count + 1


@jit
def add_once(x: Context, count: int, move: Move) -> int:
    """Append a move unless it is in the list already."""
    for i in range(count):
        if x.moves[i] == move:
            return count
    x.moves[count] = move
    return count + 1


@jit
def add_hand(s: State, x: Context, player: Player, verb: int, count: int) -> int:
    """Append one move for each different hand card (the hand is sorted)."""
    last = 0
    for i in range(s.n_hand[player]):
        if s.hand[player, i] != last:
            last = s.hand[player, i]
            count = add(x, count, verb | last)
    return count


@jit
def sort_moves(x: Context, count: int) -> None:
    """Sort the list, so that it does not tell the order of a deck."""
    for i in range(1, count):
        move = x.moves[i]
        j = i
        while j > 0 and x.moves[j - 1] > move:
            x.moves[j] = x.moves[j - 1]
            j -= 1
        x.moves[j] = move


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
def special_moves(s: State, x: Context, side: Side, card: Card, count: int) -> int:
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
                if x.rows[card] >> row & 1:
                    count = add_once(x, count, CHOOSE | row << 12 | card)
    return count


@jit
def decoy_moves(s: State, x: Context, side: Side) -> int:
    """Each different non-hero unit on the own side, spies of the enemy included."""
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.kind[card] == Kind.UNIT:
                count = add_once(x, count, CHOOSE | row << 12 | card)
    return count
