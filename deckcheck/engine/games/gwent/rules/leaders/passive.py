"""Passive leaders, and who is ready, passive or void at the start (rules 1.9).

White Flame is here. What the marks of the others do is where they are read: spies and
weather in `scoring`, revival in `abilities`, the opening card in `setup`.
"""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Leader, LeaderState
from deckcheck.engine.games.gwent.rules.seats import opponents, players
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State


@jit
def set_up_leaders(s: State, x: Context) -> None:
    """Leaders at the start: ready or passive; White Flame voids others (1.9.5).

    Where one of several is voided (4.7.2), the player chooses later: `next_voider`.
    """
    s.voiding = 0
    for player in range(players(s, x)):
        s.leader[player] = x.leader[player]
        s.leader_state[player] = (
            LeaderState.PASSIVE if x.passive[player] else LeaderState.READY
        )
    for player in range(players(s, x)):
        if x.leader[player] == Leader.CANCEL_ENEMY_LEADER:
            if not chooses_whom_to_void(s, x, player):
                void_leaders(s, x, player)
    note_passive_leaders(s, x)


@jit
def chooses_whom_to_void(s: State, x: Context, player: Player) -> bool:
    """Whether White Flame voids one of several leaders: rules 4.7.2, against 5.5.8."""
    return (
        not x.flame_voids_all
        and not x.flame_voids_opponents
        and opponents(s, x, player) > 1
    )


@jit
def void_leaders(s: State, x: Context, player: Player) -> None:
    """All other leaders are void, or by option only those of the opponents."""
    for other in range(players(s, x)):
        is_partner = other != player and x.side[other] == x.side[player]
        if other != player and (x.flame_voids_all or not is_partner):
            s.leader_state[other] = LeaderState.VOID


@jit
def next_voider(s: State, x: Context) -> Player:
    """The next player who chooses a leader to void, clockwise from the coin; or -1."""
    count = players(s, x)
    while s.voiding < count:
        player = (x.coin + s.voiding) % count
        s.voiding += 1
        if x.leader[player] == Leader.CANCEL_ENEMY_LEADER:
            if chooses_whom_to_void(s, x, player):
                return player
    return -1


@jit
def void_leader(s: State, x: Context, who: Player) -> None:
    """White Flame voids the leader of the player `who`, active or passive."""
    s.leader_state[who] = LeaderState.VOID
    note_passive_leaders(s, x)


@jit
def note_passive_leaders(s: State, x: Context) -> None:
    """Set the marks of the passive leaders that are in force."""
    s.double_spies = 0
    s.random_revival = 0
    for player in range(players(s, x)):
        s.half_weather[x.side[player]] = 0
        s.extra_card[player] = 0
    for player in range(players(s, x)):
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
            elif leader != Leader.CANCEL_ENEMY_LEADER:
                raise UnplayedCode("passive leader")
