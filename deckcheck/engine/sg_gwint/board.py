"""Zones, strengths, targets, rows, cards under units, scorch."""

from __future__ import annotations

from deckcheck.engine import primitives
from deckcheck.engine.jit import Card, Context, Player, Row, Side, State, jit
from deckcheck.engine.primitives import (
    LeaderState,
    add_to_deck_bottom,
    copies,
    discard,
    draw_below,
    index_in_hand,
    side_total,
    take_from_hand_at,
)
from deckcheck.engine.sg_gwint.codes import Ability, Kind, Leader, Phase

# -----------------------------------------------------------------------------
# Moving cards between hand, deck and graveyard, shuffles and random picks
#
# Nothing here knows a rule: these are the hands that move the cards.


@jit
def shuffle_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle, after which nobody knows the cards under the deck any more."""
    s.n_under[player] = 0
    primitives.shuffle_deck(s, x, player)


@jit
def hand_order(x: Context, player: Player, card: Card) -> int:
    """Return the sorting key of a card in hand: database first, own copies next."""
    return 2 * x.plain[card] + (x.owner[card] != player)


@jit
def add_to_hand(s: State, x: Context, player: Player, card: Card, seen: int) -> None:
    """Put `card` into the hand, in order. `seen` is 1 if the opponent knows it."""
    i = s.n_hand[player]
    key = hand_order(x, player, card)
    while i > 0 and hand_order(x, player, s.hand[player, i - 1]) > key:
        s.hand[player, i] = s.hand[player, i - 1]
        s.seen[player, i] = s.seen[player, i - 1]
        i -= 1
    s.hand[player, i] = card
    s.seen[player, i] = seen
    s.n_hand[player] += 1


@jit
def remove_from_hand(s: State, player: Player, card: Card) -> int:
    """Take a card out of the hand, if possible a known copy, and return its mark."""
    index = index_in_hand(s, player, card)
    seen = s.seen[player, index]
    take_from_hand_at(s, player, index)
    return seen


@jit
def draw_cards(s: State, x: Context, player: Player, count: int) -> None:
    """Draw up to `count` cards: "from an empty deck does nothing" (rules 6.10)."""
    for _ in range(min(count, s.n_deck[player])):
        s.n_deck[player] -= 1
        last = s.n_deck[player]
        seen = 0
        if s.n_under[player] > last:
            seen = s.under_seen[player, last]
            s.n_under[player] = last
        add_to_hand(s, x, player, s.deck[player, last], seen)


@jit
def put_under_deck(s: State, player: Player, card: Card, seen: int) -> None:
    """Put a card of the hand below the deck, where its player knows it (2.5)."""
    for i in range(s.n_under[player], 0, -1):
        s.under_seen[player, i] = s.under_seen[player, i - 1]
    s.under_seen[player, 0] = seen
    add_to_deck_bottom(s, player, card)
    s.n_under[player] += 1


@jit
def remove_from_deck(s: State, x: Context, player: Player, card: Card) -> None:
    """Take the topmost copy out of the searched deck, and shuffle (8.19)."""
    primitives.remove_from_deck(s, player, card)
    shuffle_deck(s, x, player)


@jit
def bury(s: State, x: Context, card: Card) -> None:
    """Put `card` into its owner's graveyard. A leader leaves the game."""
    if x.kind[card] == Kind.LEADER:
        s.n_removed += 1
        return
    discard(s, x.owner[card], card)


@jit
def take_from_reserves(s: State, x: Context, card: Card) -> int:
    """Take a copy of `card` out of its owner's reserves. Return how many: 0 or 1."""
    owner = x.owner[card]
    index = x.reserve_index[card]
    if card == 0 or index < 0 or s.reserves[owner, index] == 0:
        return 0
    s.reserves[owner, index] -= 1
    return 1


