"""What a seat sees of a duel as whole numbers: the input of a learned value.

Nothing here reads a hidden card: of the enemy's hand and deck only what is known of
them together counts, both lists being open, and of decks never the order.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import (
    FactionAbility,
    Leader,
    LeaderState,
    Phase,
    Slot,
)
from deckcheck.engine.games.gwent.players.seeing.gains import (
    best_horn,
    row_scorch,
    weather_swing,
)
from deckcheck.engine.games.gwent.players.seeing.heaps import (
    PART,
    clear_heaps,
    read_discards,
    read_enemy_cards,
    read_own_cards,
    sum_families,
)
from deckcheck.engine.games.gwent.players.seeing.roles import ROLES, ZONE, Role
from deckcheck.engine.games.gwent.players.seeing.rows import read_rows
from deckcheck.engine.games.gwent.rules.leaders.horns import horn_row
from deckcheck.engine.games.gwent.rules.leaders.scorches import scorched_row
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State, Workspace

__all__ = ["FEATURES", "LIMIT", "STAGES", "features"]

LIMIT = 255  # no feature is larger than this, nor smaller than its negative
FACTIONS = len(FactionAbility)
LEADERS = len(Leader)
STEPS = (-40, -30, -22, -16, -12, -8, -5, -3, -1, 0, 1, 2, 4, 6, 9, 13, 17, 23, 31, 41)
SEAT = 55 + FACTIONS + LEADERS
FEATURES = 4 * ZONE + 2 * SEAT + 35 + 3 + 3 * len(STEPS) + 39
STAGES = 12


@jit
def put(q: Workspace, at: int, value: int) -> int:
    """Write a feature, within its limits; returns the next place."""
    q.features[at] = max(-LIMIT, min(LIMIT, value))
    return at + 1


@jit
def flag(q: Workspace, at: int, holds: bool) -> int:
    """Write a feature that is 1 or 0; returns the next place."""
    q.features[at] = 1 if holds else 0
    return at + 1


@jit
def stage(s: State, player: Player) -> int:
    """Which stage of a game this is: by gems, and by who has passed."""
    gems = 2 * (s.gems[player] <= 1) + (s.gems[1 - player] <= 1)
    passed = 0
    if s.passed[1 - player]:
        passed = 1
    elif s.passed[player]:
        passed = 2
    return 3 * gems + passed


@jit
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees to `q.features`; returns the stage of the game."""
    look(s, x, q, player)
    enemy = 1 - player
    at = put_heaps(q, 0)
    at = put_seat(s, x, q, player, at)
    at = put_seat(s, x, q, enemy, at)
    at = put_gains(q, at)
    at = put_table(s, q, player, at)
    put_race(s, x, q, player, at)
    return stage(s, player)


