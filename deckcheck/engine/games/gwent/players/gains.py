"""By how much the lead grows with a move, exact where it can be tried out.

Gains are changes of own total less enemy total. A card is tried by laying it down,
reading the total, and taking it back, so every strength rule counts. Nothing here
reads the opponent's hand or the order of a deck; which cards are still in the own
deck is known to its player.
"""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Kind, RowName, Slot, Weather
from deckcheck.engine.games.gwent.players.worth import ROW_SCORCH
from deckcheck.engine.games.gwent.rules.abilities import ON_ENTRY, SPY_DRAWS
from deckcheck.engine.games.gwent.rules.board import landing_side, only_row
from deckcheck.engine.games.gwent.rules.scorch import SCORCH_THRESHOLD
from deckcheck.engine.games.gwent.rules.scoring import (
    CHANGES_NEIGHBOURS,
    rescore,
    row_has_horn,
    side_total,
    strength_in_row,
)
from deckcheck.engine.games.gwent.rules.seats import has_many_sides, sides
from deckcheck.engine.games.gwent.rules.side_deck import row_has_mardroeme
from deckcheck.engine.games.gwent.rules.weather import weather_index
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

HAS_EFFECT = int(ON_ENTRY | Ability.SUMMON_AVENGER)


@jit
def per_enemy(s: State, x: Context, strength: int) -> int:
    """Enemy strength, of all sides together, as it counts against one of them."""
    return strength // (sides(s, x) - 1)


@jit
def is_not_last(s: State, x: Context, side: Side) -> bool:
    """Whether another round is to be expected."""
    return has_many_sides(s, x) or s.gems[side] > 1


@jit
def likely_side(s: State, x: Context, player: Player, card: Card) -> Side:
    """The side on which the card will lie; for a spy of several the weakest one."""
    side = landing_side(s, x, player, card)
    if side < 0:
        for other in range(sides(s, x)):
            if other != x.side[player]:
                if side < 0 or side_total(s, other) < side_total(s, side):
                    side = other
    return side


@jit
def laid(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Lay a card down; returns by how much the total of the row changes."""
    before = s.total[side, row]
    s.row[side, row, s.n_row[side, row]] = card
    s.n_row[side, row] += 1
    rescore(s, x, side, row)
    return s.total[side, row] - before


@jit
def taken_back(s: State, x: Context, side: Side, row: Row, gain: int) -> None:
    """Take the last card of the row back."""
    s.n_row[side, row] -= 1
    s.total[side, row] -= gain
    ability = x.ability[s.row[side, row, s.n_row[side, row]]]
    s.morale[side, row] -= ability & Ability.MORALE_BOOST != 0
    s.horns[side, row] -= ability & Ability.COMMANDERS_HORN != 0


@jit
def place_gain(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """By how much the row grows when the card is laid there."""
    if x.ability[card] & CHANGES_NEIGHBOURS:
        gain = laid(s, x, side, row, card)
        taken_back(s, x, side, row, gain)
        return gain
    return strength_beside(s, x, side, row, card)


@jit
def strength_beside(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Strength of a card among those of the row, when all totals are up to date."""
    morale, horns = s.morale[side, row], s.horns[side, row]
    return strength_in_row(s, x, side, row, card, morale, horns)


@jit
def unit_gain(s: State, x: Context, player: Player, card: Card, row: Row) -> int:
    """By how much the lead grows when a unit is played to the row.

    Cards it brings along count, and so do cards drawn by a spy.
    """
    ability = x.ability[card]
    side = likely_side(s, x, player, card)
    gain = place_gain(s, x, side, row, card)
    if not ability & HAS_EFFECT:
        return gain
    if ability & Ability.SPY:
        return drawn_worth(s, x, player) - per_enemy(s, x, gain)
    if ability & Ability.MUSTER:
        gain += muster_gain(s, x, player, card)
    if ability & ROW_SCORCH:
        gain += enemy_scorch_gain(s, x, player, only_scorched(ability))
    if ability & Ability.SCORCH:
        change = laid(s, x, side, row, card)
        gain += scorch_gain(s, x, player, s.n_row[side, row] - 1, row)
        taken_back(s, x, side, row, change)
    if ability & Ability.MEDIC:
        gain += best_revival(s, x, player)
    if ability & Ability.SUMMON_AVENGER and is_not_last(s, x, side):
        gain += x.strength[x.summoned[card]]
    if ability & Ability.MARDROEME:
        gain += mardroeme_gain(s, x, side, row)
    if ability & Ability.BERSERKER and row_has_mardroeme(s, x, side, row):
        gain = place_gain(s, x, side, row, x.becomes[card])
    return gain


@jit
def drawn_worth(s: State, x: Context, player: Player) -> int:
    """What the cards are worth that a spy draws."""
    return min(SPY_DRAWS, s.n_deck[player]) * x.figures[player].card


@jit
def only_scorched(ability: int) -> Row:
    """The row that a row-scorching unit burns."""
    if ability & Ability.SCORCH_CLOSE:
        return RowName.CLOSE.value
    if ability & Ability.SCORCH_RANGED:
        return RowName.RANGED.value
    return RowName.SIEGE.value


@jit
def muster_gain(s: State, x: Context, player: Player, card: Card) -> int:
    """What the mustered cards bring, the mustering one aside."""
    family = x.calls[card]
    side = x.side[player]
    total = 0
    skipped = x.family[card] != family
    for i in range(s.n_hand[player] + s.n_deck[player]):
        if i < s.n_hand[player]:
            other = s.hand[player, i]
        else:
            other = s.deck[player, i - s.n_hand[player]]
        if x.family[other] == family:
            if other == card and not skipped:
                skipped = True
                continue
            total += place_gain(s, x, side, only_row(x, other), other)
    return total


@jit
def best_revival(s: State, x: Context, player: Player) -> int:
    """The gain of the best unit a medic could bring back now."""
    side = x.side[player]
    best = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] == Kind.UNIT:
            best = max(best, revival_gain(s, x, player, card, only_row(x, card)))
    return best


