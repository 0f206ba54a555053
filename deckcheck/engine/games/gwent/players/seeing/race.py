"""The leader, and who could take the lead, as features."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import FactionAbility
from deckcheck.engine.games.gwent.players.seeing.writing import flag, put
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State, Workspace

STEPS = (-40, -30, -22, -16, -12, -8, -5, -3, -1, 0, 1, 2, 4, 6, 9, 13, 17, 23, 31, 41)
FIGURES = 11
RACE = FIGURES + 3 * len(STEPS)
"""How many features the race has."""


@jit
def put_race(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """The lead, and what it could become with the cards in hand: in steps too."""
    lead = counted_lead(s, x, player)
    balance = lead
    if not s.passed[player]:
        balance += q.gains[0, 0]
    if not s.passed[1 - player]:
        balance -= q.expected
    reach = lead_within_reach(s, q, player, lead)
    at = put(q, at, lead)
    at = put(q, at, balance)
    at = put(q, at, q.expected)
    at = put(q, at, q.expected_big)
    at = put(q, at, reach)
    at = put_end(s, q, player, lead, reach, at)
    at = put_steps(q, at, lead)
    at = put_steps(q, at, balance)
    return put_steps(q, at, reach)


@jit
def counted_lead(s: State, x: Context, player: Player) -> int:
    """The lead, one more for who wins ties."""
    enemy = 1 - player
    lead = side_total(s, player) - side_total(s, enemy)
    lead += x.faction_ability[player] == FactionAbility.WIN_TIES
    lead -= x.faction_ability[enemy] == FactionAbility.WIN_TIES
    return lead


@jit
def lead_within_reach(s: State, q: Workspace, player: Player, lead: int) -> int:
    """The lead after the best card of the only one who is still in the round."""
    enemy = 1 - player
    if s.passed[enemy] and not s.passed[player]:
        return lead + q.gains[0, 1]
    if s.passed[player] and not s.passed[enemy]:
        return lead - max(q.gains[2, 1], q.gains[3, 1])
    return lead


@jit
def put_end(
    s: State, q: Workspace, player: Player, lead: int, reach: int, at: int
) -> int:
    """Whether a round that one of them has left can be won, with how many cards."""
    alone = s.passed[1 - player] != 0
    one = lead + q.gains[0, 1]
    two = one + q.gains[0, 2]
    at = put(q, at, two)
    at = flag(q, at, alone and one > 0)
    at = flag(q, at, alone and two > 0)
    at = flag(q, at, alone and lead + q.gains[0, 0] > 0)
    at = flag(q, at, s.passed[player] != 0 and lead > q.expected)
    return flag(q, at, s.passed[player] != 0 and reach > 0)


@jit
def put_steps(q: Workspace, at: int, value: int) -> int:
    """A flag for each step that a figure has come to."""
    for step in STEPS:
        at = flag(q, at, value >= step)
    return at
