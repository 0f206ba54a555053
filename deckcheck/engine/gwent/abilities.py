"""Gwent: the abilities of units and special cards."""

from __future__ import annotations

from deckcheck.engine.gwent.board import (
    NOWHERE,
    draw_cards,
    landing_side,
    leave_board,
    only_row,
    place,
    rescore,
    row_has_mardroeme,
    row_has_unit,
    scorch_board,
    scorch_by_unit,
    scorch_enemies,
    strength_in_row,
    turn_berserkers,
    weather_index,
)
from deckcheck.engine.gwent.codes import Ability, Kind, Phase, RandomPick, Slot
from deckcheck.engine.jit import Card, Context, Player, Row, Side, State, jit
from deckcheck.engine.primitives import (
    RowName,
    discard,
    pick,
    remove_from_deck,
    remove_from_discard,
    shuffle_deck,
    take_from_hand_at,
)
from deckcheck.engine.registry import Carried, UnplayedCode

# -----------------------------------------------------------------------------
# Special cards other than weather (rules 1.6.7 to 1.6.10)

SLOT_ABILITIES = int(Ability.COMMANDERS_HORN | Ability.MARDROEME)


@jit
def play_special(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Carry out a special card. `row` matters to cards beside a row."""
    ability = x.ability[card]
    side = x.side[player]
    if ability & Ability.DECOY:
        if has_decoy_target(s, x, side):
            s.phase = Phase.DECOY
            s.picked = card
        else:
            discard(s, side, card)
    elif ability & Ability.SCORCH:
        scorch_board(s, x, NOWHERE, NOWHERE, NOWHERE)
        discard(s, side, card)
    elif ability & SLOT_ABILITIES:
        lay_beside_row(s, x, side, card, row)
    else:
        raise UnplayedCode("special")


@jit
def lay_beside_row(s: State, x: Context, side: Side, card: Card, row: Row) -> None:
    """Put a horn or a Mardroeme into the slot of the row."""
    horn = x.ability[card] & Ability.COMMANDERS_HORN
    s.slot[side, row] = Slot.HORN if horn else Slot.MARDROEME
    s.slot_card[side, row] = card
    turn_berserkers(s, x, side, row)
    rescore(s, x, side, row)


@jit
def has_decoy_target(s: State, x: Context, side: Side) -> bool:
    """Report whether a non-hero unit is on the side (rules 1.6.9)."""
    for row in range(s.n_row.shape[1]):
        if row_has_unit(s, x, side, row):
            return True
    return False


@jit
def fetch_from_deck(s: State, x: Context, player: Player, card: Card) -> None:
    """Take `card` out of the deck and shuffle it."""
    remove_from_deck(s, player, card)
    shuffle_deck(s, x, player)


# -----------------------------------------------------------------------------
# Abilities of units that come into play (rules 1.6), with a function for each
#
# `deploy` puts a unit on the board and remembers its ability on a stack;
# `resolve_stack` carries abilities out, depth first (rules 1.8.1), and stops where the
# player to move has to choose.

SPY_DRAWS = 2


@jit
def deploy(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Put a unit into play for `player` and remember its ability for later."""
    side = landing_side(s, x, player, card)
    if side >= 0:
        place(s, x, side, row, card)
    if x.ability[card] & ON_ENTRY:
        stack_up(s, card, row, side)


@jit
def stack_up(s: State, card: Card, row: Row, side: Side) -> None:
    """Remember the ability of a card. Side -1 still has to be chosen."""
    s.stack[s.n_stack, 0] = card
    s.stack[s.n_stack, 1] = row
    s.stack[s.n_stack, 2] = side
    s.n_stack += 1


@jit
def send_spy(s: State, x: Context, side: Side) -> None:
    """Put the spy that waits for its recipient into play on this side (4.6.1)."""
    card = s.picked
    row = s.picked_row
    s.picked = 0
    place(s, x, side, row, card)
    stack_up(s, card, row, side)


@jit
def resolve_stack(s: State, x: Context, player: Player) -> None:
    """Carry out the abilities on the stack until it is empty or a choice is due."""
    while s.n_stack > 0 and s.phase == Phase.PLAY:
        s.n_stack -= 1
        card = s.stack[s.n_stack, 0]
        row = s.stack[s.n_stack, 1]
        side = s.stack[s.n_stack, 2]
        if side >= 0:
            carry_out(s, x, player, card, row, side)
        else:
            s.phase = Phase.RECIPIENT
            s.picked = card
            s.picked_row = row


@jit
def carry_out(
    s: State, x: Context, player: Player, card: Card, row: Row, side: Side
) -> None:
    """Carry out the ability of a unit that just came into play."""
    ability = x.ability[card]
    if ability & Ability.SPY:
        draw_cards(s, player, SPY_DRAWS)
    if ability & Ability.MUSTER:
        muster(s, x, player, x.calls[card])
    if ability & Ability.SCORCH:
        scorch_by_unit(s, x, card, row, side)
    act_on_rows(s, x, player, ability, row, side)
    if ability & Ability.MEDIC:
        begin_revival(s, x, player)


@jit
def act_on_rows(
    s: State, x: Context, player: Player, ability: int, row: Row, side: Side
) -> None:
    """Carry out row scorches and Berserkers, for a player or for the automa."""
    if ability & Ability.SCORCH_CLOSE:
        scorch_enemies(s, x, player, RowName.CLOSE.value)
    if ability & Ability.SCORCH_RANGED:
        scorch_enemies(s, x, player, RowName.RANGED.value)
    if ability & Ability.SCORCH_SIEGE:
        scorch_enemies(s, x, player, RowName.SIEGE.value)
    if ability & (Ability.MARDROEME | Ability.BERSERKER):
        turn_berserkers(s, x, side, row)


@jit
def list_units(s: State, x: Context, side: Side) -> int:
    """List the non-hero units of a discard pile in `x.pool` and return their number."""
    count = 0
    for i in range(s.n_discard[side]):
        if x.kind[s.discard[side, i]] == Kind.UNIT:
            x.pool[count] = s.discard[side, i]
            count += 1
    return count


@jit
def begin_revival(s: State, x: Context, player: Player) -> None:
    """Begin to revive a unit, chosen by the player or by chance."""
    count = list_units(s, x, x.side[player])
    # "Empty or unsuitable pile: nothing."
    if count == 0:
        return
    s.phase = Phase.MEDIC
    s.picked = 0
    # Invader of the North: at random, for both players (1.9.2)
    if s.random_revival:
        card = x.pool[pick(s, x, count, RandomPick.REVIVED.value, player, 1)]
        s.picked = card
        if not x.ability[card] & Ability.AGILE:
            revive(s, x, player, card, only_row(x, card))


@jit
def revive(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Play a unit of the player's own discard pile "at once as if from hand"."""
    s.phase = Phase.PLAY
    s.picked = 0
    remove_from_discard(s, x.side[player], card)
    deploy(s, x, player, card, row)


@jit
def muster(s: State, x: Context, player: Player, family: int) -> None:
    """Put all cards of `family` from hand and deck into play, then shuffle the deck."""
    for i in range(s.n_hand[player] - 1, -1, -1):
        if x.family[s.hand[player, i]] == family:
            call_card(s, x, player, take_from_hand_at(s, player, i), family)
    count = 0
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        if x.family[card] == family:
            call_card(s, x, player, card, family)
        else:
            s.deck[player, count] = card
            count += 1
    s.n_deck[player] = count
    shuffle_deck(s, x, player)


@jit
def call_card(s: State, x: Context, player: Player, card: Card, family: int) -> None:
    """Bring a mustered card into play, without a call of its own family."""
    deploy(s, x, player, card, only_row(x, card))
    if x.ability[card] & ON_ENTRY == Ability.MUSTER and x.calls[card] == family:
        s.n_stack -= 1


# -----------------------------------------------------------------------------
# The abilities, each with the function that has a branch for it
#
# Loading refuses an ability missing here, or not named in its function. `automa` has
# the abilities that the automa carries out in another way.

ON_ROWS: dict[Ability, Carried] = {
    Ability.SCORCH_CLOSE: act_on_rows,
    Ability.SCORCH_RANGED: act_on_rows,
    Ability.SCORCH_SIEGE: act_on_rows,
    Ability.MARDROEME: act_on_rows,
    Ability.BERSERKER: act_on_rows,
}
ENTRY_ABILITIES: dict[Ability, Carried] = ON_ROWS | {
    Ability.SPY: carry_out,
    Ability.MEDIC: carry_out,
    Ability.MUSTER: carry_out,
    Ability.SCORCH: carry_out,
}
"""The abilities of a unit that comes into play."""
ON_ENTRY = sum(ENTRY_ABILITIES)

STANDING_ABILITIES: dict[Ability, Carried] = {
    Ability.TIGHT_BOND: strength_in_row,
    Ability.MORALE_BOOST: strength_in_row,
    Ability.COMMANDERS_HORN: strength_in_row,
    Ability.SUMMON_AVENGER: leave_board,
}
UNIT_ABILITIES = ENTRY_ABILITIES | STANDING_ABILITIES | {Ability.AGILE: begin_revival}
SPECIAL_ABILITIES: dict[Ability, Carried] = {
    Ability.DECOY: play_special,
    Ability.SCORCH: play_special,
    Ability.COMMANDERS_HORN: lay_beside_row,
    Ability.MARDROEME: row_has_mardroeme,
}
"""The abilities of special cards, which have one each."""
WEATHER_CARD_ABILITIES: dict[Ability, Carried] = {
    Ability.WEATHER_FROST: weather_index,
    Ability.WEATHER_FOG: weather_index,
    Ability.WEATHER_RAIN: weather_index,
    Ability.WEATHER_STORM: weather_index,
    Ability.WEATHER_CLEAR: weather_index,
}
ABILITIES = SPECIAL_ABILITIES | UNIT_ABILITIES | WEATHER_CARD_ABILITIES
