"""What leaders do (rules 1.9), one function per kind of effect."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.board import opponent, remove_from_row
from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    Leader,
    LeaderState,
    Phase,
    Row,
    Slot,
)
from deckcheck.engine.games.gwent.scorch import scorch_row
from deckcheck.engine.games.gwent.scoring import rescore, unit_strength
from deckcheck.engine.games.gwent.specials import (
    clear_weather,
    fetch_from_deck,
    play_weather,
)
from deckcheck.engine.games.gwent.zones import pick, shuffle_deck
from deckcheck.engine.jit import jit

__all__ = [
    "bond_copy_in_deck",
    "is_weather",
    "leader_has_effect",
    "mardroeme_in_deck",
    "note_passive_leaders",
    "set_up_leaders",
    "use_leader",
]

PEEKED = 3
DISCARDED = 2
ANY_WEATHER = int(
    Ability.WEATHER_FROST
    | Ability.WEATHER_FOG
    | Ability.WEATHER_RAIN
    | Ability.WEATHER_STORM
    | Ability.WEATHER_CLEAR
)


@jit
def set_up_leaders(s: Any, x: Any) -> Any:
    """Leaders at the start: ready or passive; White Flame voids the other (1.9.5)."""
    for player in range(s.leader.shape[0]):
        s.leader[player] = x.leader[player]
        s.leader_state[player] = (
            LeaderState.PASSIVE if x.passive[player] else LeaderState.READY
        )
    for player in range(s.leader.shape[0]):
        if x.leader[player] == Leader.CANCEL_ENEMY_LEADER:
            s.leader_state[opponent(player)] = LeaderState.VOID
    note_passive_leaders(s, x)


@jit
def note_passive_leaders(s: Any, x: Any) -> Any:
    """Set the marks of the passive leaders that are in force."""
    s.double_spies = 0
    s.random_revival = 0
    for player in range(s.leader.shape[0]):
        s.half_weather[x.side[player]] = 0
        s.extra_card[player] = 0
    for player in range(s.leader.shape[0]):
        if s.leader_state[player] == LeaderState.PASSIVE:
            leader = s.leader[player]
            if leader == Leader.DOUBLE_SPIES:
                s.double_spies = 1
            elif leader == Leader.RANDOM_REVIVE:
                s.random_revival = 1
            elif leader == Leader.HALF_WEATHER:
                s.half_weather[x.side[player]] = 1
            elif leader == Leader.EXTRA_OPENING_CARD:
                s.extra_card[player] = 1


@jit
def is_weather(x: Any, card: Any) -> Any:
    """Whether the card is a weather card, Clear Weather included."""
    return x.ability[card] & ANY_WEATHER != 0


@jit
def has_in_deck(s: Any, x: Any, player: Any, ability: Any) -> Any:
    """Whether a card with one of these abilities is left in the deck."""
    return card_in_deck(s, x, player, ability) != 0


@jit
def card_in_deck(s: Any, x: Any, player: Any, ability: Any) -> Any:
    """The topmost card of the deck with one of these abilities, 0 if there is none."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if x.ability[s.deck[player, i]] & ability:
            return s.deck[player, i]
    return 0


@jit
def fetched_weather(leader: Any) -> Any:
    """The weather ability a leader looks for in his deck, 0 if he is another kind."""
    if leader == Leader.PLAY_FROST_FROM_DECK:
        return Ability.WEATHER_FROST.value
    if leader == Leader.PLAY_FOG_FROM_DECK:
        return Ability.WEATHER_FOG.value
    if leader == Leader.PLAY_RAIN_FROM_DECK:
        return Ability.WEATHER_RAIN.value
    if leader == Leader.PLAY_STORM_FROM_DECK:
        return Ability.WEATHER_STORM.value
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        return ANY_WEATHER
    return 0


@jit
def horn_row(leader: Any) -> Any:
    """The row a horn leader doubles, -1 if he is another kind."""
    if leader == Leader.HORN_OWN_CLOSE:
        return Row.CLOSE.value
    if leader == Leader.HORN_OWN_RANGED:
        return Row.RANGED.value
    if leader == Leader.HORN_OWN_SIEGE:
        return Row.SIEGE.value
    return -1


@jit
def scorched_row(leader: Any) -> Any:
    """The enemy row a scorching leader burns, -1 if he is another kind."""
    if leader == Leader.SCORCH_ENEMY_CLOSE:
        return Row.CLOSE.value
    if leader == Leader.SCORCH_ENEMY_RANGED:
        return Row.RANGED.value
    if leader == Leader.SCORCH_ENEMY_SIEGE:
        return Row.SIEGE.value
    return -1


