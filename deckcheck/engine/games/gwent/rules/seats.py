"""The seats of the table: numbers of players and sides, opponents and partners.

In the record for two players the numbers are literals, so that compiled loops over
players and sides are unrolled; in the record for up to five they are in the context.
"""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, Side, State

TWO = 2


@jit
def players(s: State, x: Context) -> int:
    """How many players there are."""
    return TWO if s.leader.shape[0] == TWO else x.n_players


@jit
def sides(s: State, x: Context) -> int:
    """How many sides the board has."""
    return TWO if s.n_row.shape[0] == TWO else x.n_sides


@jit
def has_many_sides(s: State, x: Context) -> bool:
    """Whether it is a free-for-all: more than two sides."""
    return sides(s, x) > TWO


@jit
def enemy_side(s: State, x: Context, side: Side) -> Side:
    """The only other side of the board, -1 if there are several."""
    return 1 - side if sides(s, x) == TWO else -1


@jit
def opponent(s: State, x: Context, player: Player) -> Player:
    """The only opponent of a player, -1 if there are several."""
    return 1 - player if players(s, x) == TWO else -1


@jit
def opponents(s: State, x: Context, player: Player) -> int:
    """How many opponents a player has."""
    if players(s, x) == TWO:
        return 1
    count = 0
    for other in range(players(s, x)):
        count += x.side[other] != x.side[player]
    return count


@jit
def partner(s: State, x: Context, player: Player) -> Player:
    """The other player of the side; without one, the player."""
    for other in range(players(s, x)):
        if other != player and x.side[other] == x.side[player]:
            return other
    return player


@jit
def first_member(s: State, x: Context, side: Side) -> Player:
    """The first player of a side, by seats."""
    for player in range(players(s, x)):
        if x.side[player] == side:
            return player
    return -1


@jit
def note_member(s: State, x: Context, starter: Player) -> None:
    """A player starts a round: the partner is next to start for the side (5.6.7)."""
    s.next_member[x.side[starter]] = partner(s, x, starter)


@jit
def starting_member(s: State, x: Context, side: Side) -> Player:
    """The player who starts the next round for a side: partners alternate (5.6.7)."""
    member = s.next_member[side]
    if member < 0 or x.same_member_starts:
        return first_member(s, x, side)
    return member


@jit
def others_passed(s: State, x: Context, side: Side) -> bool:
    """Whether all opponents of a side have passed."""
    for other in range(players(s, x)):
        if x.side[other] != side and not s.passed[other]:
            return False
    return True
