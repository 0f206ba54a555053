"""Whom a seat plays against: in a duel the other one, at a table the rival.

The view of a seat is that of a duel with the rival; `others` adds the rest of a table.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.games.gwent.rules.seats import TWO, players
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, Side, State, Workspace

STILL_IN = 1 << 20  # of those who have not passed, the strongest is the rival
BY_TOTAL = 1 << 8  # then the number of cards in hand


@jit
def side_of(s: State, x: Context, player: Player) -> Side:
    """The side of a player; in a duel both have the same number."""
    return player if s.leader.shape[0] == TWO else x.side[player]


@jit
def rival(s: State, q: Workspace, player: Player) -> Player:
    """Whom a player is compared with."""
    return 1 - player if s.leader.shape[0] == TWO else q.rival[player]


@jit
def is_read(s: State, x: Context, q: Workspace, player: Player, seat: Player) -> bool:
    """Whether the cards of a seat are valued: own ones, a partner's, the rival's."""
    if s.leader.shape[0] == TWO:
        return True
    return seat == q.rival[player] or x.side[seat] == x.side[player]


@jit
def weight_of(s: State, x: Context, other: Player) -> int:
    """How strong an opponent is: still in the round, by total, then by cards."""
    weight = side_total(s, x.side[other]) * BY_TOTAL + s.n_hand[other]
    return weight if s.passed[other] else weight + STILL_IN


@jit
def choose_rivals(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Choose the rival at a table: the strongest opponent who is still in the round.

    For the opponents it is the player who looks.
    """
    best, best_weight = player, -1
    for step in range(1, players(s, x)):
        other = (player + step) % players(s, x)
        if x.side[other] != x.side[player]:
            weight = weight_of(s, x, other)
            if weight > best_weight:
                best, best_weight = other, weight
    for other in range(players(s, x)):
        q.rival[other] = best if x.side[other] == x.side[player] else player
