"""About what a card would bring if it were played now, from rows that were read."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind, Slot
from deckcheck.engine.games.gwent.players.seeing.opposing import rival, side_of
from deckcheck.engine.games.gwent.players.seeing.roles import Role
from deckcheck.engine.games.gwent.rules.board import only_row
from deckcheck.engine.games.gwent.rules.scorch import SCORCH_THRESHOLD
from deckcheck.engine.games.gwent.rules.scoring import copies_in_row
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, State, Workspace

DRAWN = 12  # what the two cards of a spy are worth


@jit
def row_scorch(s: State, x: Context, q: Workspace, player: Player, row: Row) -> int:
    """What a scorch of the enemy's row would destroy."""
    enemy = side_of(s, x, rival(s, q, player))
    return q.burnt[enemy, row] if s.total[enemy, row] >= SCORCH_THRESHOLD else 0


@jit
def weather_swing(s: State, x: Context, q: Workspace, player: Player, row: Row) -> int:
    """What weather on the row would take from the enemy, less from the player."""
    if q.weathered[row]:
        return 0
    own, enemy = side_of(s, x, player), side_of(s, x, rival(s, q, player))
    return q.fade[enemy, row] - q.fade[own, row]


@jit
def clear_swing(s: State, x: Context, q: Workspace, player: Player) -> int:
    """What the end of all weather would give the player, less the enemy."""
    own, enemy = side_of(s, x, player), side_of(s, x, rival(s, q, player))
    swing = 0
    for row in range(3):
        if q.weathered[row]:
            swing += q.fade[own, row] - q.fade[enemy, row]
    return swing


@jit
def scorch_swing(s: State, x: Context, q: Workspace, player: Player) -> int:
    """What Scorch would take from the enemy, less from the player."""
    own, enemy = side_of(s, x, player), side_of(s, x, rival(s, q, player))
    return q.scorched[enemy] - q.scorched[own]


@jit
def best_horn(s: State, x: Context, q: Workspace, player: Player) -> int:
    """What a horn beside the best free row would bring."""
    side = side_of(s, x, player)
    best = 0
    for row in range(3):
        if s.slot[side, row] == Slot.EMPTY and not q.horned[side, row]:
            best = max(best, q.now[side, row])
    return best


@jit
def laid(
    s: State, x: Context, q: Workspace, player: Player, row: Row, base: int
) -> int:
    """The strength of a plain unit of this printed strength in the row."""
    side = side_of(s, x, player)
    value = base
    if q.weathered[row]:
        value = base - base // 2 if s.half_weather[side] else min(base, 1)
    value += q.morale[side, row]
    return value * 2 if q.horned[side, row] else value


@jit
def gain(s: State, x: Context, q: Workspace, player: Player, card: Card) -> int:
    """About how much the lead of the player grows with the card.

    Most cards bring their strength alone, and this is asked of every card there is.
    """
    role = x.role[card]
    if role <= Role.AGILE:
        return strength_gain(s, x, q, player, card)
    if role >= Role.DECOY:
        return special_gain(s, x, q, player, role)
    return ability_gain(s, x, q, player, card, role)


@jit
def strength_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card
) -> int:
    """The strength of the card in its best row, its own abilities left out."""
    strength = x.strength[card]
    if x.kind[card] != Kind.UNIT:
        return strength
    value = laid(s, x, q, player, only_row(x, card), strength)
    if x.ability[card] & Ability.AGILE:
        return max(value, laid(s, x, q, player, 1, strength))
    return value


@jit
def ability_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card, role: int
) -> int:
    """About how much the lead grows with a unit that does more than lie there."""
    if role == Role.SPY:
        return (DRAWN if s.n_deck[player] > 0 else 0) - x.strength[card]
    row, side = only_row(x, card), side_of(s, x, player)
    value = strength_gain(s, x, q, player, card)
    if role == Role.MEDIC:
        return value + q.revival[player]
    if role == Role.MUSTER:
        called = q.called[player, x.calls[card]]
        return called if x.calls[card] == x.family[card] else value + called
    if role == Role.BOND:
        return value * (2 * copies_in_row(s, side, row, card) + 1)
    if role == Role.MORALE:
        return value + q.units[side, row]
    if role == Role.HORN_UNIT:
        return value if q.horned[side, row] else value + q.now[side, row]
    if role == Role.SCORCH_UNIT:
        return value + unit_scorch(s, x, q, player, card)
    if x.ability[card] & Ability.SUMMON_AVENGER and s.gems[side] > 1:
        return value + x.strength[x.summoned[card]]
    return value


@jit
def unit_scorch(s: State, x: Context, q: Workspace, player: Player, card: Card) -> int:
    """What a scorching unit would destroy."""
    ability = x.ability[card]
    if ability & Ability.SCORCH:
        return scorch_swing(s, x, q, player)
    total = 0
    for row in range(3):
        if ability & Ability.SCORCH_CLOSE.value << row:
            total += row_scorch(s, x, q, player, row)
    return total


@jit
def special_gain(s: State, x: Context, q: Workspace, player: Player, role: int) -> int:
    """About how much the lead grows with a special or weather card."""
    if role == Role.DECOY:
        best = 0
        side = side_of(s, x, player)
        if q.medics[side] > 0:
            best = q.revival[player]
        if q.spies[side] > 0:
            best = max(best, DRAWN - q.spy_cost[side])
        return best
    if role == Role.HORN:
        return best_horn(s, x, q, player)
    if role == Role.SCORCH:
        return scorch_swing(s, x, q, player)
    if role == Role.CLEAR:
        return clear_swing(s, x, q, player)
    if role == Role.STORM:
        swing = weather_swing(s, x, q, player, 1)
        return swing + weather_swing(s, x, q, player, 2)
    if role == Role.MARDROEME:
        return 0
    return weather_swing(s, x, q, player, role - Role.FROST.value)