@jit
def toss(s: State, x: Context) -> None:
    """Toss the coin again. A scripted game decides who wins."""
    s.n_tosses += 1
    if x.scripted:
        s.coin = x.coins[s.n_tosses - 1]
    else:
        s.coin = draw_below(s.rng, 2)
    s.tossed = 1


# -----------------------------------------------------------------------------
# Strength of cards and rows (rules 5)

CHANGES_NEIGHBOURS = int(
    Ability.TIGHT_BOND | Ability.MORALE_BOOST | Ability.DEMOTIVATION_TOKEN
)
MAX_LAGERS = 8  # lagers that multiply, where lagers stack


@jit
def is_unit(x: Context, card: Card) -> bool:
    """Report whether a card is bronze, silver or gold."""
    return x.kind[card] <= Kind.GOLD


@jit
def row_weather(s: State, x: Context, side: Side, row: Row) -> bool:
    """Report whether weather works on the row, in the sky or its slot (8.3, 8.5)."""
    if s.sky_rows >> row & 1 != 0:
        return True
    return x.ability[s.slot[side, row]] & Ability.WEATHER != 0


@jit
def is_immune(s: State, x: Context, side: Side, ability: int) -> bool:
    """Report whether a card on this side ignores weather (9.3, 10.13)."""
    if ability & Ability.IMMUNITY:
        return True
    is_passive = s.leader_state[side] == LeaderState.PASSIVE
    return is_passive and x.leader[side] == Leader.WEATHERPROOF