@jit
def use_leader(s: Any, x: Any, player: Any) -> Any:
    """Use the active leader of `player`; some of them ask for a choice afterwards."""
    s.leader_state[player] = LeaderState.USED
    leader = s.leader[player]
    side = x.side[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        if card_in_deck(s, x, player, weather):
            s.phase = Phase.WEATHER_FROM_DECK
    elif weather:
        card = card_in_deck(s, x, player, weather)
        if card:
            fetch_from_deck(s, x, player, card)
            play_weather(s, x, player, card)
    elif horn >= 0:
        # "no effect if that row already has a horn"
        if s.slot[side, horn] != Slot.HORN:
            s.leader_horn[side, horn] = 1
            rescore(s, x, side, horn)
    elif scorched >= 0:
        scorch_row(s, x, x.side[opponent(player)], scorched)
    elif leader == Leader.CLEAR_WEATHER:
        clear_weather(s, x)
    elif leader == Leader.PEEK_THREE_HAND_CARDS:
        peek(s, x, opponent(player))
    elif leader == Leader.OPTIMISE_AGILE_ROWS:
        move_agile_units(s, x, side)
        if x.hope_moves_both_sides:
            move_agile_units(s, x, x.side[opponent(player)])
    elif leader == Leader.RESHUFFLE_DISCARDS:
        reshuffle_discards(s, x)
    else:
        begin_leader_choice(s, x, player, leader)


@jit
def begin_leader_choice(s: Any, x: Any, player: Any, leader: Any) -> Any:
    """Leaders whose effect is a choice; without anything to choose it is over."""
    side = x.side[player]
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        if enemy_discard_choice(s, x, x.side[opponent(player)]):
            s.phase = Phase.ENEMY_DISCARD
    elif leader == Leader.RESTORE_OWN_DISCARD:
        if s.n_discard[side] > 0:
            s.phase = Phase.OWN_DISCARD
    elif leader == Leader.DISCARD_TWO_PICK_ONE:
        s.to_discard = min(DISCARDED, s.n_hand[player])
        if s.to_discard > 0:
            s.phase = Phase.DISCARD_TWO
        elif s.n_deck[player] > 0:
            s.phase = Phase.FROM_DECK
    elif leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        if any_bond_copy(s, x, player):
            s.phase = Phase.BOND_COPY
    elif leader == Leader.PLAY_MARDROEME_FROM_DECK:
        if mardroeme_in_deck(s, x, player) and any_free_slot(s, side):
            s.phase = Phase.MARDROEME_ROW


@jit
def leader_has_effect(s: Any, x: Any, player: Any) -> Any:
    """Whether using the leader now would change anything (rules 1.9.9)."""
    leader = s.leader[player]
    side = x.side[player]
    other = opponent(player)
    enemy = x.side[other]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return card_in_deck(s, x, player, weather) != 0
    if horn >= 0:
        return s.slot[side, horn] != Slot.HORN
    if scorched >= 0:
        return s.total[enemy, scorched] >= 10 and row_has_unit(s, x, enemy, scorched)
    if leader == Leader.CLEAR_WEATHER:
        return any_weather(s)
    if leader == Leader.PEEK_THREE_HAND_CARDS:
        return s.n_hand[other] > 0
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        return enemy_discard_choice(s, x, enemy)
    if leader == Leader.RESTORE_OWN_DISCARD:
        return s.n_discard[side] > 0
    if leader == Leader.DISCARD_TWO_PICK_ONE:
        return s.n_hand[player] > 0 or s.n_deck[player] > 0
    if leader == Leader.RESHUFFLE_DISCARDS:
        return s.n_discard[side] + s.n_discard[enemy] > 0
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return any_bond_copy(s, x, player)
    if leader == Leader.PLAY_MARDROEME_FROM_DECK:
        return mardroeme_in_deck(s, x, player) != 0 and any_free_slot(s, side)
    return any_agile_move(s, x, side) or (
        x.hope_moves_both_sides and any_agile_move(s, x, enemy)
    )


@jit
def any_weather(s: Any) -> Any:
    """Whether a weather card lies on the board."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            return True
    return False


@jit
def row_has_unit(s: Any, x: Any, side: Any, row: Any) -> Any:
    """Whether a non-hero unit lies in the row."""
    for i in range(s.n_row[side, row]):
        if x.kind[s.row[side, row, i]] == Kind.UNIT:
            return True
    return False


@jit
def enemy_discard_choice(s: Any, x: Any, enemy: Any) -> Any:
    """Whether the pile holds a card that The Relentless may take: no heroes."""
    for i in range(s.n_discard[enemy]):
        if x.kind[s.discard[enemy, i]] != Kind.HERO:
            return True
    return False


@jit
def bond_copy_in_deck(s: Any, x: Any, player: Any, card: Any) -> Any:
    """Whether Arnjolf could fetch a copy of the unit `card` that lies on his side."""
    if x.kind[card] != Kind.UNIT or not x.ability[card] & Ability.TIGHT_BOND:
        return False
    for i in range(s.n_deck[player]):
        if s.deck[player, i] == card:
            return True
    return False


@jit
def any_bond_copy(s: Any, x: Any, player: Any) -> Any:
    """Whether Arnjolf has anything to fetch."""
    side = x.side[player]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if bond_copy_in_deck(s, x, player, s.row[side, row, i]):
                return True
    return False


@jit
def mardroeme_in_deck(s: Any, x: Any, player: Any) -> Any:
    """A Mardroeme special in the deck, 0 if there is none (Ermion is no such card)."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        card = s.deck[player, i]
        if x.kind[card] == Kind.SPECIAL and x.ability[card] & Ability.MARDROEME:
            return card
    return 0


@jit
def any_free_slot(s: Any, side: Any) -> Any:
    """Whether a row of the side has no special beside it."""
    for row in range(s.slot.shape[1]):
        if s.slot[side, row] == Slot.EMPTY:
            return True
    return False


@jit
def peek(s: Any, x: Any, target: Any) -> Any:
    """Emperor of Nilfgaard sees three random hand cards, all of them if fewer."""
    if s.n_hand[target] <= PEEKED:
        for i in range(s.n_hand[target]):
            s.seen[target, i] = 1
        return
    for i in range(s.n_hand[target]):
        s.seen[target, i] *= 2  # 2 and 3: known before; 1 and 3: seen now
    for _ in range(PEEKED):
        count = 0
        for i in range(s.n_hand[target]):
            if not s.seen[target, i] & 1:
                x.pool[count] = s.hand[target, i]
                count += 1
        mark_seen(s, target, x.pool[pick(s, x, count)])
    for i in range(s.n_hand[target]):
        s.seen[target, i] = min(s.seen[target, i], 1)


@jit
def mark_seen(s: Any, target: Any, card: Any) -> Any:
    """Mark one copy of `card` in the hand that was not seen a moment ago."""
    for i in range(s.n_hand[target]):
        if s.hand[target, i] == card and not s.seen[target, i] & 1:
            s.seen[target, i] |= 1
            return


@jit
def move_agile_units(s: Any, x: Any, side: Any) -> Any:
    """Each agile unit moves to the row that makes it strongest; equal ones stay.

    One after another, close row first; a unit that moved does not move back.
    """
    stayed = s.n_row[side, Row.RANGED]
    move_agile_row(s, x, side, Row.CLOSE.value, Row.RANGED.value, s.n_row[side, 0])
    move_agile_row(s, x, side, Row.RANGED.value, Row.CLOSE.value, stayed)


@jit
def move_agile_row(s: Any, x: Any, side: Any, here: Any, there: Any, count: Any) -> Any:
    """Try the first `count` units of the row `here` in the row `there`."""
    i = 0
    for _ in range(count):
        if prefers(s, x, side, here, there, i):
            card = remove_from_row(s, side, here, i)
            s.row[side, there, s.n_row[side, there]] = card
            s.n_row[side, there] += 1
        else:
            i += 1
    rescore(s, x, side, here)
    rescore(s, x, side, there)


@jit
def prefers(s: Any, x: Any, side: Any, here: Any, there: Any, index: Any) -> Any:
    """Whether the unit is agile and would be stronger in the row `there`."""
    card = s.row[side, here, index]
    if x.kind[card] != Kind.UNIT or not x.ability[card] & Ability.AGILE:
        return False
    last = s.n_row[side, there]
    s.row[side, there, last] = card
    s.n_row[side, there] += 1
    elsewhere = unit_strength(s, x, side, there, last)
    s.n_row[side, there] -= 1
    return elsewhere > unit_strength(s, x, side, here, index)


@jit
def any_agile_move(s: Any, x: Any, side: Any) -> Any:
    """Whether Hope of the Aen Seidhe would move a unit of the side."""
    for here in range(Row.SIEGE.value):
        for i in range(s.n_row[side, here]):
            if prefers(s, x, side, here, 1 - here, i):
                return True
    return False


@jit
def reshuffle_discards(s: Any, x: Any) -> Any:
    """Crach: all players put their discard piles back into their decks and shuffle.

    In a scripted game the pile goes below the deck, its top card first.
    """
    for player in range(s.leader.shape[0]):
        side = x.side[player]
        count, pile = s.n_deck[player], s.n_discard[side]
        for i in range(count - 1, -1, -1):
            s.deck[player, i + pile] = s.deck[player, i]
        for i in range(pile):
            s.deck[player, i] = s.discard[side, i]
        s.n_deck[player] += pile
        s.n_discard[side] = 0
        shuffle_deck(s, x, player)