@jit
def revival_gain(s: State, x: Context, player: Player, card: Card, row: Row) -> int:
    """What reviving this unit brings; a medic counts for a second revival."""
    ability = x.ability[card]
    side = likely_side(s, x, player, card)
    gain = place_gain(s, x, side, row, card)
    if ability & Ability.SPY:
        return drawn_worth(s, x, player) - per_enemy(s, x, gain)
    if ability & Ability.MEDIC:
        gain += x.figures[player].second_revival
    if ability & Ability.SUMMON_AVENGER and is_not_last(s, x, side):
        gain += x.strength[x.summoned[card]]
    if ability & ROW_SCORCH:
        gain += enemy_scorch_gain(s, x, player, only_scorched(ability))
    return gain


@jit
def row_scorch_gain(s: State, x: Context, side: Side, row: Row) -> int:
    """Strength that a scorch of the row would destroy."""
    if s.total[side, row] < SCORCH_THRESHOLD:
        return 0
    best = -1
    total = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.kind[card] == Kind.UNIT:
            strength = strength_beside(s, x, side, row, card)
            if strength > best:
                best, total = strength, 0
            if strength == best:
                total += strength
    return total


@jit
def enemy_scorch_gain(s: State, x: Context, player: Player, row: Row) -> int:
    """Strength that a row scorch of every enemy would destroy, for one of them."""
    total = 0
    for side in range(sides(s, x)):
        if side != x.side[player]:
            total += row_scorch_gain(s, x, side, row)
    return per_enemy(s, x, total)


@jit
def scorch_gain(
    s: State, x: Context, player: Player, spare: int, spare_row: Row
) -> int:
    """Enemy strength less own strength that Scorch would destroy.

    The own card at index `spare` of `spare_row` is left out; -1 for none.
    """
    own = x.side[player]
    best = -1
    lost, won = 0, 0
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                if side == own and row == spare_row and i == spare:
                    continue
                card = s.row[side, row, i]
                if x.kind[card] == Kind.UNIT:
                    strength = strength_beside(s, x, side, row, card)
                    if strength > best:
                        best, lost, won = strength, 0, 0
                    if strength == best and side == own:
                        lost += strength
                    elif strength == best:
                        won += strength
    return per_enemy(s, x, won) - lost


