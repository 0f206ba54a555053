"""Trying moves on copies of the state: what a move brings, with its choices made well.

Only what the player knows counts: the battlefield, and how many cards the hands have.
A card that is drawn in a copy counts as any other, so hidden cards change no decision.
"""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_row, move_verb, move_who
from deckcheck.engine.games.sg_gwint.codes import Ability, Kind, Phase, Verb
from deckcheck.engine.games.sg_gwint.players.copying import copy_game
from deckcheck.engine.games.sg_gwint.players.worth import CARD, card_worth
from deckcheck.engine.games.sg_gwint.rules.abilities import OF_UNITS_THAT_COME
from deckcheck.engine.games.sg_gwint.rules.board import lift, place
from deckcheck.engine.games.sg_gwint.rules.legal import legal_moves
from deckcheck.engine.games.sg_gwint.rules.moves import apply_move
from deckcheck.engine.games.sg_gwint.rules.scoring import lead
from deckcheck.engine.games.sg_gwint.rules.targets import may_stay
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Move, Player, Side, State

NEVER = -100_000
LATER = 2  # what a card on the own side is worth that will bring another one, in parts
# Abilities of a unit that change the position beyond its own row.
MORE = int(OF_UNITS_THAT_COME | Ability.GUARDIAN | Ability.TENACITY)


@jit
def keep_moves(x: Context, level: int, count: int) -> None:
    """Copy the list of moves, which trying overwrites."""
    for i in range(count):
        x.tried[level, i] = x.moves[i]


@jit
def restore_moves(x: Context, count: int) -> None:
    """Bring the list of moves back that was there before the trying."""
    for i in range(count):
        x.moves[i] = x.tried[0, i]


@jit
def position_value(s: State, x: Context, player: Player) -> int:
    """The lead, with cards in hand at `CARD` each and what is to be had later."""
    value = lead(s, player)
    for who in range(2):
        sign = 1 if who == player else -1
        value += sign * hand_value(s, x, who)
        if s.lives[0] + s.lives[1] > 2:
            value += sign * promise(s, x, who)
    return value


@jit
def hand_value(s: State, x: Context, player: Player) -> int:
    """Cards in hand: those that both have seen for what they are."""
    count = s.n_hand[player]
    if s.phase == Phase.EXCHANGE and s.turn == player:
        count -= 1
    value = count * CARD
    for i in range(s.n_hand[player]):
        if s.seen[player, i]:
            value += card_worth(s, x, player, s.hand[player, i]) - CARD
    return value


@jit
def promise(s: State, x: Context, side: Side) -> int:
    """Half of what units of a side will bring to the next round."""
    value = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.ability[card] & Ability.GUARDIAN:
                value += x.strength[x.summoned[card]]
            if may_stay(s, x, side, row, i):
                value += x.strength[card] + s.extra[side, row, i]
    return value // LATER


@jit
def is_open(s: State, player: Player) -> bool:
    """Whether the player still has to choose something for what was played."""
    return s.turn == player and (
        (s.phase >= Phase.LAND and s.phase <= Phase.MOVE_TO)
        or (s.phase >= Phase.FROM_DECK and s.phase <= Phase.SKY_ROW)
    )


@jit
def finish(x: Context, player: Player) -> None:
    """Make the choices that are open in the second copy, each the best at sight."""
    while is_open(x.trial[1], player):
        count = legal_moves(x.trial[1], x)
        keep_moves(x, 2, count)
        best, best_value = x.tried[2, 0], NEVER
        for i in range(count):
            copy_game(x.trial[2], x.trial[1], x)
            apply_move(x.trial[2], x, x.tried[2, i])
            value = position_value(x.trial[2], x, player)
            if value > best_value:
                best, best_value = x.tried[2, i], value
        apply_move(x.trial[1], x, best)


@jit
def follow(x: Context, player: Player) -> None:
    """Make the choices that are open in the first copy, with a look at the next."""
    while is_open(x.trial[0], player):
        count = legal_moves(x.trial[0], x)
        keep_moves(x, 1, count)
        best, best_value = x.tried[1, 0], NEVER
        for i in range(count):
            copy_game(x.trial[1], x.trial[0], x)
            apply_move(x.trial[1], x, x.tried[1, i])
            finish(x, player)
            value = position_value(x.trial[1], x, player)
            if value > best_value:
                best, best_value = x.tried[1, i], value
        apply_move(x.trial[0], x, best)


@jit
def move_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """By how much the lead grows with a move; cards that it draws count `CARD` each.

    The card that is played counts nothing: its worth is weighed elsewhere.
    """
    verb, card = move_verb(move), move_card(move)
    if verb == Verb.PLAY and x.kind[card] <= Kind.GOLD and not x.ability[card] & MORE:
        return laying_gain(s, x, player, move)
    before = position_value(s, x, player)
    copy_game(x.trial[0], s, x)
    apply_move(x.trial[0], x, move)
    follow(x, player)
    gain = position_value(x.trial[0], x, player) - before
    if verb == Verb.PLAY:
        gain += played_value(s, x, player, card)
    return gain


@jit
def played_value(s: State, x: Context, player: Player, card: Card) -> int:
    """What a card counted in the hand that it was played from."""
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card and s.seen[player, i]:
            return card_worth(s, x, player, card)
    return CARD


@jit
def laying_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """The gain of a unit that does nothing beyond its row."""
    side, row = move_who(move), move_row(move)
    before, ident = s.total[side, row], s.last_ident
    place(s, x, side, row, move_card(move))
    gain = s.total[side, row] - before
    lift(s, side, row, s.n_row[side, row] - 1)
    s.total[side, row] = before
    s.last_ident = ident
    return gain if side == player else -gain
