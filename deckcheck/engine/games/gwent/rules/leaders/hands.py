"""The leader who looks into a hand (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Lot, Phase
from deckcheck.engine.games.gwent.rules.seats import opponent, opponents, players
from deckcheck.engine.games.gwent.rules.zones import known_mark
from deckcheck.engine.jit import jit
from deckcheck.engine.scripted import pick
from deckcheck.engine.types import Card, Context, Player, State

PEEKED = 3
JUST_SEEN = 1 << 8  # a mark in `seen` above those of the sides, while cards are picked


@jit
def enemy_holds_cards(s: State, x: Context, player: Player) -> bool:
    """Whether an opponent has a card in hand."""
    for other in range(players(s, x)):
        if x.side[other] != x.side[player] and s.n_hand[other] > 0:
            return True
    return False


@jit
def peek_at_opponent(s: State, x: Context, player: Player) -> None:
    """Look at the opponent's hand; of several the player chooses one (4.7.2)."""
    if opponents(s, x, player) > 1:
        s.phase = Phase.OPPONENT
    else:
        peek(s, x, player, opponent(s, x, player))


@jit
def peek(s: State, x: Context, player: Player, target: Player) -> None:
    """Emperor of Nilfgaard sees three random hand cards, all of them if fewer."""
    mark = known_mark(s, x, player)
    if s.n_hand[target] <= PEEKED:
        for i in range(s.n_hand[target]):
            s.seen[target, i] |= mark
        return
    for _ in range(PEEKED):
        count = 0
        for i in range(s.n_hand[target]):
            if not s.seen[target, i] & JUST_SEEN:
                x.pool[count] = s.hand[target, i]
                count += 1
        mark_seen(s, target, x.pool[pick(s, x, count, Lot.SEEN.value, player, 1)])
    for i in range(s.n_hand[target]):
        if s.seen[target, i] & JUST_SEEN:
            s.seen[target, i] = (s.seen[target, i] ^ JUST_SEEN) | mark


@jit
def mark_seen(s: State, target: Player, card: Card) -> None:
    """Mark one copy of `card` in the hand that was not seen a moment ago."""
    for i in range(s.n_hand[target]):
        if s.hand[target, i] == card and not s.seen[target, i] & JUST_SEEN:
            s.seen[target, i] |= JUST_SEEN
            return
