"""The view of a table from one seat: a duel with the rival, the others, the points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deckcheck.engine.games.gwent.players.free_for_all import beaten
from deckcheck.engine.games.gwent.players.seeing import features as duel
from deckcheck.engine.games.gwent.players.seeing.opposing import choose_rivals, rival
from deckcheck.engine.games.gwent.players.seeing.others import OTHERS, put_others
from deckcheck.engine.games.gwent.rules.free_for_all import scores_against, target
from deckcheck.engine.games.gwent.rules.seats import TWO, has_many_sides, players
from deckcheck.engine.jit import dispatch, jit
from deckcheck.engine.seeing.stages import STAGES as DUEL_STAGES
from deckcheck.engine.seeing.stages import life_stage, round_stage
from deckcheck.engine.seeing.writing import flag, put
from deckcheck.engine.types import Context, Player, State, Workspace

POINTS = 22
FEATURES = duel.FEATURES + OTHERS + POINTS
FEWEST, MOST = 3, 5  # players of a free-for-all
STAGES = DUEL_STAGES + (MOST - FEWEST + 1) * 2 * 3


@jit
def table_features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees to `q.features`; returns the stage of the game."""
    choose_rivals(s, x, q, player)
    at = duel.put_duel(s, x, q, player)
    at = put_others(s, x, q, player, at)
    put_points(s, x, q, player, at)
    return stage(s, x, q, player)


@jit
def stage(s: State, x: Context, q: Workspace, player: Player) -> int:
    """The stage: of teams as in a duel, else by players, points and passes."""
    passed = round_stage(s.passed, player, rival(s, q, player))
    if not has_many_sides(s, x):
        own = x.side[player]
        return 3 * life_stage(s.gems, own, 1 - own) + passed
    kind = 2 * (min(max(players(s, x), FEWEST), MOST) - FEWEST) + may_end(s, x)
    return DUEL_STAGES + 3 * kind + passed


@jit
def may_end(s: State, x: Context) -> bool:
    """Whether somebody has as many points as a round may add to win the game."""
    for other in range(players(s, x)):
        if s.points[other] + players(s, x) - 1 >= target(s, x):
            return True
    return False


@jit
def put_points(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """The number of players, and points of a free-for-all, scored and in prospect."""
    count = players(s, x)
    many = has_many_sides(s, x)
    at = flag(q, at, not many)
    for size in range(FEWEST, MOST + 1):
        at = flag(q, at, many and count == size)
    if not many:
        for _ in range(POINTS - 4):
            at = put(q, at, 0)
        return at
    now = beaten(s, x, player, 0)
    own, best, second, before = s.points[player] + now, 0, 0, 0
    for other in range(count):
        if other != player:
            before = max(before, s.points[other])
            points = s.points[other] + beaten(s, x, other, 0)
            second = max(second, min(best, points))
            best = max(best, points)
    at = put(q, at, s.points[player])
    at = put(q, at, before)
    at = put(q, at, s.points[player] - before)
    at = put(q, at, now)
    at = flag(q, at, now == count - 1)
    at = put(q, at, sure_points(s, x, player))
    at = put(q, at, own - best)
    at = put(q, at, own - second)
    at = put(q, at, target(s, x) - own)
    at = put(q, at, target(s, x) - best)
    at = flag(q, at, own >= target(s, x) and own > best)
    at = flag(q, at, best >= target(s, x) and best > own)
    at = flag(q, at, own >= target(s, x) and own == best)
    for step in range(-1, 4):
        at = flag(q, at, own - best >= step)
    return at


@jit
def sure_points(s: State, x: Context, player: Player) -> int:
    """How many of those who have passed are beaten."""
    count = 0
    for other in range(players(s, x)):
        if other != player and s.passed[other]:
            count += scores_against(s, x, player, other)
    return count


def seen(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write features: those of a duel in its record, those of a table in the other."""
    is_duel = s.leader.shape[0] == TWO
    return (duel.features if is_duel else table_features)(s, x, q, player)


def implementation(s: Any, x: Any, q: Any, player: Any) -> Callable[..., Any]:
    """What compiled calls of `seen` go to."""
    is_duel = s.fields["leader"].type.shape[0] == TWO
    chosen: Any = duel.features if is_duel else table_features
    return chosen.py_func


dispatch(seen, implementation)
