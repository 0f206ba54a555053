"""The view of a duel from one seat as whole numbers: the input of a learned value.

Nothing here reads a hidden card: of the enemy's hand and deck only what is known of
them together counts, both lists being open, and of decks never the order.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.players.seeing.writing import flag, put
from deckcheck.engine.games.sg_gwint.codes import Phase
from deckcheck.engine.games.sg_gwint.players.seeing.heaps import (
    PART,
    clear_heaps,
    read_discards,
    read_enemy_cards,
    read_own_cards,
    sum_families,
)
from deckcheck.engine.games.sg_gwint.players.seeing.race import RACE, put_race
from deckcheck.engine.games.sg_gwint.players.seeing.roles import ROLES, ZONE
from deckcheck.engine.games.sg_gwint.players.seeing.rows import read_rows
from deckcheck.engine.games.sg_gwint.players.seeing.sides import SEAT, put_seat
from deckcheck.engine.games.sg_gwint.players.seeing.trying import is_deciding
from deckcheck.engine.games.sg_gwint.players.worth import CARD
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State, Workspace

HEAPS, GAINS, TABLE = 4 * ZONE, 5 * 7, 34
FEATURES = HEAPS + 2 * SEAT + GAINS + TABLE + RACE
STAGES = 12
SHARE_BITS = 32


@jit
def stage(s: State, player: Player) -> int:
    """Which stage of a game this is: by lives, and by who has passed."""
    lives = 2 * (s.lives[player] <= 1) + (s.lives[1 - player] <= 1)
    passed = 0
    if s.passed[1 - player]:
        passed = 1
    elif s.passed[player]:
        passed = 2
    return 3 * lives + passed


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
    """Sum up rows, graveyards, hands and decks."""
    clear_heaps(q)
    read_rows(s, x, q)
    for side in range(2):
        sum_families(s, x, q, side, player)
        read_discards(s, x, q, side)
    read_own_cards(s, x, q, player)
    read_enemy_cards(s, x, q, player)
    expect_enemy(s, q, 1 - player)


@jit
def expect_enemy(s: State, q: Workspace, enemy: Player) -> None:
    """Gains to be expected of the enemy's hand: of its known cards and of the rest."""
    q.unknown = s.n_hand[enemy] - q.known
    q.unseen = max(q.unseen, 1)
    big = PART * q.gains[3, 4] * q.unknown // q.unseen
    q.expected = q.gains[2, 0] + q.gains[3, 0] * q.unknown // q.unseen
    q.expected_worth = q.known_worth + q.gains[4, 0] * q.unknown // q.unseen
    q.expected_big = PART * q.gains[2, 4] + big


@jit
def put_heaps(q: Workspace, at: int) -> int:
    """Own hand and deck; what is in the enemy's hand and deck, as expected."""
    # The share of the unseen cards that is in hand, rounded up so little that each
    # expected number comes out as if it were divided.
    in_hand = q.unknown * ((1 << SHARE_BITS) // q.unseen + 1)
    for own in range(2):
        for i in range(ZONE):
            put(q, at + i, q.heap[own, i])
        at += ZONE
    for i in range(ZONE):
        part = PART if i < ROLES else 1
        inside = part * q.heap[3, i] * in_hand >> SHARE_BITS
        put(q, at + i, part * q.heap[2, i] + inside)
        put(q, at + ZONE + i, part * q.heap[3, i] - inside)
    return at + 2 * ZONE


@jit
def put_gains(q: Workspace, at: int) -> int:
    """What cards bring: sum, the three best, how many are large, fair and small."""
    for of in range(q.gains.shape[0]):
        for i in range(q.gains.shape[1]):
            at = put(q, at, q.gains[of, i])
    return at


@jit
def put_table(s: State, q: Workspace, player: Player, at: int) -> int:
    """Turn and round, and what is known of hands."""
    enemy = 1 - player
    deciding = is_deciding(s)
    at = flag(q, at, s.active == player and s.phase == Phase.PLAY)
    at = flag(q, at, deciding and s.turn == player)
    at = flag(q, at, deciding and s.turn == enemy)
    at = flag(q, at, s.phase == Phase.REDRAW)
    at = flag(q, at, s.phase == Phase.STARTER or s.phase == Phase.CLAIM)
    at = flag(q, at, s.phase < Phase.PLAY and s.turn == player)
    at = flag(q, at, s.must_play != 0)
    at = flag(q, at, s.round_no == 1)
    at = flag(q, at, s.round_no == 2)
    at = flag(q, at, s.round_no >= 3)
    at = put(q, at, s.tied)
    at = flag(q, at, s.last_winner == player)
    at = flag(q, at, s.last_winner == enemy)
    at = flag(q, at, s.first == player)
    at = put(q, at, s.n_sky)
    at = put(q, at, q.exposed)
    at = put(q, at, q.known)
    at = put(q, at, q.doubled)
    at = put(q, at, q.bonded)
    at = put(q, at, q.known_worth)
    at = put(q, at, q.expected_worth)
    at = put(q, at, q.gains[1, 0] + q.bonded - q.expected_worth)
    at = put(q, at, q.gains[1, 0] - CARD * s.n_hand[player])
    at = put(q, at, q.expected_worth - CARD * s.n_hand[enemy])
    at = put(q, at, q.scorched[enemy] - q.scorched[player])
    edge = s.n_hand[player] - s.n_hand[enemy]
    for step in range(-3, 4):
        at = flag(q, at, edge >= step)
    at = flag(q, at, s.n_hand[player] == 0)
    return flag(q, at, s.n_hand[enemy] == 0)
