"""About what a card would bring if it were played now, from rows that were read."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability
from deckcheck.engine.games.sg_gwint.players.seeing.roles import Role
from deckcheck.engine.games.sg_gwint.players.seeing.rows import value_now
from deckcheck.engine.games.sg_gwint.players.worth import CARD
from deckcheck.engine.games.sg_gwint.rules.scorch import SCORCH_THRESHOLD
from deckcheck.engine.games.sg_gwint.rules.scoring import copies_in_row, is_immune
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, State, Workspace

LATER = 2  # strength in another round is worth a half


@jit
def row_scorch(s: State, q: Workspace, side: Player, row: Row) -> int:
    """What a scorch of this row would destroy."""
    return q.burnt[side, row] if s.total[side, row] >= SCORCH_THRESHOLD else 0


@jit
def weather_swing(q: Workspace, player: Player, row: Row) -> int:
    """What weather on the row would take from the enemy, less from the player."""
    swing = 0
    if not q.weathered[1 - player, row]:
        swing += q.fade[1 - player, row]
    if not q.weathered[player, row]:
        swing -= q.fade[player, row]
    return swing


@jit
def rows_swing(x: Context, q: Workspace, player: Player, card: Card) -> int:
    """The same for all rows on which a weather card works."""
    swing = 0
    for row in range(3):
        if x.rows[card] >> row & 1:
            swing += weather_swing(q, player, row)
    return swing


@jit
def clear_swing(q: Workspace, player: Player) -> int:
    """What the end of all weather would give the player, less the enemy."""
    swing = 0
    for row in range(3):
        if q.weathered[player, row]:
            swing += q.fade[player, row]
        if q.weathered[1 - player, row]:
            swing -= q.fade[1 - player, row]
    return swing


@jit
def best_lager(s: State, q: Workspace, player: Player) -> int:
    """What a lager in the best free slot would bring."""
    best = 0
    for row in range(3):
        if s.slot[player, row] == 0:
            best = max(best, q.lift[player, row])
    return best


@jit
def scorch_swing(q: Workspace, player: Player) -> int:
    """What Scorch would take from the enemy, less from the player."""
    return q.scorched[1 - player] - q.scorched[player]


@jit
def laid(
    s: State, x: Context, q: Workspace, player: Player, row: Row, card: Card
) -> int:
    """The strength of a unit in the row, but for its own abilities."""
    value = max(x.strength[card] + q.boost[player, row], 0)
    is_safe = is_immune(s, x, player, x.ability[card])
    return value_now(x, q, player, row, value, is_safe)


@jit
def best_row(s: State, x: Context, q: Workspace, player: Player, card: Card) -> Row:
    """The row in which a unit counts most."""
    best, most = 0, -1
    for row in range(3):
        if x.rows[card] >> row & 1:
            value = laid(s, x, q, player, row, card)
            if value > most:
                best, most = row, value
    return best


@jit
def gain(s: State, x: Context, q: Workspace, player: Player, card: Card) -> int:
    """About how much the lead of the player grows with the card."""
    role = x.role[card]
    if role == Role.SHIELDED:
        return x.strength[card]
    if role >= Role.DECOY:
        return special_gain(s, x, q, player, card, role)
    row = best_row(s, x, q, player, card)
    value = x.strength[card]
    if not x.shield[card]:
        value = laid(s, x, q, player, row, card)
    if role <= Role.AGILE or role == Role.LASTING:
        return value
    return ability_gain(s, x, q, player, card, role, row, value)


@jit
def ability_gain(
    s: State,
    x: Context,
    q: Workspace,
    player: Player,
    card: Card,
    role: int,
    row: Row,
    value: int,
) -> int:
    """The gain of a unit that does more than lie in its row with its value."""
    enemy = 1 - player
    if role == Role.SPY:
        return max(value, 2 * CARD - value) if s.n_deck[player] > 0 else value
    if role == Role.MEDIC:
        return value + q.revival[player]
    if role == Role.MUSTER:
        return value + q.called[player, x.calls[card]]
    if role == Role.BOND:
        return value * (2 * copies_in_row(s, x, player, row, card) + 1)
    if role == Role.MORALE:
        return value + q.units[player, row] + 1
    if role == Role.LAGER_UNIT:
        return 2 * value + q.lift[player, row]
    if role == Role.SCORCH_UNIT:
        return value + unit_scorch(s, x, q, player, card, row)
    if role == Role.BRINGER:
        summoned = 0
        if x.ability[card] & Ability.GUARDIAN:
            summoned = x.strength[x.summoned[card]] // LATER
        return value + x.strength[x.brings[card]] * x.brought[card] + summoned
    if role == Role.TURNING:
        if not q.turned[player, row]:
            return value
        return max(value, x.strength[x.becomes[card]])
    if x.ability[card] & Ability.DEMOTIVATION:
        return value + min(q.units[enemy, row], q.now[enemy, row])
    return value + x.reinforces[card]


@jit
def unit_scorch(
    s: State, x: Context, q: Workspace, player: Player, card: Card, row: Row
) -> int:
    """What a unit would destroy."""
    ability = x.ability[card]
    if ability & Ability.SCORCH:
        return scorch_swing(q, player)
    if ability & Ability.DESTROY_UNIT:
        return q.strongest[1 - player]
    return row_scorch(s, q, 1 - player, row)


@jit
def special_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card, role: int
) -> int:
    """About how much the lead grows with a special."""
    if role == Role.DECOY:
        return q.saved[player]
    if role == Role.LAGER:
        return best_lager(s, q, player)
    if role == Role.SCORCH:
        return scorch_swing(q, player)
    if role == Role.CLEAR:
        return clear_swing(q, player)
    if role == Role.MARDROEME:
        return q.turning[player]
    if role == Role.TRICK:
        return x.adds[card]
    return rows_swing(x, q, player, card)
