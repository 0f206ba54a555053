"""Features of a seat that everybody can see."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import FactionAbility, Leader, LeaderState
from deckcheck.engine.games.sg_gwint.players.seeing.gains import (
    best_lager,
    clear_swing,
    row_scorch,
    rows_swing,
    scorch_swing,
    weather_swing,
)
from deckcheck.engine.games.sg_gwint.players.worth import CARD
from deckcheck.engine.games.sg_gwint.rules.rounds import RETURN_ROUND
from deckcheck.engine.games.sg_gwint.rules.scoring import side_total
from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.sides import average_pair, average_unit
from deckcheck.engine.seeing.writing import flag, put
from deckcheck.engine.types import Context, Player, Row, State, Workspace

FACTIONS, LEADERS = len(FactionAbility), len(Leader)
ROW, SIDE, MEANS = 13, 13, 13
SEAT = 3 * ROW + SIDE + MEANS + FACTIONS + LEADERS
"""How many features a seat has."""


@jit
def put_seat(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """Its rows, its side and its graveyard, its hand, lives and leader."""
    for row in range(3):
        at = put_row(s, q, seat, row, at)
    at = put_side(s, q, seat, at)
    at = put_means(s, x, q, seat, at)
    for i in range(FACTIONS + LEADERS):
        q.features[at + i] = 0
    q.features[at + x.faction_ability[seat]] = 1
    if s.leader_state[seat] != LeaderState.USED:
        q.features[at + FACTIONS + x.leader[seat]] = 1
    return at + FACTIONS + LEADERS


@jit
def put_row(s: State, q: Workspace, seat: Player, row: Row, at: int) -> int:
    """Strength and units of a row, and what would change them."""
    at = put(q, at, s.total[seat, row])
    at = put(q, at, q.units[seat, row])
    at = put(q, at, q.printed[seat, row])
    at = put(q, at, q.now[seat, row])
    at = put(q, at, q.fade[seat, row])
    at = put(q, at, q.boost[seat, row])
    at = put(q, at, q.lagered[seat, row])
    at = put(q, at, q.weathered[seat, row])
    at = put(q, at, q.turned[seat, row])
    at = flag(q, at, s.slot[seat, row] == 0)
    at = put(q, at, q.lift[seat, row])
    at = put(q, at, row_scorch(s, q, seat, row))
    return put(q, at, weather_swing(q, seat, row))


@jit
def put_side(s: State, q: Workspace, seat: Player, at: int) -> int:
    """What Scorch and Decoys find on the side, and medics in the graveyard."""
    at = put(q, at, side_total(s, seat))
    at = put(q, at, q.scorched[seat])
    at = put(q, at, q.strongest[seat])
    at = put(q, at, q.saved[seat])
    at = put(q, at, q.pending[seat])
    at = put(q, at, q.staying[seat])
    at = put(q, at, q.turning[seat])
    at = put(q, at, best_lager(s, q, seat))
    at = put(q, at, clear_swing(q, seat))
    at = put(q, at, q.dead[seat])
    at = put(q, at, q.dead_strength[seat])
    at = put(q, at, q.revival[seat])
    return put(q, at, q.second_revival[seat])


@jit
def put_means(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """What is left of cards, lives and redraws, and what faction and leader bring."""
    at = put(q, at, s.n_hand[seat])
    at = put(q, at, s.n_deck[seat])
    at = put(q, at, s.lives[seat])
    at = put(q, at, s.passed[seat])
    at = put(q, at, kept_unit(s, x, q, seat))
    at = put(q, at, returning_units(s, x, q, seat))
    at = put(q, at, s.redraws[seat])
    at = flag(q, at, s.leader_state[seat] == LeaderState.READY)
    at = put(q, at, leader_gain(s, x, q, seat))
    at = put(q, at, s.n_linked[seat])
    at = put(q, at, s.choice_spent[seat])
    at = put(q, at, s.chooser[seat])
    return flag(q, at, s.starter == seat)


@jit
def kept_unit(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """The average strength of a unit that Monsters keep."""
    if x.faction_ability[seat] != FactionAbility.KEEP_ONE_UNIT:
        return 0
    return average_unit(q, seat)


@jit
def returning_units(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """The average strength of two units that would return to Skellige in round 3."""
    if x.faction_ability[seat] != FactionAbility.PLAY_TWO_UNITS:
        return 0
    if s.round_no >= RETURN_ROUND:
        return 0
    return average_pair(q, seat)


@jit
def leader_gain(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """About what the leader would bring now."""
    if s.leader_state[seat] != LeaderState.READY:
        return 0
    leader = x.leader[seat]
    if leader == Leader.WEATHER:
        return rows_swing(x, q, seat, x.leader_card[seat])
    if leader == Leader.CLEAR_WEATHER:
        return clear_swing(q, seat)
    if leader == Leader.SCORCH:
        return scorch_swing(q, seat)
    if leader == Leader.DRAW_CARDS:
        return CARD * min(x.leader_amount[seat], s.n_deck[seat])
    return q.fetched[seat]
