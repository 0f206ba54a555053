"""The rows of the board, read once for all that is asked of them."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind
from deckcheck.engine.games.gwent.rules.scoring import (
    row_has_horn,
    row_weather,
    strength_in_row,
)
from deckcheck.engine.games.gwent.rules.seats import sides
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Row, Side, State, Workspace


@jit
def read_rows(s: State, x: Context, q: Workspace) -> None:
    """Sum up every row, and what Scorch would take, in the workspace."""
    best = 0
    for side in range(sides(s, x)):
        q.spies[side] = 0
        q.spy_cost[side] = 0
        q.medics[side] = 0
        q.pending[side] = 0
        for row in range(3):
            read_row(s, x, q, side, row)
            best = max(best, q.best[side, row])
    for side in range(sides(s, x)):
        q.scorched[side] = 0
        for row in range(3):
            if q.best[side, row] == best:
                q.scorched[side] += q.burnt[side, row]
    q.strongest = best


@jit
def read_row(s: State, x: Context, q: Workspace, side: Side, row: Row) -> None:
    """Sum up one row: units that are no heroes, and what weather would change."""
    weather = row_weather(s, row)
    morale, horns = s.morale[side, row], s.horns[side, row]
    q.weathered[row] = weather
    q.morale[side, row] = morale
    q.horned[side, row] = row_has_horn(s, side, row) or horns > 0
    units, printed, now, fade, best, burnt = 0, 0, 0, 0, 0, 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.kind[card] != Kind.UNIT:
            continue
        strength = strength_in_row(s, x, side, row, card, morale, horns)
        base = x.strength[card]
        units += 1
        printed += base
        now += strength
        if base > 1:
            fade += weather_change(s, side, strength, base, weather)
        if strength > best:
            best, burnt = strength, 0
        if strength == best:
            burnt += strength
        note_ability(x, q, side, card, strength)
    q.units[side, row] = units
    q.printed[side, row] = printed
    q.now[side, row] = now
    q.fade[side, row] = fade
    q.best[side, row] = best
    q.burnt[side, row] = burnt


@jit
def note_ability(
    x: Context, q: Workspace, side: Side, card: Card, strength: int
) -> None:
    """What a Decoy could take back, and what leaving would summon."""
    ability = x.ability[card]
    if ability & Ability.SPY:
        q.spies[side] += 1
        q.spy_cost[side] = strength
    elif ability & Ability.MEDIC:
        q.medics[side] += 1
    elif ability & Ability.SUMMON_AVENGER:
        q.pending[side] += x.strength[x.summoned[card]]


@jit
def weather_change(
    s: State, side: Side, strength: int, base: int, weather: bool
) -> int:
    """About how much a unit would lose by weather, or has lost by the one there is."""
    if s.half_weather[side]:
        return strength if weather else strength // 2
    if weather:
        return strength * (base - 1)
    return strength - strength // base
