"""The rows of the board, read once for all that is asked of them."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability
from deckcheck.engine.games.sg_gwint.rules.board import under_mardroeme
from deckcheck.engine.games.sg_gwint.rules.scoring import (
    copies_in_row,
    is_immune,
    is_unit,
    row_effects,
    row_weather,
    weathered,
)
from deckcheck.engine.games.sg_gwint.rules.targets import may_stay
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Row, Side, State, Workspace


@jit
def read_rows(s: State, x: Context, q: Workspace) -> None:
    """Sum up every row, and what Scorch would take, in the workspace."""
    best = 0
    for side in range(2):
        q.pending[side] = 0
        q.staying[side] = 0
        q.saved[side] = 0
        q.turning[side] = 0
        q.strongest[side] = 0
        for row in range(s.n_row.shape[1]):
            read_row(s, x, q, side, row)
            q.strongest[side] = max(q.strongest[side], q.best[side, row])
        best = max(best, q.strongest[side])
    for side in range(2):
        q.scorched[side] = 0
        for row in range(s.n_row.shape[1]):
            if q.best[side, row] == best:
                q.scorched[side] += q.burnt[side, row]


@jit
def read_row(s: State, x: Context, q: Workspace, side: Side, row: Row) -> None:
    """Sum up the units of a row that have no shield, and what would change them."""
    boost, lagers = row_effects(s, x, side, row)
    weather = row_weather(s, x, side, row)
    q.boost[side, row] = boost
    q.lagered[side, row] = lagers > 0
    q.weathered[side, row] = weather
    q.best[side, row] = 0
    q.burnt[side, row] = 0
    turns = under_mardroeme(s, x, side, row)
    q.turned[side, row] = turns
    units, printed, plain, immune, faded = 0, 0, 0, 0, 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.shield[card] or not is_unit(x, card):
            continue
        ability = x.ability[card]
        extra = s.extra[side, row, i]
        value = x.strength[card]
        printed += value + extra
        if ability & Ability.TIGHT_BOND:
            value *= copies_in_row(s, x, side, row, card)
        value = max(value + extra + boost, 0)
        is_safe = is_immune(s, x, side, ability)
        units += 1
        plain += value
        immune += value if is_safe else 0
        faded += value if is_safe else weathered(x, value)
        note_unit(s, x, q, side, row, i, value_now(x, q, side, row, value, is_safe))
    clear = 2 * plain if lagers else plain
    stormy = plain + immune if lagers else faded
    now = stormy if weather else clear
    lagered = plain + immune if weather else 2 * plain
    q.units[side, row] = units
    q.printed[side, row] = printed
    q.now[side, row] = now
    q.fade[side, row] = clear - stormy
    q.lift[side, row] = lagered - now


@jit
def value_now(
    x: Context, q: Workspace, side: Side, row: Row, value: int, is_safe: bool
) -> int:
    """The current strength of a unit, from that before weather and lager."""
    if q.weathered[side, row]:
        if q.lagered[side, row]:
            return 2 * value if is_safe else value
        return value if is_safe else weathered(x, value)
    return 2 * value if q.lagered[side, row] else value


@jit
def note_unit(
    s: State, x: Context, q: Workspace, side: Side, row: Row, i: int, strength: int
) -> None:
    """What Scorch and Decoys find in a row, and what units will bring later."""
    card = s.row[side, row, i]
    ability = x.ability[card]
    if strength > q.best[side, row]:
        q.best[side, row] = strength
        q.burnt[side, row] = 0
    if strength == q.best[side, row]:
        q.burnt[side, row] += strength
    q.saved[side] = max(q.saved[side], x.worth[card] - strength)
    if ability & Ability.GUARDIAN:
        q.pending[side] += x.strength[x.summoned[card]]
    if ability & Ability.TRANSFORM:
        q.turning[side] += x.strength[x.becomes[card]] - x.strength[card]
    if may_stay(s, x, side, row, i):
        q.staying[side] += x.strength[card] + s.extra[side, row, i]
