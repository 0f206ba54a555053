"""How a round may end: the lead, what it may become, and flags for their steps."""

from __future__ import annotations

from deckcheck.engine.games.gwent.players.seeing.race import STEPS, put_steps
from deckcheck.engine.games.gwent.players.seeing.writing import flag, put
from deckcheck.engine.games.sg_gwint.players.heuristic import wins_ties
from deckcheck.engine.games.sg_gwint.players.seeing.choices import open_gain
from deckcheck.engine.games.sg_gwint.rules.scoring import lead
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State, Workspace

FIGURES = 12
RACE = FIGURES + 3 * len(STEPS)
"""How many features the race has."""


@jit
def put_race(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """The lead, and what it could become with the cards in hand: in steps too."""
    chosen = open_gain(s, x, q, player)
    ahead = lead(s, player) + wins_ties(x, player) - wins_ties(x, 1 - player) + chosen
    balance = ahead
    if not s.passed[player]:
        balance += q.gains[0, 0]
    if not s.passed[1 - player]:
        balance -= q.expected
    reach = lead_within_reach(s, q, player, ahead)
    at = put(q, at, chosen)
    at = put(q, at, ahead)
    at = put(q, at, balance)
    at = put(q, at, q.expected)
    at = put(q, at, q.expected_big)
    at = put(q, at, reach)
    at = put_end(s, q, player, ahead, reach, at)
    at = put_steps(q, at, ahead)
    at = put_steps(q, at, balance)
    return put_steps(q, at, reach)


@jit
def lead_within_reach(s: State, q: Workspace, player: Player, ahead: int) -> int:
    """The lead after the best card of the only one who is still in the round."""
    enemy = 1 - player
    if s.passed[enemy] and not s.passed[player]:
        return ahead + q.gains[0, 1]
    if s.passed[player] and not s.passed[enemy]:
        return ahead - max(q.gains[2, 1], q.gains[3, 1])
    return ahead


@jit
def put_end(
    s: State, q: Workspace, player: Player, ahead: int, reach: int, at: int
) -> int:
    """Whether a round that one of them has left can be won, with how many cards."""
    alone = s.passed[1 - player] != 0
    one = ahead + q.gains[0, 1]
    two = one + q.gains[0, 2]
    at = put(q, at, two)
    at = flag(q, at, alone and one > 0)
    at = flag(q, at, alone and two > 0)
    at = flag(q, at, alone and ahead + q.gains[0, 0] > 0)
    at = flag(q, at, s.passed[player] != 0 and ahead > q.expected)
    return flag(q, at, s.passed[player] != 0 and reach > 0)
