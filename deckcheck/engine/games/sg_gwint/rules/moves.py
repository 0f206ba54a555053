"""Carrying out a move; how moves are encoded is in `encoding`."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_row, move_verb, move_who
from deckcheck.engine.games.sg_gwint.codes import Phase, Verb
from deckcheck.engine.games.sg_gwint.rules.abilities import (
    OF_UNITS_THAT_COME,
    land,
    move_unit,
    take_token,
)
from deckcheck.engine.games.sg_gwint.rules.board import (
    bury_below,
    destroy,
    lay_below,
    lift,
    locate,
    note_sky_rows,
    stack_up,
    summon_for,
    swallow,
)
from deckcheck.engine.games.sg_gwint.rules.leaders import fetch, use_leader
from deckcheck.engine.games.sg_gwint.rules.rounds import settle
from deckcheck.engine.games.sg_gwint.rules.scoring import rescore
from deckcheck.engine.games.sg_gwint.rules.setup import (
    announce,
    keep_hand,
    lay_klepna,
    lay_out,
    redraw,
    start_with,
)
from deckcheck.engine.games.sg_gwint.rules.targets import has_target
from deckcheck.engine.games.sg_gwint.rules.zones import (
    add_to_hand,
    bury,
    remove_from_hand,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.piles import remove_from_discard
from deckcheck.engine.types import Card, Context, Move, Player, Row, Side, State

HISTORY_MASK = 0xFFFFFFFF


@entry
def set_up(s: State, x: Context) -> None:
    """Start a match and go on to the first decision. `s.rng` must be seeded."""
    s.turns = 0
    s.history = 0
    s.n_tosses = 0
    s.replays = x.replays
    lay_out(s, x)
    s.coin = x.coin
    settle(s, x)


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move; that it is legal is the caller's duty."""
    player = s.turn
    verb = move_verb(move)
    card = move_card(move)
    side, row = move_who(move), move_row(move)
    s.turns += 1
    s.history = (s.history * 31 + move + 1) & HISTORY_MASK
    if verb == Verb.PLAY:
        s.turn_over = 1
        remove_from_hand(s, player, card)
        land(s, x, player, card, side, row, 0)
    elif verb == Verb.PASS:
        s.turn_over = 1
        s.passed[player] = 1
    elif verb == Verb.DISCARD:
        s.turn_over = 1
        remove_from_hand(s, player, card)
        bury(s, x, card)
    elif verb == Verb.CHOOSE:
        choose(s, x, player, card, side, row)
    elif verb == Verb.LEADER:
        use_leader(s, x, player)
    elif verb == Verb.LAY:
        remove_linked(s, player, card)
        # A leader that is no turn is followed by a card (10.8)
        if not x.linked_alone:
            s.must_play = 1
        land(s, x, player, card, side, row, 0)
    else:
        decide(s, x, player, verb, card, side)
    settle(s, x)


@jit
def decide(
    s: State, x: Context, player: Player, verb: int, card: Card, who: Player
) -> None:
    """What is decided between the turns, and what need not be chosen."""
    s.phase, phase = Phase.PLAY.value, s.phase
    if verb == Verb.REDRAW:
        redraw(s, x, player, card)
    elif verb == Verb.KEEP_HAND:
        keep_hand(s, player)
    elif verb == Verb.ANNOUNCE:
        announce(s, player)
    elif verb == Verb.START:
        if phase == Phase.CLAIM:
            s.choice_spent[player] = 1
        start_with(s, who)


@jit
def remove_linked(s: State, player: Player, card: Card) -> None:
    """Take one of the leader's cards, which is to be laid."""
    s.n_linked[player] -= 1
    left = s.n_linked[player]
    i = 0
    while s.linked[player, i] != card:
        i += 1
    for j in range(i, left):
        s.linked[player, j] = s.linked[player, j + 1]