@jit
def lead(s: State, x: Context, side: Side) -> int:
    """Own total less that of the strongest enemy side."""
    best = -1
    for other in range(sides(s, x)):
        if other != side:
            best = max(best, side_total(s, other))
    return side_total(s, side) - best


@jit
def weather_gain(s: State, x: Context, player: Player, ability: int) -> int:
    """By how much the lead grows when this weather comes, or all weather goes."""
    index = weather_index(ability)
    old = s.weather[0], s.weather[1], s.weather[2], s.weather[3]
    if index != Weather.CLEAR:
        if s.weather[index]:
            return 0
        s.weather[index] = 1
    else:
        for i in range(s.weather.shape[0]):
            s.weather[i] = 0
    own, enemy = 0, 0
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            if s.n_row[side, row] > 0 and may_change(index, row):
                before = s.total[side, row]
                rescore(s, x, side, row)
                change = s.total[side, row] - before
                s.total[side, row] = before
                if side == x.side[player]:
                    own += change
                else:
                    enemy += change
    s.weather[0], s.weather[1], s.weather[2], s.weather[3] = old
    return own - per_enemy(s, x, enemy)


@jit
def may_change(index: int, row: Row) -> bool:
    """Whether a weather of this index (-1: the end of all) can change the row."""
    return (
        index == Weather.CLEAR
        or index == row
        or (index == Weather.STORM and row != RowName.CLOSE)
    )


@jit
def horn_gain(s: State, x: Context, side: Side, row: Row) -> int:
    """By how much a horn beside the row would raise it."""
    if row_has_horn(s, side, row):
        return 0
    before = s.total[side, row]
    s.leader_horn[side, row] = 1
    rescore(s, x, side, row)
    gain = s.total[side, row] - before
    s.leader_horn[side, row] = 0
    s.total[side, row] = before
    return gain


@jit
def mardroeme_gain(s: State, x: Context, side: Side, row: Row) -> int:
    """By how much the row grows when its Berserkers turn."""
    gain = 0
    turned = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.ability[card] & Ability.BERSERKER:
            after = x.becomes[card]
            gain += x.strength[after] - x.strength[card]
            if x.ability[after] & Ability.TIGHT_BOND:
                gain += 2 * turned * x.strength[after]
                turned += 1
    return gain


@jit
def decoy_gain(s: State, x: Context, player: Player, row: Row, card: Card) -> int:
    """What taking this unit back is worth: what it does again, less what it leaves."""
    side = x.side[player]
    lost = strength_beside(s, x, side, row, card)
    ability = x.ability[card]
    if ability & Ability.SPY:
        return SPY_DRAWS * x.figures[player].card - lost
    if ability & Ability.MEDIC:
        return x.strength[card] + best_revival(s, x, player) - lost
    if ability & ROW_SCORCH:
        again = enemy_scorch_gain(s, x, player, only_scorched(ability))
        return x.strength[card] + again - lost
    return x.strength[card] - lost


@jit
def best_decoy_gain(s: State, x: Context, player: Player) -> int:
    """The gain of the best target of a Decoy."""
    side = x.side[player]
    best = -100
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.kind[card] == Kind.UNIT:
                best = max(best, decoy_gain(s, x, player, row, card))
    return best


@jit
def special_gain(s: State, x: Context, player: Player, card: Card, row: Row) -> int:
    """By how much the lead grows when a special or weather card is played."""
    ability = x.ability[card]
    side = x.side[player]
    if x.kind[card] == Kind.WEATHER:
        return weather_gain(s, x, player, ability)
    if ability & Ability.DECOY:
        return best_decoy_gain(s, x, player)
    if ability & Ability.SCORCH:
        return scorch_gain(s, x, player, -1, -1)
    if ability & Ability.COMMANDERS_HORN:
        return horn_gain(s, x, side, row) if s.slot[side, row] == Slot.EMPTY else 0
    if ability & Ability.MARDROEME:
        return mardroeme_gain(s, x, side, row)
    raise UnplayedCode("special")