@jit
def copies_in_row(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Return the number of cards of this name in the row, even with a shield (4.9)."""
    count = 0
    for i in range(s.n_row[side, row]):
        count += x.plain[s.row[side, row, i]] == x.plain[card]
    return count


@jit
def strength_in_row(
    s: State, x: Context, side: Side, row: Row, index: int, boost: int, lagers: int
) -> int:
    """Return the current strength of a card of the row, by the steps of section 5.

    `boost` is the sum of boosters and demotivations of the row, `lagers` its number of
    lagers.
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
        own_lager = count_unit_lagers(s, x, side, row, s.ident[side, row, index])
    value = max(value + boost, 0)
    if row_weather(s, x, side, row):
        immune = is_immune(s, x, side, ability)
        if lagers == 0:
            return value if immune else apply_weather(x, value)
        if not immune or x.immune_loses_lager:
            return value
    if lagers > own_lager:
        value *= 2
        if x.lagers_stack:
            value <<= min(lagers - own_lager, MAX_LAGERS) - 1
    return value


@jit
def apply_weather(x: Context, value: int) -> int:
    """Return the strength left under weather: half, rounded up, or 1 (5.9)."""
    return min(value, 1) if x.weather_to_one else value - value // 2


@jit
def count_unit_lagers(s: State, x: Context, side: Side, row: Row, ident: int) -> int:
    """Count the lagers that units, or unit `ident` alone, brought to a row.

    A lager lasts "until the end of the round" (9.6), even without its unit. By option
    it lasts only in the row where the unit is.
    """
    count = 0
    for k in range(s.n_lagers):
        if ident in (0, s.lagers[k, 0]):
            if x.lager_leaves:
                idents = s.ident[side, row]
                count += copies(idents, s.n_row[side, row], s.lagers[k, 0])
            else:
                count += s.lagers[k, 1] == side and s.lagers[k, 2] == row
    return count


@jit
def row_effects(s: State, x: Context, side: Side, row: Row) -> tuple[int, int]:
    """Return boosts less demotivations of a row, and the number of its lagers."""
    boost = 0
    lagers = count_unit_lagers(s, x, side, row, 0)
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
    """Return the current strength of the card at `index` of a row."""
    boost, lagers = row_effects(s, x, side, row)
    return strength_in_row(s, x, side, row, index, boost, lagers)


@jit
def rescore(s: State, x: Context, side: Side, row: Row) -> None:
    """Bring the total of a row up to date."""
    printed = 0
    abilities = 0  # of all cards of the row together
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        abilities |= x.ability[card]
        printed += x.strength[card] + s.extra[side, row, i]
    if (
        abilities & CHANGES_NEIGHBOURS
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
        # Nothing changes a strength: the cards below are added already.
        s.total[side, row] = printed


@jit
def rescore_all(s: State, x: Context) -> None:
    """Bring the totals of every row up to date."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            rescore(s, x, side, row)


@jit
def lead(s: State, side: Side) -> int:
    """Return the total of a side less the opponent's."""
    return side_total(s, side) - side_total(s, 1 - side)


# -----------------------------------------------------------------------------
# The cards that an effect may choose, and the places where a card may lie

IN_SLOT = int(Ability.MAHAKAM_LAGER | Ability.MARDROEME)


@jit
def is_target(
    s: State,
    x: Context,
    phase: int,
    acting: int,
    player: Player,
    side: Side,
    row: Row,
    i: int,
) -> bool:
    """Report whether `player` may choose card `i` of a row in this phase.

    `acting` is the unit that uses the ability, if it is not a special. A Demotivation
    token "can be destroyed, devoured and moved" (8.16) and taken back (8.17). It is
    not a target only where base strength is added.
    """
    card = s.row[side, row, i]
    # "It is no target in the deck, on the battlefield or in the graveyard" (4.1)
    if x.shield[card]:
        return False
    is_own = side == player
    if phase == Phase.DIPLOMACY:
        # Not a unit that this Diplomacy has moved already (10.3)
        moved = copies(s.moved, s.n_moved, s.ident[side, row, i])
        return x.moved_again != 0 or moved == 0
    if phase == Phase.MANIPULATE:
        return not is_own
    # "Another unit", "any unit other than herself"
    if s.ident[side, row, i] == acting:
        return False
    if phase == Phase.DESTROY:
        return True
    if phase == Phase.REINFORCE or phase == Phase.ATTACH:
        return is_own and is_unit(x, card)
    return is_own


@jit
def has_target(s: State, x: Context, phase: int, acting: int, player: Player) -> bool:
    """Report whether there is anything to choose in this phase."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                if is_target(s, x, phase, acting, player, side, row, i):
                    return True
    return False


@jit
def can_land(
    s: State, x: Context, player: Player, card: Card, side: Side, row: Row
) -> bool:
    """Report whether `player` may lay a unit or a row effect into this row."""
    if not is_unit(x, card):
        # "An effect can be laid only where it is empty" (8.8)
        return side == player and s.slot[side, row] == 0
    if side != player and not x.ability[card] & Ability.SPY:
        return False
    return x.rows[card] >> row & 1 != 0


@jit
def may_stay(s: State, x: Context, side: Side, row: Row, index: int) -> bool:
    """Report whether tenacity keeps the card in the row, once (9.2, 4.10)."""
    card = s.row[side, row, index]
    if x.shield[card] and not x.shielded_stay:
        return False
    return x.ability[card] & Ability.TENACITY != 0 and not s.stayed[side, row, index]


@jit
def can_return(x: Context, card: Card) -> bool:
    """Report whether medics and Skellige may revive a card (6.12, 9.10)."""
    return is_unit(x, card) and not x.shield[card] and x.returns[card] != 0


@jit
def can_fetch(x: Context, player: Player, card: Card) -> bool:
    """Report whether the leader of `player` may take this card of the deck (10)."""
    leader = x.leader[player]
    if leader == Leader.WEATHER_FROM_DECK:
        return x.ability[card] & Ability.WEATHER != 0 and x.kind[card] == Kind.SPECIAL
    return x.pulled[card] != 0 and not x.shield[card]


@jit
def has_fetch(s: State, x: Context, player: Player) -> bool:
    """Report whether the deck has a card for the leader."""
    for i in range(s.n_deck[player]):
        if can_fetch(x, player, s.deck[player, i]):
            return True
    return False


# -----------------------------------------------------------------------------
# The battlefield: laying units down, cards below them, moving and destroying


@jit
def place(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Put a card at the end of a row and return its unique `ident`."""
    i = s.n_row[side, row]
    s.last_ident += 1
    s.row[side, row, i] = card
    s.extra[side, row, i] = 0
    s.ident[side, row, i] = s.last_ident
    s.stayed[side, row, i] = 0
    s.n_row[side, row] += 1
    rescore(s, x, side, row)
    return s.last_ident


@jit
def bring_lager(s: State, x: Context, side: Side, row: Row, ident: int) -> None:
    """Double a row from now on until the end of the round (9.6)."""
    s.lagers[s.n_lagers, 0] = ident
    s.lagers[s.n_lagers, 1] = side
    s.lagers[s.n_lagers, 2] = row
    s.n_lagers += 1
    rescore(s, x, side, row)


@jit
def locate(s: State, ident: int) -> tuple[Side, Row, int]:
    """Return side, row and index of a unit, side -1 if it is gone."""
    if ident > 0:
        for side in range(2):
            for row in range(s.n_row.shape[1]):
                for i in range(s.n_row[side, row]):
                    if s.ident[side, row, i] == ident:
                        return side, row, i
    return -1, -1, -1


@jit
def lift(s: State, side: Side, row: Row, index: int) -> Card:
    """Take the card at `index` out of a row and return it. Totals are not updated."""
    card = s.row[side, row, index]
    s.n_row[side, row] -= 1
    for i in range(index, s.n_row[side, row]):
        s.row[side, row, i] = s.row[side, row, i + 1]
        s.extra[side, row, i] = s.extra[side, row, i + 1]
        s.ident[side, row, i] = s.ident[side, row, i + 1]
        s.stayed[side, row, i] = s.stayed[side, row, i + 1]
    return card


@jit
def lay_below(
    s: State, x: Context, side: Side, row: Row, index: int, card: Card
) -> None:
    """Lay a token or a special under a unit, which adds to the base strength."""
    s.below[s.n_below, 0] = s.ident[side, row, index]
    s.below[s.n_below, 1] = card
    s.n_below += 1
    s.extra[side, row, index] += x.adds[card]
    rescore(s, x, side, row)


@jit
def swallow(s: State, x: Context, eater: int, eaten: int, card: Card) -> None:
    """Put the eaten card, and the cards below it, under the eater (9.16)."""
    for k in range(s.n_below):
        if s.below[k, 0] == eaten:
            s.below[k, 0] = eater
    s.below[s.n_below, 0] = eater
    s.below[s.n_below, 1] = card
    s.n_below += 1


@jit
def bury_below(s: State, x: Context, ident: int, leaving: int) -> int:
    """Bury the cards below a unit and return the strength that they added.

    Only cards with any of the abilities `leaving` go, or all of them if it is 0.
    """
    count = 0
    added = 0
    for k in range(s.n_below):
        card = s.below[k, 1]
        if s.below[k, 0] == ident and (leaving == 0 or x.ability[card] & leaving):
            added += x.adds[card]
            bury(s, x, card)
        else:
            s.below[count, 0] = s.below[k, 0]
            s.below[count, 1] = card
            count += 1
    s.n_below = count
    return added


@jit
def stack_up(s: State, card: Card, player: Player, ident: int, abilities: int) -> None:
    """Put a card on the stack, to bring it into play or to use its abilities.

    A card not yet in play has the ident 0 and the `abilities` that it will not use. A
    card on the battlefield has the abilities that it still has to use. A special
    outside of rows has the ident -1.
    """
    s.stack[s.n_stack, 0] = card
    s.stack[s.n_stack, 1] = player
    s.stack[s.n_stack, 2] = ident
    s.stack[s.n_stack, 3] = abilities
    s.n_stack += 1


@jit
def summon_for(s: State, x: Context, card: Card, side: Side) -> None:
    """Summon the card of a destroyed guardian from the reserves (9.9).

    The guardian's owner has the reserves, and by option gets the card, too.
    """
    if x.ability[card] & Ability.GUARDIAN:
        summoned = x.summoned[card]
        if take_from_reserves(s, x, summoned):
            player = x.owner[card] if x.summoned_to_owner else side
            stack_up(s, summoned, player, 0, 0)


@jit
def destroy(s: State, x: Context, side: Side, row: Row, index: int) -> None:
    """Move a card of a row and all cards below it to their graveyards."""
    ident = s.ident[side, row, index]
    card = lift(s, side, row, index)
    bury_below(s, x, ident, 0)
    bury(s, x, card)
    rescore(s, x, side, row)
    summon_for(s, x, card, side)


@jit
def under_mardroeme(s: State, x: Context, side: Side, row: Row) -> bool:
    """Report whether a row effect or unit Mardroeme covers the row (9.14)."""
    if x.ability[s.slot[side, row]] & Ability.MARDROEME:
        return True
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.MARDROEME:
            return True
    return False


@jit
def note_sky_rows(s: State, x: Context) -> None:
    """Bring the rows on which weather works up to date."""
    s.sky_rows = 0
    for i in range(s.n_sky):
        s.sky_rows |= x.rows[s.sky[i]]
    rescore_all(s, x)


@jit
def clear_sky(s: State, x: Context) -> None:
    """Remove all weather, even from slots (8.7)."""
    for i in range(s.n_sky):
        bury(s, x, s.sky[i])
    s.n_sky = 0
    for side in range(2):
        for row in range(s.slot.shape[1]):
            if x.ability[s.slot[side, row]] & Ability.WEATHER:
                bury(s, x, s.slot[side, row])
                s.slot[side, row] = 0
    note_sky_rows(s, x)


# -----------------------------------------------------------------------------
# Destruction of the strongest units (rules 8.12, 9.20)

SCORCH_THRESHOLD = 10


@jit
def strongest(s: State, x: Context, side: Side, row: Row) -> int:
    """Return the highest strength without a shield in a row, or -1 (4.3)."""
    best = -1
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if is_unit(x, card) and not x.shield[card]:
            best = max(best, unit_strength(s, x, side, row, i))
    return best


@jit
def burn(s: State, x: Context, side: Side, row: Row, strength: int) -> None:
    """Destroy the units of a row with this strength now, all at once."""
    marked = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if is_unit(x, card) and not x.shield[card]:
            if unit_strength(s, x, side, row, i) == strength:
                x.pool[marked] = s.ident[side, row, i]
                marked += 1
    i = 0
    while i < s.n_row[side, row]:
        is_marked = False
        for k in range(marked):
            if x.pool[k] == s.ident[side, row, i]:
                is_marked = True
        if is_marked:
            destroy(s, x, side, row, i)
        else:
            i += 1


@jit
def scorch_all(s: State, x: Context) -> None:
    """Destroy the strongest units of the whole battlefield (8.12)."""
    best = -1
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            best = max(best, strongest(s, x, side, row))
    if best < 0:
        return
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            burn(s, x, side, row, best)


@jit
def row_points(s: State, x: Context, side: Side, row: Row) -> int:
    """Return the total that a row scorch compares (4.4). Shields count by option."""
    total = s.total[side, row]
    if x.scorch_ignores_shielded:
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.shield[card]:
                total -= x.strength[card]
    return total


@jit
def scorch_row(s: State, x: Context, side: Side, row: Row) -> None:
    """Destroy the strongest units of a row with 10 points or more (9.20)."""
    if row_points(s, x, side, row) >= SCORCH_THRESHOLD:
        best = strongest(s, x, side, row)
        if best >= 0:
            burn(s, x, side, row, best)
