"""What leaders do (rules 1.9), one function per kind of effect."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    Leader,
    LeaderState,
    Phase,
    RowName,
    Slot,
)
from deckcheck.engine.games.gwent.rules.agile import any_agile_move, move_agile_units
from deckcheck.engine.games.gwent.rules.piles import peek, reshuffle_discards
from deckcheck.engine.games.gwent.rules.scorch import (
    SCORCH_THRESHOLD,
    scorch_enemies,
    scorch_row,
)
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.rules.seats import (
    has_many_sides,
    opponent,
    opponents,
    players,
    sides,
)
from deckcheck.engine.games.gwent.rules.specials import (
    clear_weather,
    fetch_from_deck,
    play_weather,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

__all__ = [
    "bond_copy_in_deck",
    "is_weather",
    "leader_has_effect",
    "mardroeme_in_deck",
    "use_leader",
    "use_on_opponent",
]

DISCARDED = 2
ANY_WEATHER = int(
    Ability.WEATHER_FROST
    | Ability.WEATHER_FOG
    | Ability.WEATHER_RAIN
    | Ability.WEATHER_STORM
    | Ability.WEATHER_CLEAR
)


@jit
def is_weather(x: Context, card: Card) -> bool:
    """Whether the card is a weather card, Clear Weather included."""
    return x.ability[card] & ANY_WEATHER != 0


@jit
def has_in_deck(s: State, x: Context, player: Player, ability: int) -> bool:
    """Whether a card with one of these abilities is left in the deck."""
    return card_in_deck(s, x, player, ability) != 0


@jit
def card_in_deck(s: State, x: Context, player: Player, ability: int) -> Card:
    """The topmost card of the deck with one of these abilities, 0 if there is none."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if x.ability[s.deck[player, i]] & ability:
            return s.deck[player, i]
    return 0


@jit
def fetched_weather(leader: int) -> int:
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
def horn_row(leader: int) -> Row:
    """The row a horn leader doubles, -1 if he is another kind."""
    if leader == Leader.HORN_OWN_CLOSE:
        return RowName.CLOSE.value
    if leader == Leader.HORN_OWN_RANGED:
        return RowName.RANGED.value
    if leader == Leader.HORN_OWN_SIEGE:
        return RowName.SIEGE.value
    return -1


@jit
def scorched_row(leader: int) -> Row:
    """The enemy row a scorching leader burns, -1 if he is another kind."""
    if leader == Leader.SCORCH_ENEMY_CLOSE:
        return RowName.CLOSE.value
    if leader == Leader.SCORCH_ENEMY_RANGED:
        return RowName.RANGED.value
    if leader == Leader.SCORCH_ENEMY_SIEGE:
        return RowName.SIEGE.value
    return -1


@jit
def use_leader(s: State, x: Context, player: Player) -> None:
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
        if has_many_sides(s, x) and not x.leader_scorches_all:
            s.phase = Phase.OPPONENT
        else:
            scorch_enemies(s, x, player, scorched)
    elif leader == Leader.CLEAR_WEATHER:
        clear_weather(s, x)
    elif leader == Leader.PEEK_THREE_HAND_CARDS:
        if opponents(s, x, player) > 1:
            s.phase = Phase.OPPONENT
        else:
            peek(s, x, player, opponent(s, x, player))
    elif leader == Leader.OPTIMISE_AGILE_ROWS:
        for other in range(sides(s, x)):
            if other == side or x.hope_moves_both_sides:
                move_agile_units(s, x, other)
    elif leader == Leader.RESHUFFLE_DISCARDS:
        reshuffle_discards(s, x)
    else:
        begin_leader_choice(s, x, player, leader)


@jit
def use_on_opponent(s: State, x: Context, player: Player, who: Player) -> None:
    """The leader works on the opponent whom his player has chosen (rules 4.7.2)."""
    scorched = scorched_row(s.leader[player])
    if scorched >= 0:
        scorch_row(s, x, x.side[who], scorched)
    else:
        peek(s, x, player, who)