@jit
def choose(
    s: State, x: Context, player: Player, card: Card, side: Side, row: Row
) -> None:
    """Answer the open choice."""
    phase = s.phase
    s.phase = Phase.PLAY
    if phase == Phase.LAND:
        land(s, x, player, card, side, row, s.picked_drop)
        s.picked = 0
    elif phase == Phase.KLEPNA:
        lay_klepna(s, x, player, row)
    elif phase == Phase.EXCHANGE:
        remove_from_hand(s, player, card)
        bury(s, x, card)
    elif phase == Phase.MEDIC:
        remove_from_discard(s, player, card)
        stack_up(s, card, player, 0, OF_UNITS_THAT_COME if x.revived_are_idle else 0)
    elif phase == Phase.FROM_DECK:
        fetch(s, x, player, card)
    elif phase == Phase.SKY:
        s.picked = card
        s.phase = Phase.SKY_ROW
    elif phase == Phase.SKY_ROW:
        move_weather(s, x, side, row)
    elif phase == Phase.MOVE_TO:
        arrive(s, x, player, row)
    else:
        affect(s, x, player, phase, side, row, card)


@jit
def affect(
    s: State, x: Context, player: Player, phase: int, side: Side, row: Row, index: int
) -> None:
    """The effect on a card of the battlefield that was chosen."""
    if phase == Phase.DECOY:
        take_back(s, x, player, side, row, index)
    elif phase == Phase.DEVOUR:
        devour(s, x, side, row, index)
    elif phase == Phase.REINFORCE:
        token = take_token(s, x, player, s.picked)
        lay_below(s, x, side, row, index, token)
    elif phase == Phase.ATTACH:
        lay_below(s, x, side, row, index, s.picked)
    elif phase == Phase.DESTROY:
        destroy(s, x, side, row, index)
    else:
        if phase != Phase.DIPLOMACY:
            s.to_move = 0
        s.phase = Phase.MOVE_TO
        s.picked_side, s.picked_row, s.picked_index = side, row, index


@jit
def take_back(
    s: State, x: Context, player: Player, side: Side, row: Row, index: int
) -> None:
    """A Decoy takes a card to the hand; what lies under it is buried (8.11, 11.6)."""
    ident = s.ident[side, row, index]
    card = lift(s, side, row, index)
    bury_below(s, x, ident, 0)
    add_to_hand(s, x, player, card, 1)
    rescore(s, x, side, row)


@jit
def devour(s: State, x: Context, side: Side, row: Row, index: int) -> None:
    """The acting unit eats this one and grows by its base strength (9.16, 9.17)."""
    eaten = s.ident[side, row, index]
    gained = s.extra[side, row, index]
    card = lift(s, side, row, index)
    gained += x.strength[card]
    swallow(s, x, s.acting, eaten, card)
    rescore(s, x, side, row)
    at_side, at_row, at_index = locate(s, s.acting)
    if not x.shield[s.row[at_side, at_row, at_index]]:
        s.extra[at_side, at_row, at_index] += gained
    rescore(s, x, at_side, at_row)
    # "A guardian that is devoured brings its card" (9.18)
    summon_for(s, x, card, side)


@jit
def arrive(s: State, x: Context, player: Player, row: Row) -> None:
    """The chosen unit moves; Diplomacy may move another one (10.3)."""
    side, index = s.picked_side, s.picked_index
    ident = s.ident[side, s.picked_row, index]
    move_unit(s, x, side, s.picked_row, index, row)
    if s.to_move > 1:
        s.to_move -= 1
        s.moved[s.n_moved] = ident
        s.n_moved += 1
        if has_target(s, x, Phase.DIPLOMACY.value, -1, player):
            s.phase = Phase.DIPLOMACY


@jit
def move_weather(s: State, x: Context, side: Side, row: Row) -> None:
    """A weather card moves into a slot and replaces what lies there (8.5, 8.6)."""
    i = 0
    while s.sky[i] != s.picked:
        i += 1
    s.n_sky -= 1
    for j in range(i, s.n_sky):
        s.sky[j] = s.sky[j + 1]
    if s.slot[side, row]:
        bury(s, x, s.slot[side, row])
    s.slot[side, row] = s.picked
    s.picked = 0
    note_sky_rows(s, x)
