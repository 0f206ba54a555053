"""Weighing moves: what a move brings now against what its card is worth."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Kind, Leader, Verb
from deckcheck.engine.games.gwent.players.gains import (
    enemy_scorch_gain,
    horn_gain,
    row_scorch_gain,
    special_gain,
    unit_gain,
    weather_gain,
)
from deckcheck.engine.games.gwent.players.worth import card_worth
from deckcheck.engine.games.gwent.rules.encoding import (
    PASS,
    move_card,
    move_row,
    move_verb,
)
from deckcheck.engine.games.gwent.rules.leaders.decks import any_bond_copy
from deckcheck.engine.games.gwent.rules.leaders.horns import horn_row
from deckcheck.engine.games.gwent.rules.leaders.scorches import scorched_row
from deckcheck.engine.games.gwent.rules.leaders.weather import fetched_weather
from deckcheck.engine.games.gwent.rules.seats import sides
from deckcheck.engine.games.gwent.rules.zones import card_in_deck
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Move, Player, Row, Side, State

__all__ = ["NEVER", "best_play", "is_spy", "move_gain", "move_worth"]

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
def best_play(
    s: State, x: Context, player: Player, count: int
) -> tuple[Move, int, int]:
    """The best move that is no pass, its gain, and the two best gains together.

    A spy comes first: two cards for one. Else cheap cards come before dear ones, so
    that the good ones wait for a use that pays; what would cost strength comes last.
    """
    figures = x.figures[player]
    best, best_value, best_gain = PASS, 100 * NEVER, NEVER
    strongest, second = 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        if gain > strongest:
            strongest, second = gain, strongest
        elif gain > second:
            second = gain
        value = figures.gain_weight * gain
        value -= figures.worth_weight * move_worth(s, x, player, move)
        if is_spy(s, x, player, move):
            value -= NEVER
        elif gain < 0:
            value += NEVER
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain, strongest + second
