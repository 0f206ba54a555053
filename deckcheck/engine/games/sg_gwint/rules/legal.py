"""The legal moves."""

from __future__ import annotations

from deckcheck.engine.encoding import move_verb
from deckcheck.engine.games.sg_gwint.codes import Ability, Kind, Phase, Verb
from deckcheck.engine.games.sg_gwint.rules.encoding import (
    ANNOUNCE,
    CHOOSE,
    DECLINE,
    DISCARD,
    KEEP_HAND,
    LAY,
    PASS,
    PLAY,
    REDRAW,
    START,
    USE_LEADER,
    at,
)
from deckcheck.engine.games.sg_gwint.rules.leaders import leader_is_playable
from deckcheck.engine.games.sg_gwint.rules.scoring import is_unit
from deckcheck.engine.games.sg_gwint.rules.targets import (
    IN_SLOT,
    can_fetch,
    can_land,
    can_return,
    has_target,
    is_target,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.move_list import add, add_hand, add_once, sort_moves
from deckcheck.engine.types import Card, Context, Move, Player, State


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves of the player to move to `x.moves`; returns their number.

    The list has no repetitions and is empty only when the game is over. Discards are
    the last ones of a turn.
    """
    player = s.turn
    phase = s.phase
    if phase == Phase.PLAY:
        return turn_moves(s, x, player)
    if phase == Phase.REDRAW:
        return add_hand(s, x, player, REDRAW, add(x, 0, KEEP_HAND))
    if phase == Phase.OVER:
        return 0
    if phase == Phase.ANNOUNCE:
        return add(x, add(x, 0, ANNOUNCE), DECLINE)
    if phase == Phase.STARTER or phase == Phase.CLAIM:
        count = add(x, add(x, 0, START | at(0, 0)), START | at(1, 0))
        return count if phase == Phase.STARTER else add(x, count, DECLINE)
    if phase == Phase.EXCHANGE:
        return add_hand(s, x, player, CHOOSE, 0)
    if phase == Phase.LAND or phase == Phase.KLEPNA:
        return landing_moves(s, x, player, s.picked, CHOOSE | s.picked, 0)
    if phase >= Phase.DECOY and phase <= Phase.DESTROY:
        return target_moves(s, x, player, phase)
    return zone_moves(s, x, player, phase)


@jit
def discard_moves(s: State, x: Context, count: int) -> int:
    """How many of the `count` moves, the last ones, discard."""
    discards = 0
    if s.phase == Phase.PLAY:
        while discards < count:
            if move_verb(x.moves[count - 1 - discards]) != Verb.DISCARD:
                break
            discards += 1
    return discards


@jit
def zone_moves(s: State, x: Context, player: Player, phase: int) -> int:
    """Choices among cards of a graveyard, a deck or the sky, and of rows."""
    count = 0
    if phase == Phase.MEDIC:
        for i in range(s.n_discard[player]):
            if can_return(x, s.discard[player, i]):
                count = add_once(x, count, CHOOSE | s.discard[player, i])
    elif phase == Phase.FROM_DECK:
        for i in range(s.n_deck[player]):
            if can_fetch(x, player, s.deck[player, i]):
                count = add_once(x, count, CHOOSE | s.deck[player, i])
        sort_moves(x, count)
    elif phase == Phase.SKY:
        for i in range(s.n_sky):
            count = add(x, count, CHOOSE | s.sky[i])
    elif phase == Phase.SKY_ROW:
        for side in range(2):
            for row in range(s.slot.shape[1]):
                # "It is a row that the weather works on" (8.6)
                if x.rows[s.picked] >> row & 1:
                    count = add(x, count, CHOOSE | at(side, row) | s.picked)
    elif phase == Phase.MOVE_TO:
        for row in range(s.n_row.shape[1]):
            if row != s.picked_row:
                count = add(x, count, CHOOSE | at(s.picked_side, row))
    return count


@jit
def target_moves(s: State, x: Context, player: Player, phase: int) -> int:
    """Each card of the battlefield that may be chosen; some need not be."""
    count = 0
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                if is_target(s, x, phase, s.acting, player, side, row, i):
                    count = add(x, count, CHOOSE | at(side, row) | i)
    # "You may move" (9.15); "up to as many units" (10.3)
    if phase == Phase.RELOCATE or phase == Phase.DIPLOMACY:
        count = add(x, count, DECLINE)
    return count


@jit
def turn_moves(s: State, x: Context, player: Player) -> int:
    """Pass, play a card or the leader, lay a leader's card, discard (3.1)."""
    count = 0 if s.must_play else add(x, 0, PASS)
    first = count
    last = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        if card != last:
            last = card
            count = card_moves(s, x, player, card, PLAY, count)
    plays = count - first
    if leader_is_playable(s, x, player):
        # A leader that is no turn needs a card to follow (3.11)
        if plays > 0 or not x.free[player]:
            count = add(x, count, USE_LEADER)
    # The cards of a leader are no turn either (10.8)
    if plays > 0 or x.linked_alone:
        for i in range(s.n_linked[player]):
            count = lay_moves(s, x, player, i, count)
    if s.must_play:
        if plays > 0 and not x.discard_follows_leader:
            return count
        if plays == 0:
            count = add(x, count, PASS)
    return add_hand(s, x, player, DISCARD, count)


@jit
def lay_moves(s: State, x: Context, player: Player, index: int, count: int) -> int:
    """The ways to lay a card of the leader; equal cards count once (10.7)."""
    card = s.linked[player, index]
    for i in range(index):
        if s.linked[player, i] == card:
            return count
    return card_moves(s, x, player, card, LAY, count)


@jit
def card_moves(
    s: State, x: Context, player: Player, card: Card, verb: int, count: int
) -> int:
    """The ways to play a card."""
    if is_unit(x, card) or x.ability[card] & IN_SLOT:
        return landing_moves(s, x, player, card, verb | card, count)
    # "There it cannot be played" (8.17)
    if x.kind[card] == Kind.TOKEN:
        return count
    if x.ability[card] & Ability.DECOY:
        if not has_target(s, x, Phase.DECOY.value, -1, player):
            return count
    if x.ability[card] & Ability.ATTACH:
        if not has_target(s, x, Phase.ATTACH.value, -1, player):
            return count
    return add(x, count, verb | card)


@jit
def landing_moves(
    s: State, x: Context, player: Player, card: Card, move: Move, count: int
) -> int:
    """One move for each row into which a card may be laid, the own side first."""
    for step in range(2):
        side = player if step == 0 else 1 - player
        for row in range(s.n_row.shape[1]):
            if can_land(s, x, player, card, side, row):
                count = add(x, count, move | at(side, row))
    return count