@jit
def begin_leader_choice(s: State, x: Context, player: Player, leader: int) -> None:
    """Leaders whose effect is a choice; without anything to choose it is over."""
    side = x.side[player]
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        if enemy_discard_choice(s, x, player):
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
def leader_has_effect(s: State, x: Context, player: Player) -> bool:
    """Whether using the leader now would change anything (rules 1.9.9)."""
    leader = s.leader[player]
    side = x.side[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return card_in_deck(s, x, player, weather) != 0
    if horn >= 0:
        return s.slot[side, horn] != Slot.HORN
    if scorched >= 0:
        return can_burn(s, x, side, scorched)
    if leader == Leader.CLEAR_WEATHER:
        return any_weather(s)
    if leader == Leader.PEEK_THREE_HAND_CARDS:
        return enemy_holds_cards(s, x, side)
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        return enemy_discard_choice(s, x, player)
    if leader == Leader.RESTORE_OWN_DISCARD:
        return s.n_discard[side] > 0
    if leader == Leader.DISCARD_TWO_PICK_ONE:
        return s.n_hand[player] > 0 or s.n_deck[player] > 0
    if leader == Leader.RESHUFFLE_DISCARDS:
        return any_discard(s, x)
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return any_bond_copy(s, x, player)
    if leader == Leader.PLAY_MARDROEME_FROM_DECK:
        return mardroeme_in_deck(s, x, player) != 0 and any_free_slot(s, side)
    for other in range(sides(s, x)):
        if other == side or x.hope_moves_both_sides:
            if any_agile_move(s, x, other):
                return True
    return False


@jit
def can_burn(s: State, x: Context, side: Side, row: Row) -> bool:
    """Whether a row scorch would destroy something on an enemy side."""
    for other in range(sides(s, x)):
        if other != side and s.total[other, row] >= SCORCH_THRESHOLD:
            if row_has_unit(s, x, other, row):
                return True
    return False


@jit
def enemy_holds_cards(s: State, x: Context, side: Side) -> bool:
    """Whether an opponent has a card in hand."""
    for other in range(players(s, x)):
        if x.side[other] != side and s.n_hand[other] > 0:
            return True
    return False


@jit
def any_discard(s: State, x: Context) -> bool:
    """Whether a card lies in any discard pile."""
    for side in range(sides(s, x)):
        if s.n_discard[side] > 0:
            return True
    return False


@jit
def any_weather(s: State) -> bool:
    """Whether a weather card lies on the board."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            return True
    return False


@jit
def row_has_unit(s: State, x: Context, side: Side, row: Row) -> bool:
    """Whether a non-hero unit lies in the row."""
    for i in range(s.n_row[side, row]):
        if x.kind[s.row[side, row, i]] == Kind.UNIT:
            return True
    return False


@jit
def enemy_discard_choice(s: State, x: Context, player: Player) -> bool:
    """Whether an enemy pile holds a card that The Relentless may take: no heroes."""
    for enemy in range(sides(s, x)):
        if enemy != x.side[player]:
            for i in range(s.n_discard[enemy]):
                if x.kind[s.discard[enemy, i]] != Kind.HERO:
                    return True
    return False


@jit
def bond_copy_in_deck(s: State, x: Context, player: Player, card: Card) -> bool:
    """Whether Arnjolf could fetch a copy of the unit `card` that lies on his side."""
    if x.kind[card] != Kind.UNIT or not x.ability[card] & Ability.TIGHT_BOND:
        return False
    for i in range(s.n_deck[player]):
        if s.deck[player, i] == card:
            return True
    return False


@jit
def any_bond_copy(s: State, x: Context, player: Player) -> bool:
    """Whether Arnjolf has anything to fetch."""
    side = x.side[player]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if bond_copy_in_deck(s, x, player, s.row[side, row, i]):
                return True
    return False


@jit
def mardroeme_in_deck(s: State, x: Context, player: Player) -> Card:
    """A Mardroeme special in the deck, 0 if there is none (Ermion is no such card)."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        card = s.deck[player, i]
        if x.kind[card] == Kind.SPECIAL and x.ability[card] & Ability.MARDROEME:
            return card
    return 0


@jit
def any_free_slot(s: State, side: Side) -> bool:
    """Whether a row of the side has no special beside it."""
    for row in range(s.slot.shape[1]):
        if s.slot[side, row] == Slot.EMPTY:
            return True
    return False
