"""Strength of cards and rows (rules 5)."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability, Kind, Leader, LeaderState
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Row, Side, State

CHANGES_NEIGHBOURS = int(
    Ability.TIGHT_BOND | Ability.MORALE_BOOST | Ability.DEMOTIVATION_TOKEN
)
MOST_LAGERS = 8  # that multiply, where lagers stack


@jit
def is_unit(x: Context, card: Card) -> bool:
    """Whether a card is a bronze, silver or gold one."""
    return x.kind[card] <= Kind.GOLD


@jit
def row_weather(s: State, x: Context, side: Side, row: Row) -> bool:
    """Whether weather works on the row, from its place or in the slot (8.3, 8.5)."""
    return (
        s.sky_rows >> row & 1 != 0
        or x.ability[s.slot[side, row]] & Ability.WEATHER != 0
    )


@jit
def is_immune(s: State, x: Context, side: Side, ability: int) -> bool:
    """Whether weather does not work on a card of this side (9.3, 10.13)."""
    return ability & Ability.IMMUNITY != 0 or (
        x.leader[side] == Leader.WEATHERPROOF
        and s.leader_state[side] == LeaderState.PASSIVE
    )


@jit
def copies_in_row(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """How many cards of this name lie in the row; shields do not matter (4.9)."""
    count = 0
    for i in range(s.n_row[side, row]):
        count += x.plain[s.row[side, row, i]] == x.plain[card]
    return count


@jit
def strength_in_row(
    s: State, x: Context, side: Side, row: Row, index: int, boost: int, lagers: int
) -> int:
    """Current strength of a card of the row, by the steps of section 5.

    `boost` is what boosters and demotivations of the row add up to, `lagers` how many
    lagers it has.
    """
    card = s.row[side, row, index]
    value = x.strength[card]
    # "Neither weakened nor strengthened nor influenced in any way" (4.1)
    if x.shield[card] or not is_unit(x, card):
        return value
    ability = x.ability[card]
    if ability & Ability.TIGHT_BOND:
        value *= copies_in_row(s, x, side, row, card)
    value += s.extra[side, row, index]
    own_lager = 0
    if x.boosts_spare_self:
        boost -= ability & Ability.MORALE_BOOST != 0
        own_lager = lagers_of_units(s, x, side, row, s.ident[side, row, index])
    value = max(value + boost, 0)
    if row_weather(s, x, side, row):
        immune = is_immune(s, x, side, ability)
        if lagers == 0:
            return value if immune else weathered(x, value)
        if not immune or x.immune_loses_lager:
            return value
    if lagers > own_lager:
        value *= 2
        if x.lagers_stack:
            value <<= min(lagers - own_lager, MOST_LAGERS) - 1
    return value


@jit
def weathered(x: Context, value: int) -> int:
    """What weather leaves of a strength: half, rounded up, or 1 (5.9)."""
    return min(value, 1) if x.weather_to_one else value - value // 2


@jit
def lagers_of_units(s: State, x: Context, side: Side, row: Row, ident: int) -> int:
    """How many lagers that units brought work on a row; `ident` for those of one unit.

    "Until the end of the round" (9.6): whatever becomes of the unit, or by option only
    where it lies.
    """
    count = 0
    for k in range(s.n_lagers):
        if ident in (0, s.lagers[k, 0]):
            if x.lager_leaves:
                count += lies_in(s, side, row, s.lagers[k, 0])
            else:
                count += s.lagers[k, 1] == side and s.lagers[k, 2] == row
    return count


@jit
def lies_in(s: State, side: Side, row: Row, ident: int) -> bool:
    """Whether a unit lies in the row."""
    for i in range(s.n_row[side, row]):
        if s.ident[side, row, i] == ident:
            return True
    return False


@jit
def row_effects(s: State, x: Context, side: Side, row: Row) -> tuple[int, int]:
    """Boosts less demotivations of a row, and the number of its lagers."""
    boost = 0
    lagers = lagers_of_units(s, x, side, row, 0)
    if x.ability[s.slot[side, row]] & Ability.MAHAKAM_LAGER:
        lagers += 1
    for i in range(s.n_row[side, row]):
        ability = x.ability[s.row[side, row, i]]
        boost += ability & Ability.MORALE_BOOST != 0
        if ability & Ability.DEMOTIVATION_TOKEN:
            boost -= x.demotivation_size
    return boost, lagers


@jit
def unit_strength(s: State, x: Context, side: Side, row: Row, index: int) -> int:
    """Current strength of the card at `index` of a row."""
    boost, lagers = row_effects(s, x, side, row)
    return strength_in_row(s, x, side, row, index, boost, lagers)


@jit
def rescore(s: State, x: Context, side: Side, row: Row) -> None:
    """Bring the total of one row up to date."""
    printed = 0
    together = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        together |= x.ability[card]
        printed += x.strength[card] + s.extra[side, row, i]
    if (
        together & CHANGES_NEIGHBOURS
        or s.slot[side, row]
        or s.n_lagers
        or row_weather(s, x, side, row)
    ):
        boost, lagers = row_effects(s, x, side, row)
        total = 0
        for i in range(s.n_row[side, row]):
            total += strength_in_row(s, x, side, row, i, boost, lagers)
        s.total[side, row] = total
    else:
        # Nothing changes a strength: what lies under a card is added already.
        s.total[side, row] = printed


@jit
def rescore_all(s: State, x: Context) -> None:
    """Bring the totals of every row up to date."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            rescore(s, x, side, row)


@jit
def side_total(s: State, side: Side) -> int:
    """Strength of all cards on one side."""
    return s.total[side, 0] + s.total[side, 1] + s.total[side, 2]


@jit
def lead(s: State, side: Side) -> int:
    """Own total less that of the other side."""
    return side_total(s, side) - side_total(s, 1 - side)
