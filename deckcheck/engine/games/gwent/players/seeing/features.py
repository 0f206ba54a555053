"""The view of a duel from one seat as whole numbers: the input of a learned value.

Nothing here reads a hidden card: of the enemy's hand and deck only what is known of
them together counts, both lists being open, and of decks never the order.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Phase, Slot
from deckcheck.engine.games.gwent.players.seeing.gains import scorch_swing
from deckcheck.engine.games.gwent.players.seeing.heaps import (
    clear_heaps,
    read_discards,
    read_enemy_cards,
    read_own_cards,
    sum_families,
)
from deckcheck.engine.games.gwent.players.seeing.opposing import (
    is_read,
    rival,
    side_of,
)
from deckcheck.engine.games.gwent.players.seeing.race import counted_lead
from deckcheck.engine.games.gwent.players.seeing.roles import ROLES, ZONE, Role
from deckcheck.engine.games.gwent.players.seeing.rows import read_rows
from deckcheck.engine.games.gwent.players.seeing.sides import SEAT, put_seat
from deckcheck.engine.games.gwent.rules.seats import players
from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.heaps import (
    CARDS_READ,
    GAIN,
    expect_enemy,
    put_all_gains,
    put_heaps,
)
from deckcheck.engine.seeing.race import RACE, put_edge, put_race
from deckcheck.engine.seeing.stages import duel_stage
from deckcheck.engine.seeing.writing import flag, put
from deckcheck.engine.types import Context, Player, State, Workspace

HEAPS, GAINS, TABLE = 4 * ZONE, CARDS_READ * GAIN, 31
FEATURES = HEAPS + 2 * SEAT + GAINS + TABLE + RACE


@jit
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees to `q.features`; returns the stage of the game."""
    put_duel(s, x, q, player)
    return duel_stage(s.gems, s.passed, player, 1 - player)


@jit
def put_duel(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the features of a duel with the rival; returns the next place."""
    look(s, x, q, player)
    enemy = rival(s, q, player)
    at = put_heaps(q, ROLES, 0)
    at = put_seat(s, x, q, player, at)
    at = put_seat(s, x, q, enemy, at)
    at = put_all_gains(q, at)
    at = put_table(s, x, q, player, at)
    return put_race(s, q, player, enemy, counted_lead(s, x, player, enemy), at)


@jit
def look(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Sum up rows, piles, hands and decks."""
    clear_heaps(q)
    read_rows(s, x, q)
    for seat in range(players(s, x)):
        if is_read(s, x, q, player, seat):
            q.dead_spies[seat] = 0
            q.revival[seat] = 0
            sum_families(s, x, q, seat)
            read_discards(s, x, q, seat)
    read_own_cards(s, x, q, player)
    read_enemy_cards(s, x, q, player)
    enemy = rival(s, q, player)
    q.unknown = s.n_hand[enemy] - q.known
    q.unseen = q.unknown + s.n_deck[enemy]
    expect_enemy(q)


@jit
def put_table(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """Weather, turn and round, and what is known of hands."""
    for row in range(3):
        at = put(q, at, q.weathered[row])
    enemy = rival(s, q, player)
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
    at = put(q, at, horn_to_come(s, x, q, player))
    at = put(q, at, q.strongest)
    at = put(q, at, scorch_swing(s, x, q, player))
    return put_edge(s, q, player, enemy, at)


@jit
def horn_to_come(s: State, x: Context, q: Workspace, player: Player) -> int:
    """What a horn in hand could bring: the best row, with what the hand has for it."""
    if q.heap[0, Role.HORN.value] == 0:
        return 0
    side = side_of(s, x, player)
    best = 0
    for row in range(3):
        if s.slot[side, row] == Slot.EMPTY and not q.horned[side, row]:
            best = max(best, q.now[side, row] + q.heap[0, ROLES + row])
    return best
