"""The view of a duel from one seat as whole numbers: the input of a learned value.

Nothing here reads a hidden card: of the enemy's hand and deck only what is known of
them together counts, both lists being open, and of decks never the order.
"""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Phase
from deckcheck.engine.games.sg_gwint.players.heuristic import counted_lead
from deckcheck.engine.games.sg_gwint.players.seeing.choices import open_gain
from deckcheck.engine.games.sg_gwint.players.seeing.heaps import (
    clear_heaps,
    read_discards,
    read_enemy_cards,
    read_own_cards,
    sum_families,
)
from deckcheck.engine.games.sg_gwint.players.seeing.roles import ROLES, ZONE
from deckcheck.engine.games.sg_gwint.players.seeing.rows import read_rows
from deckcheck.engine.games.sg_gwint.players.seeing.sides import SEAT, put_seat
from deckcheck.engine.games.sg_gwint.players.seeing.trying import within_turn
from deckcheck.engine.games.sg_gwint.players.worth import CARD
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

HEAPS, GAINS, TABLE = 4 * ZONE, CARDS_READ * GAIN, 35
FEATURES = HEAPS + 2 * SEAT + GAINS + TABLE + RACE


@jit
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees to `q.features`; returns the stage of the game."""
    look(s, x, q, player)
    enemy = 1 - player
    at = put_heaps(q, ROLES, 0)
    at = put_seat(s, x, q, player, at)
    at = put_seat(s, x, q, enemy, at)
    at = put_all_gains(q, at)
    at = put_table(s, q, player, at)
    chosen = open_gain(s, x, q, player)
    at = put(q, at, chosen)
    put_race(s, q, player, enemy, counted_lead(s, x, player) + chosen, at)
    return duel_stage(s.lives, s.passed, player, enemy)


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
    q.unknown = s.n_hand[1 - player] - q.known
    expect_enemy(q)


@jit
def put_table(s: State, q: Workspace, player: Player, at: int) -> int:
    """Turn and round, and what is known of hands."""
    enemy = 1 - player
    deciding = within_turn(s)
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
    return put_edge(s, q, player, enemy, at)
