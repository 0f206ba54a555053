"""Weighing moves: what a move brings now against what its card is worth."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_row, move_verb
from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    Leader,
    LeaderState,
    RowName,
    Verb,
)
from deckcheck.engine.games.gwent.players.gains import (
    enemy_scorch_gain,
    horn_gain,
    may_change,
    row_scorch_gain,
    special_gain,
    unit_gain,
    weather_gain,
)
from deckcheck.engine.games.gwent.players.worth import card_worth
from deckcheck.engine.games.gwent.rules.board import may_lie_in
from deckcheck.engine.games.gwent.rules.encoding import PASS
from deckcheck.engine.games.gwent.rules.leaders.decks import any_bond_copy
from deckcheck.engine.games.gwent.rules.leaders.horns import horn_row
from deckcheck.engine.games.gwent.rules.leaders.scorches import scorched_row
from deckcheck.engine.games.gwent.rules.leaders.weather import fetched_weather
from deckcheck.engine.games.gwent.rules.seats import has_many_sides, sides
from deckcheck.engine.games.gwent.rules.weather import weather_index
from deckcheck.engine.games.gwent.rules.zones import card_in_deck
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, Row, Side, State

NEVER = -1000


@jit
def move_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """By how much the lead grows with this move."""
    if move_verb(move) == Verb.LEADER:
        return leader_gain(s, x, player)
    card = move_card(move)
    if x.kind[card] <= Kind.HERO:
        return unit_gain(s, x, player, card, move_row(move))
    return special_gain(s, x, player, card, move_row(move))


@jit
def move_worth(s: State, x: Context, player: Player, move: Move) -> int:
    """What the spent card or leader would be worth in an average use."""
    if move_verb(move) == Verb.LEADER:
        return x.figures[player].leader
    return card_worth(s, x, player, move_card(move))


@jit
def leader_gain(s: State, x: Context, player: Player) -> int:
    """By how much the lead grows with the active leader."""
    leader = s.leader[player]
    side = x.side[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return fetched_weather_gain(s, x, player, weather)
    if horn >= 0:
        return horn_gain(s, x, side, horn)
    if scorched >= 0:
        return leader_scorch_gain(s, x, player, scorched)
    if leader == Leader.CLEAR_WEATHER:
        return weather_gain(s, x, player, Ability.WEATHER_CLEAR.value)
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        best = 0
        for enemy in range(sides(s, x)):
            if enemy != side:
                best = max(best, best_in_pile(s, x, player, enemy))
        return best
    if leader == Leader.RESTORE_OWN_DISCARD:
        return best_in_pile(s, x, player, side)
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return x.figures[player].bond_copy if any_bond_copy(s, x, player) else 0
    if (
        leader == Leader.DISCARD_TWO_PICK_ONE
        or leader == Leader.OPTIMISE_AGILE_ROWS
        or leader == Leader.PEEK_THREE_HAND_CARDS
        or leader == Leader.PLAY_MARDROEME_FROM_DECK
        or leader == Leader.RESHUFFLE_DISCARDS
    ):
        return x.figures[player].little
    raise UnplayedCode("leader")


@jit
def leader_scorch_gain(s: State, x: Context, player: Player, row: Row) -> int:
    """What a scorching leader destroys: of all enemies, or of the best one."""
    if x.leader_scorches_all:
        return enemy_scorch_gain(s, x, player, row)
    best = 0
    for side in range(sides(s, x)):
        if side != x.side[player]:
            best = max(best, row_scorch_gain(s, x, side, row))
    return best


@jit
def fetched_weather_gain(s: State, x: Context, player: Player, weather: int) -> int:
    """The best gain among the weather cards that the leader may fetch."""
    best = 0
    for kind in range(5):
        ability = Ability.WEATHER_FROST.value << kind
        if weather & ability and card_in_deck(s, x, player, ability):
            best = max(best, weather_gain(s, x, player, ability))
    return best


@jit
def best_in_pile(s: State, x: Context, player: Player, side: Side) -> int:
    """Worth of the best card in a discard pile."""
    best = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if side == x.side[player] or x.kind[card] != Kind.HERO:
            best = max(best, card_worth(s, x, player, card))
    return best


@jit
def is_spy(s: State, x: Context, player: Player, move: Move) -> bool:
    """Whether the move plays a spy that draws."""
    return (
        move_verb(move) == Verb.PLAY
        and x.ability[move_card(move)] & Ability.SPY != 0
        and s.n_deck[player] > 0
    )


@jit
def situation(s: State, x: Context, side: Side) -> int:
    """Which of four figures holds: 2 for the own last gem, and 1 for the other's.

    In a free-for-all, which goes by points, it is 0.
    """
    if has_many_sides(s, x):
        return 0
    return 2 * (s.gems[side] == 1) + (s.gems[1 - side] == 1)


@jit
def units_in_hand(s: State, x: Context, player: Player, row: Row) -> int:
    """Printed strength of the units in hand that a horn beside the row would double."""
    total = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        if (
            x.kind[card] == Kind.UNIT
            and not x.ability[card] & Ability.SPY
            and may_lie_in(x, card, row)
        ):
            total += x.strength[card]
    return total


@jit
def to_come(s: State, x: Context, player: Player, move: Move) -> int:
    """What a horn will still bring this round, and a unit where one will sound."""
    figures = x.figures[player]
    leads = horn_row(s.leader[player])
    if move_verb(move) == Verb.LEADER:
        if leads >= 0:
            return units_in_hand(s, x, player, leads) * figures.horn_hand // 100
        return 0
    card, row = move_card(move), move_row(move)
    ability = x.ability[card]
    if x.kind[card] == Kind.WEATHER:
        if not figures.weather_hand or ability & Ability.WEATHER_CLEAR:
            return 0
        hit = weather_index(ability)
        total = 0
        for lane in range(s.n_row.shape[1]):
            if may_change(hit, lane):
                total += units_in_hand(s, x, player, lane)
        return -total * figures.weather_hand // 100
    if x.kind[card] == Kind.SPECIAL:
        if ability & Ability.COMMANDERS_HORN:
            return units_in_hand(s, x, player, row) * figures.horn_hand // 100
        return 0
    if not ability & Ability.AGILE:
        return 0
    extra = figures.agile_ranged if row == RowName.RANGED else 0
    if row == leads and s.leader_state[player] == LeaderState.READY:
        extra += figures.agile_horn
    return extra


@jit
def best_play(
    s: State, x: Context, player: Player, count: int
) -> tuple[Move, int, int, int]:
    """The best move that is no pass, its gain, and what the player has left.

    That is the two best gains together, and the worth of the different cards in hand.
    A spy comes first: two cards for one. Else cheap cards come before dear ones, so
    that the good ones wait for a use that pays; what would cost strength comes last.
    """
    figures = x.figures[player]
    now = situation(s, x, x.side[player])
    gain_weight = figures.gain_weight[now]
    worth_weight = figures.worth_weight[now]
    waste_weight = figures.waste_weight[now]
    best, best_value, best_gain = PASS, 100 * NEVER, NEVER
    strongest, second = 0, 0
    hand, last, worth = 0, 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        if gain > strongest:
            strongest, second = gain, strongest
        elif gain > second:
            second = gain
        if move_card(move) != last:
            last = move_card(move)
            worth = move_worth(s, x, player, move)
            hand += worth
        elif last == 0:
            worth = move_worth(s, x, player, move)
        expected = gain + to_come(s, x, player, move)
        value = gain_weight * expected - worth_weight * worth
        value -= waste_weight * max(worth - expected, 0)
        if is_spy(s, x, player, move):
            value += figures.spy_bonus
        elif gain < 0:
            value += 10 * NEVER
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain, strongest + second, hand
