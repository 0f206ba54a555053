"""Strength of cards and rows (rules 1.5)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind, RowName, Slot, Weather
from deckcheck.engine.games.gwent.rules.bonus import agile_bonus
from deckcheck.engine.games.gwent.rules.seats import sides
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Row, Side, State

CHANGES_NEIGHBOURS = int(
    Ability.TIGHT_BOND | Ability.MORALE_BOOST | Ability.COMMANDERS_HORN
)


@jit
def row_weather(s: State, row: Row) -> bool:
    """Whether a weather card hits the row: frost, fog, rain, storm (rules 1.6.12)."""
    if row == RowName.CLOSE:
        return s.weather[Weather.FROST.value] != 0
    if row == RowName.RANGED:
        return s.weather[Weather.FOG.value] != 0 or s.weather[Weather.STORM.value] != 0
    return s.weather[Weather.RAIN.value] != 0 or s.weather[Weather.STORM.value] != 0


@jit
def row_has_horn(s: State, side: Side, row: Row) -> bool:
    """Whether a horn special or a leader's horn works on the whole row."""
    return s.slot[side, row] == Slot.HORN or s.leader_horn[side, row] != 0


@jit
def weathered(s: State, x: Context, side: Side, base: int) -> int:
    """What weather leaves of a printed strength (rules 1.5.1, King Bran 1.9.3)."""
    if s.half_weather[side]:
        if x.bran_rounds_result_down:
            return max(base // 2, min(base, 1))
        return base - base // 2
    # "a base of 0 stays 0"
    return 1 if x.zero_becomes_one else min(base, 1)


@jit
def copies_in_row(s: State, side: Side, row: Row, card: Card) -> int:
    """How many cards of this name lie in the row."""
    count = 0
    for i in range(s.n_row[side, row]):
        if s.row[side, row, i] == card:
            count += 1
    return count


@jit
def strength_in_row(
    s: State, x: Context, side: Side, row: Row, card: Card, morale: int, horns: int
) -> int:
    """Current strength of a card of the row, by the steps of 1.5.

    `morale` and `horns` count the cards of the row with these abilities, the card
    itself included.
    """
    # "Heroes always count their printed strength"; a decoy counts 0.
    if x.kind[card] != Kind.UNIT:
        return x.strength[card] if x.kind[card] == Kind.HERO else 0
    ability = x.ability[card]
    value = x.strength[card]
    if row_weather(s, row):
        value = weathered(s, x, side, value)
    if s.double_spies and ability & Ability.SPY:
        value *= 2
    if ability & Ability.TIGHT_BOND:
        value *= copies_in_row(s, side, row, card)
    # "+1 for each morale card in the row other than itself"
    value += morale - (ability & Ability.MORALE_BOOST != 0)
    if ability & Ability.AGILE:
        value += agile_bonus(s, side)
    # "A row is never doubled twice": by a special, a leader or another unit, once.
    if row_has_horn(s, side, row) or horns > (ability & Ability.COMMANDERS_HORN != 0):
        value *= 2
    return value


@jit
def count_in_row(s: State, x: Context, side: Side, row: Row, ability: int) -> int:
    """How many cards of the row have this ability."""
    count = 0
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & ability:
            count += 1
    return count


@jit
def unit_strength(s: State, x: Context, side: Side, row: Row, index: int) -> int:
    """Current strength of the card at `index` of a row."""
    morale = count_in_row(s, x, side, row, Ability.MORALE_BOOST.value)
    horns = count_in_row(s, x, side, row, Ability.COMMANDERS_HORN.value)
    return strength_in_row(s, x, side, row, s.row[side, row, index], morale, horns)


@jit
def rescore(s: State, x: Context, side: Side, row: Row) -> None:
    """Bring the total of one row up to date, and what it counts in the row."""
    printed = 0
    together = 0
    morale = 0
    horns = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        ability = x.ability[card]
        together |= ability
        printed += x.strength[card]
        morale += ability & Ability.MORALE_BOOST != 0
        horns += ability & Ability.COMMANDERS_HORN != 0
    s.morale[side, row] = morale
    s.horns[side, row] = horns
    if (
        together & CHANGES_NEIGHBOURS
        or s.double_spies
        or agile_bonus(s, side)
        or row_weather(s, row)
        or row_has_horn(s, side, row)
    ):
        total = 0
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            total += strength_in_row(s, x, side, row, card, morale, horns)
        s.total[side, row] = total
    else:
        # Nothing changes a strength: specials such as a Decoy are printed 0.
        s.total[side, row] = printed


@jit
def rescore_all(s: State, x: Context) -> None:
    """Bring the totals of every row up to date."""
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            rescore(s, x, side, row)


@jit
def side_total(s: State, side: Side) -> int:
    """Strength of all cards on one side."""
    return s.total[side, 0] + s.total[side, 1] + s.total[side, 2]
