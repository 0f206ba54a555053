"""How a round may end: the lead, what it may become, and flags for their steps."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.writing import flag, put
from deckcheck.engine.types import Player, State, Workspace

STEPS = (-40, -30, -22, -16, -12, -8, -5, -3, -1, 0, 1, 2, 4, 6, 9, 13, 17, 23, 31, 41)
FIGURES = 11
RACE = FIGURES + 3 * len(STEPS)
"""How many features the race has."""


@jit
def put_race(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int, at: int
) -> int:
    """The lead, and what it could become with the cards in hand: in steps too."""
    balance = lead
    if not s.passed[player]:
        balance += q.gains[0, 0]
    if not s.passed[enemy]:
        balance -= q.expected
    reach = lead_within_reach(s, q, player, enemy, lead)
    at = put(q, at, lead)
    at = put(q, at, balance)
    at = put(q, at, q.expected)
    at = put(q, at, q.expected_big)
    at = put(q, at, reach)
    at = put_end(s, q, player, enemy, lead, at)
    at = flag(q, at, s.passed[player] != 0 and reach > 0)
    at = put_steps(q, at, lead)
    at = put_steps(q, at, balance)
    return put_steps(q, at, reach)


@jit
def lead_within_reach(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int
) -> int:
    """The lead after the best card of the only one who is still in the round."""
    if s.passed[enemy] and not s.passed[player]:
        return lead + q.gains[0, 1]
    if s.passed[player] and not s.passed[enemy]:
        return lead - max(q.gains[2, 1], q.gains[3, 1])
    return lead


@jit
def put_end(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int, at: int
) -> int:
    """Whether a round that one of them has left can be won, with how many cards."""
    alone = s.passed[enemy] != 0
    one = lead + q.gains[0, 1]
    two = one + q.gains[0, 2]
    at = put(q, at, two)
    at = flag(q, at, alone and one > 0)
    at = flag(q, at, alone and two > 0)
    at = flag(q, at, alone and lead + q.gains[0, 0] > 0)
    return flag(q, at, s.passed[player] != 0 and lead > q.expected)


@jit
def put_steps(q: Workspace, at: int, value: int) -> int:
    """A flag for each step that a figure has come to."""
    for step in STEPS:
        at = flag(q, at, value >= step)
    return at


@jit
def put_edge(s: State, q: Workspace, player: Player, enemy: Player, at: int) -> int:
    """By how many cards the player is ahead in hand, and whether a hand is empty."""
    edge = s.n_hand[player] - s.n_hand[enemy]
    for step in range(-3, 4):
        at = flag(q, at, edge >= step)
    at = flag(q, at, s.n_hand[player] == 0)
    return flag(q, at, s.n_hand[enemy] == 0)
