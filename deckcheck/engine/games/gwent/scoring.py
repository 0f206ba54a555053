"""Strength of cards and rows (rules 1.5)."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.codes import (
    Ability,
    Kind,
    Leader,
    LeaderState,
    Row,
    Slot,
)
from deckcheck.engine.jit import jit

__all__ = [
    "rescore",
    "rescore_all",
    "row_has_horn",
    "row_weather",
    "side_total",
    "unit_strength",
]

CHANGES_NEIGHBOURS = int(
    Ability.TIGHT_BOND | Ability.MORALE_BOOST | Ability.COMMANDERS_HORN
)


@jit
def has_passive(s: Any, player: Any, leader: Any) -> Any:
    """Whether the passive leader `leader` of `player` is in force."""
    return s.leader[player] == leader and s.leader_state[player] == LeaderState.PASSIVE


@jit
def spies_doubled(s: Any) -> Any:
    """Whether The Treacherous is in force on either side (rules 1.5.2)."""
    for player in range(s.leader.shape[0]):
        if has_passive(s, player, Leader.DOUBLE_SPIES.value):
            return True
    return False


@jit
def weather_halved(s: Any, x: Any, side: Any) -> Any:
    """Whether King Bran is in force for `side` (rules 1.9.3)."""
    for player in range(s.leader.shape[0]):
        if x.side[player] == side and has_passive(
            s, player, Leader.HALF_WEATHER.value
        ):
            return True
    return False


@jit
def row_weather(s: Any, row: Any) -> Any:
    """Whether a weather card hits the row: frost, fog, rain, storm (rules 1.6.12)."""
    if row == Row.CLOSE:
        return s.weather[0] != 0
    if row == Row.RANGED:
        return s.weather[1] != 0 or s.weather[3] != 0
    return s.weather[2] != 0 or s.weather[3] != 0


@jit
def row_has_horn(s: Any, side: Any, row: Any) -> Any:
    """Whether a horn special or a leader's horn works on the whole row."""
    return s.slot[side, row] == Slot.HORN or s.leader_horn[side, row] != 0


@jit
def weathered_base(s: Any, x: Any, side: Any, base: Any) -> Any:
    """What weather leaves of a printed strength (rules 1.5.1, King Bran 1.9.3)."""
    if weather_halved(s, x, side):
        if not x.bran_rounds_result_down:
            return base - base // 2
        return max(base // 2, min(base, 1))
    # "a base of 0 stays 0"
    return 1 if x.zero_becomes_one else min(base, 1)


@jit
def unit_strength(s: Any, x: Any, side: Any, row: Any, index: Any) -> Any:
    """Current strength of the card at `index` of a row, by the steps of 1.5."""
    card = s.row[side, row, index]
    # "Heroes always count their printed strength"; a decoy counts 0.
    if x.kind[card] != Kind.UNIT:
        return x.strength[card] if x.kind[card] == Kind.HERO else 0
    ability = x.ability[card]
    value = x.strength[card]
    if row_weather(s, row):
        value = weathered_base(s, x, side, value)
    if ability & Ability.SPY and spies_doubled(s):
        value *= 2
    bonds = 0
    morale = 0
    horns = 0
    for i in range(s.n_row[side, row]):
        neighbour = s.row[side, row, i]
        gives = x.ability[neighbour]
        if neighbour == card and gives & Ability.TIGHT_BOND:
            bonds += 1
        if i != index:
            if gives & Ability.MORALE_BOOST:
                morale += 1
            if gives & Ability.COMMANDERS_HORN:
                horns += 1
    if bonds > 1:
        value *= bonds
    value += morale
    # "A row is never doubled twice": a special, a leader or another unit, once.
    if horns > 0 or row_has_horn(s, side, row):
        value *= 2
    return value


@jit
def rescore(s: Any, x: Any, side: Any, row: Any) -> Any:
    """Bring the total of one row up to date."""
    count = s.n_row[side, row]
    simple = (
        not row_weather(s, row)
        and not row_has_horn(s, side, row)
        and not spies_doubled(s)
    )
    together = 0
    total = 0
    for i in range(count):
        card = s.row[side, row, i]
        together |= x.ability[card]
        if x.kind[card] <= Kind.HERO:
            total += x.strength[card]
    if not simple or together & CHANGES_NEIGHBOURS:
        total = 0
        for i in range(count):
            total += unit_strength(s, x, side, row, i)
    s.total[side, row] = total


@jit
def rescore_all(s: Any, x: Any) -> Any:
    """Bring the totals of every row up to date."""
    for side in range(s.n_row.shape[0]):
        for row in range(s.n_row.shape[1]):
            rescore(s, x, side, row)


@jit
def side_total(s: Any, side: Any) -> Any:
    """Strength of all cards on one side."""
    return s.total[side, 0] + s.total[side, 1] + s.total[side, 2]
