"""Features of a seat that everybody can see."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import (
    FactionAbility,
    Leader,
    LeaderState,
    Slot,
)
from deckcheck.engine.games.gwent.players.seeing.gains import (
    best_horn,
    row_scorch,
    weather_swing,
)
from deckcheck.engine.games.gwent.players.seeing.opposing import side_of
from deckcheck.engine.games.gwent.rules.leaders.horns import horn_row
from deckcheck.engine.games.gwent.rules.leaders.scorches import scorched_row
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.sides import average_pair, average_unit
from deckcheck.engine.seeing.writing import flag, put
from deckcheck.engine.types import Context, Player, Row, State, Workspace

FACTIONS, LEADERS = len(FactionAbility), len(Leader)
ROW, SIDE, MEANS = 11, 12, 10
SEAT = 3 * ROW + SIDE + MEANS + FACTIONS + LEADERS
"""How many features a seat has."""


@jit
def put_seat(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """Its rows, its side and its pile, its hand, gems and leader."""
    for row in range(3):
        at = put_row(s, x, q, seat, row, at)
    at = put_side(s, x, q, seat, at)
    at = put_means(s, x, q, seat, at)
    for i in range(FACTIONS + LEADERS):
        q.features[at + i] = 0
    q.features[at + x.faction_ability[seat]] = 1
    state = s.leader_state[seat]
    if state == LeaderState.READY or state == LeaderState.PASSIVE:
        q.features[at + FACTIONS + s.leader[seat]] = 1
    return at + FACTIONS + LEADERS


@jit
def put_row(s: State, x: Context, q: Workspace, seat: Player, row: Row, at: int) -> int:
    """Strength and units of a row, and what would change them."""
    side = side_of(s, x, seat)
    at = put(q, at, s.total[side, row])
    at = put(q, at, q.units[side, row])
    at = put(q, at, q.printed[side, row])
    at = put(q, at, q.now[side, row])
    at = put(q, at, q.fade[side, row])
    at = put(q, at, q.morale[side, row])
    at = put(q, at, q.horned[side, row])
    at = flag(q, at, s.slot[side, row] == Slot.EMPTY)
    at = put(q, at, 0 if q.horned[side, row] else q.now[side, row])
    at = put(q, at, row_scorch(s, x, q, seat, row))
    return put(q, at, weather_swing(s, x, q, seat, row))


@jit
def put_side(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """What Scorch and Decoys find on the side, and medics in the pile."""
    side = side_of(s, x, seat)
    at = put(q, at, side_total(s, side))
    at = put(q, at, q.scorched[side])
    at = put(q, at, q.spies[side])
    at = put(q, at, q.spy_cost[side])
    at = put(q, at, q.medics[side])
    at = put(q, at, q.pending[side])
    at = put(q, at, best_horn(s, x, q, seat))
    at = put(q, at, q.dead[seat])
    at = put(q, at, q.dead_strength[seat])
    at = put(q, at, q.dead_spies[seat])
    at = put(q, at, q.revival[seat])
    return put(q, at, q.second_revival[seat])


@jit
def put_means(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """What is left of cards, gems and redraws, and what faction and leader bring."""
    at = put(q, at, s.n_hand[seat])
    at = put(q, at, s.n_deck[seat])
    at = put(q, at, s.gems[side_of(s, x, seat)])
    at = put(q, at, s.passed[seat])
    at = put(q, at, kept_unit(s, x, q, seat))
    at = put(q, at, returning_units(s, x, q, seat))
    at = put(q, at, s.redraws[seat])
    at = flag(q, at, s.leader_state[seat] == LeaderState.READY)
    at = put(q, at, leader_gain(s, x, q, seat))
    return put(q, at, s.half_weather[side_of(s, x, seat)])


@jit
def kept_unit(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """The average strength of a unit that Monsters keep."""
    if x.faction_ability[seat] != FactionAbility.KEEP_ONE_UNIT:
        return 0
    return average_unit(q, side_of(s, x, seat))


@jit
def returning_units(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """The average strength of two units that would return to Skellige in round 3."""
    if x.faction_ability[seat] != FactionAbility.RETURN_TWO_UNITS or s.round_no > 2:
        return 0
    return average_pair(q, seat)


@jit
def leader_gain(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """What a horn or a scorch of the leader would bring now."""
    if s.leader_state[seat] != LeaderState.READY:
        return 0
    row = horn_row(s.leader[seat])
    if row >= 0:
        side = side_of(s, x, seat)
        return 0 if q.horned[side, row] else q.now[side, row]
    row = scorched_row(s.leader[seat])
    return row_scorch(s, x, q, seat, row) if row >= 0 else 0