@jit
def look(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Sum up rows, piles, hands and decks."""
    clear_heaps(q)
    read_rows(s, x, q)
    for each in range(2):
        q.dead_spies[each] = 0
        q.revival[each] = 0
        sum_families(s, x, q, each, 1)
        read_discards(s, x, q, each)
    read_own_cards(s, x, q, player)
    read_enemy_cards(s, x, q, player)
    for each in range(2):
        sum_families(s, x, q, each, -1)
    expect_enemy(s, q, 1 - player)


@jit
def expect_enemy(s: State, q: Workspace, enemy: Player) -> None:
    """Gains to be expected of the enemy's hand: of its known cards and of the rest."""
    q.unknown = s.n_hand[enemy] - q.known
    q.unseen = max(q.unknown + s.n_deck[enemy], 1)
    big = PART * q.gains[3, 4] * q.unknown // q.unseen
    q.expected = q.gains[2, 0] + q.gains[3, 0] * q.unknown // q.unseen
    q.expected_worth = q.known_worth + q.gains[4, 0] * q.unknown // q.unseen
    q.expected_big = PART * q.gains[2, 4] + big


@jit
def put_heaps(q: Workspace, at: int) -> int:
    """Own hand and deck; what is in the enemy's hand and deck, as expected."""
    for i in range(ZONE):
        at = put(q, at, q.heap[0, i])
    for i in range(ZONE):
        at = put(q, at, q.heap[1, i])
    for i in range(ZONE):
        part = PART if i < ROLES else 1
        inside = 0
        if q.heap[3, i] != 0:
            inside = part * q.heap[3, i] * q.unknown // q.unseen
        put(q, at + i, part * q.heap[2, i] + inside)
        put(q, at + ZONE + i, part * q.heap[3, i] - inside)
    return at + 2 * ZONE


@jit
def put_seat(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """What everybody sees of a seat: its side of the board, its pile, its leader."""
    for row in range(3):
        at = put(q, at, s.total[seat, row])
        at = put(q, at, q.units[seat, row])
        at = put(q, at, q.printed[seat, row])
        at = put(q, at, q.now[seat, row])
        at = put(q, at, q.fade[seat, row])
        at = put(q, at, q.morale[seat, row])
        at = put(q, at, q.horned[seat, row])
        at = flag(q, at, s.slot[seat, row] == Slot.EMPTY)
        at = put(q, at, 0 if q.horned[seat, row] else q.now[seat, row])
        at = put(q, at, row_scorch(s, q, seat, row))
        at = put(q, at, weather_swing(q, seat, row))
    at = put(q, at, side_total(s, seat))
    at = put(q, at, q.scorched[seat])
    at = put(q, at, q.spies[seat])
    at = put(q, at, q.spy_cost[seat])
    at = put(q, at, q.medics[seat])
    at = put(q, at, q.pending[seat])
    at = put(q, at, best_horn(s, q, seat))
    at = put(q, at, q.dead[seat])
    at = put(q, at, q.dead_strength[seat])
    at = put(q, at, q.dead_spies[seat])
    at = put(q, at, q.revival[seat])
    at = put(q, at, q.second_revival[seat])
    at = put(q, at, s.n_hand[seat])
    at = put(q, at, s.n_deck[seat])
    at = put(q, at, s.gems[seat])
    at = put(q, at, s.passed[seat])
    at = put(q, at, kept_unit(s, x, q, seat))
    at = put(q, at, returning_units(s, x, q, seat))
    at = put(q, at, s.redraws[seat])
    at = flag(q, at, s.leader_state[seat] == LeaderState.READY)
    at = put(q, at, leader_gain(s, q, seat))
    at = put(q, at, s.half_weather[seat])
    for i in range(FACTIONS):
        at = flag(q, at, x.faction_ability[seat] == i)
    state = s.leader_state[seat]
    in_force = state == LeaderState.READY or state == LeaderState.PASSIVE
    for i in range(LEADERS):
        at = flag(q, at, in_force and s.leader[seat] == i)
    return at


@jit
def kept_unit(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """The average strength of a unit that Monsters keep."""
    if x.faction_ability[seat] != FactionAbility.KEEP_ONE_UNIT:
        return 0
    units = q.units[seat, 0] + q.units[seat, 1] + q.units[seat, 2]
    printed = q.printed[seat, 0] + q.printed[seat, 1] + q.printed[seat, 2]
    return printed // max(units, 1)


@jit
def returning_units(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """The average strength of two units that would return to Skellige in round 3."""
    if x.faction_ability[seat] != FactionAbility.RETURN_TWO_UNITS or s.round_no > 2:
        return 0
    return 2 * q.dead_strength[seat] // max(q.dead[seat], 1)


@jit
def leader_gain(s: State, q: Workspace, seat: Player) -> int:
    """What a horn or a scorch of the leader would bring now."""
    if s.leader_state[seat] != LeaderState.READY:
        return 0
    row = horn_row(s.leader[seat])
    if row >= 0:
        return 0 if q.horned[seat, row] else q.now[seat, row]
    row = scorched_row(s.leader[seat])
    return row_scorch(s, q, seat, row) if row >= 0 else 0


@jit
def put_gains(q: Workspace, at: int) -> int:
    """What cards bring: sum, the three best, how many are large, fair and small."""
    for of in range(q.gains.shape[0]):
        for i in range(q.gains.shape[1]):
            at = put(q, at, q.gains[of, i])
    return at


@jit
def put_table(s: State, q: Workspace, player: Player, at: int) -> int:
    """Weather, turn and round, and what is known of hands."""
    for row in range(3):
        at = put(q, at, q.weathered[row])
    enemy = 1 - player
    own_turn = s.turn == player
    at = flag(q, at, own_turn and s.phase == Phase.PLAY)
    at = flag(q, at, s.phase == Phase.REDRAW)
    at = flag(q, at, s.round_no == 1)
    at = flag(q, at, s.round_no == 2)
    at = flag(q, at, s.round_no >= 3)
    at = flag(q, at, s.starter == player)
    at = put(q, at, s.double_spies)
    at = put(q, at, s.random_revival)
    at = put(q, at, q.exposed)
    at = put(q, at, q.known)
    at = put(q, at, q.doubled)
    at = put(q, at, q.bonded)
    at = put(q, at, q.mustered)
    at = put(q, at, q.known_worth)
    at = put(q, at, q.expected_worth)
    at = put(q, at, q.gains[1, 0] + q.bonded + q.mustered - q.expected_worth)
    at = put(q, at, horn_to_come(s, q, player))
    at = put(q, at, q.strongest)
    at = put(q, at, q.scorched[enemy] - q.scorched[player])
    edge = s.n_hand[player] - s.n_hand[enemy]
    for step in range(-3, 4):
        at = flag(q, at, edge >= step)
    at = flag(q, at, s.n_hand[player] == 0)
    return flag(q, at, s.n_hand[enemy] == 0)


@jit
def horn_to_come(s: State, q: Workspace, player: Player) -> int:
    """What a horn in hand could bring: the best row, with what the hand has for it."""
    if q.heap[0, Role.HORN.value] == 0:
        return 0
    best = 0
    for row in range(3):
        if s.slot[player, row] == Slot.EMPTY and not q.horned[player, row]:
            best = max(best, q.now[player, row] + q.heap[0, ROLES + row])
    return best


@jit
def put_race(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """Who leads, and who could come to lead with the cards in hand, in steps."""
    enemy = 1 - player
    lead = side_total(s, player) - side_total(s, enemy)
    lead += x.faction_ability[player] == FactionAbility.WIN_TIES
    lead -= x.faction_ability[enemy] == FactionAbility.WIN_TIES
    at = put(q, at, lead)
    balance = lead
    if not s.passed[player]:
        balance += q.gains[0, 0]
    if not s.passed[enemy]:
        balance -= q.expected
    at = put(q, at, balance)
    at = put(q, at, q.expected)
    at = put(q, at, q.expected_big)
    reach = lead
    if s.passed[enemy] and not s.passed[player]:
        reach = lead + q.gains[0, 1]
    elif s.passed[player] and not s.passed[enemy]:
        reach = lead - max(q.gains[2, 1], q.gains[3, 1])
    at = put(q, at, reach)
    at = put(q, at, lead + q.gains[0, 1] + q.gains[0, 2])
    at = flag(q, at, s.passed[enemy] != 0 and lead + q.gains[0, 1] > 0)
    at = flag(q, at, s.passed[enemy] != 0 and lead + q.gains[0, 1] + q.gains[0, 2] > 0)
    at = flag(q, at, s.passed[enemy] != 0 and lead + q.gains[0, 0] > 0)
    at = flag(q, at, s.passed[player] != 0 and lead > q.expected)
    at = flag(q, at, s.passed[player] != 0 and reach > 0)
    for step in STEPS:
        at = flag(q, at, lead >= step)
    for step in STEPS:
        at = flag(q, at, balance >= step)
    for step in STEPS:
        at = flag(q, at, reach >= step)
    return at
