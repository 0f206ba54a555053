"""What an open choice will bring to whom it is asked of."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Phase
from deckcheck.engine.games.sg_gwint.players.seeing.gains import gain, laid
from deckcheck.engine.games.sg_gwint.players.worth import CARD
from deckcheck.engine.games.sg_gwint.rules.scoring import unit_strength
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State, Workspace


@jit
def open_gain(s: State, x: Context, q: Workspace, player: Player) -> int:
    """About how much the lead of the player grows with the choice that is open."""
    if s.turn != player:
        return -choice_gain(s, x, q, s.turn)
    return choice_gain(s, x, q, player)


@jit
def choice_gain(s: State, x: Context, q: Workspace, player: Player) -> int:
    """The same for the player who chooses."""
    phase = s.phase
    if phase == Phase.LAND or phase == Phase.KLEPNA:
        return gain(s, x, q, player, s.picked)
    if phase == Phase.MEDIC:
        return q.revival[player]
    if phase == Phase.DECOY:
        return q.saved[player]
    if phase == Phase.REINFORCE:
        return x.reinforces[s.picked]
    if phase == Phase.ATTACH:
        return x.adds[s.picked]
    if phase == Phase.DESTROY:
        return q.strongest[1 - player]
    if phase == Phase.MOVE_TO:
        return best_shift(s, x, q, player)
    if phase == Phase.EXCHANGE:
        return -CARD
    if phase == Phase.FROM_DECK:
        return q.fetched[player]
    return 0


@jit
def best_shift(s: State, x: Context, q: Workspace, player: Player) -> int:
    """What the move of the chosen unit to the better of two rows brings."""
    side, row = s.picked_side, s.picked_row
    card = s.row[side, row, s.picked_index]
    now = unit_strength(s, x, side, row, s.picked_index)
    sign = 1 if side == player else -1
    best = -now - now
    for to in range(3):
        if to != row:
            shift = laid(s, x, q, side, to, card) + s.extra[side, row, s.picked_index]
            best = max(best, sign * (shift - now))
    return best
