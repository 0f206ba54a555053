"""Abilities of cards, and leaders."""

from __future__ import annotations

from deckcheck.engine.jit import Card, Context, Player, Row, Side, State, jit
from deckcheck.engine.primitives import LeaderState
from deckcheck.engine.registry import Carried, UnplayedCode
from deckcheck.engine.sg_gwint.board import (
    IN_SLOT,
    add_to_hand,
    bring_lager,
    bury,
    bury_below,
    can_land,
    can_return,
    clear_sky,
    draw_cards,
    has_fetch,
    has_target,
    is_immune,
    is_unit,
    lift,
    locate,
    may_stay,
    note_sky_rows,
    place,
    remove_from_deck,
    rescore,
    row_effects,
    row_weather,
    scorch_all,
    scorch_row,
    shuffle_deck,
    stack_up,
    strength_in_row,
    strongest,
    summon_for,
    take_from_reserves,
    under_mardroeme,
)
from deckcheck.engine.sg_gwint.codes import Ability, Leader, Phase

# -----------------------------------------------------------------------------
# Abilities of cards that come into play (rules 8 to 10), with a function for each
#
# A stack has the cards to come into play and the abilities to use. `resolve` takes them
# from the top, and stops where a player has to choose (rules 9.27).

# Abilities that work on the row of their unit, or on the opposite row.
IN_ITS_ROW = int(
    Ability.MARDROEME | Ability.TRANSFORM | Ability.DEMOTIVATION | Ability.ROW_SCORCH
)
# Abilities that ask for a card on the battlefield, and the phase of the choice.
CHOICE_PHASES = (
    (int(Ability.DEVOUR), int(Phase.DEVOUR)),
    (int(Ability.ATTACH), int(Phase.ATTACH)),
    (int(Ability.RELOCATE), int(Phase.RELOCATE)),
    (int(Ability.MANIPULATION), int(Phase.MANIPULATE)),
    (int(Ability.DIPLOMACY), int(Phase.DIPLOMACY)),
    (int(Ability.DESTROY_UNIT), int(Phase.DESTROY)),
    (int(Ability.DECOY), int(Phase.DECOY)),
)


@jit
def resolve(s: State, x: Context) -> None:
    """Carry out the stack until it is empty or a choice is due."""
    while s.n_stack > 0 and s.phase == Phase.PLAY:
        top = s.n_stack - 1
        # The columns are as in `stack_up`.
        card = s.stack[top, 0]
        player = s.stack[top, 1]
        ident = s.stack[top, 2]
        abilities = s.stack[top, 3]
        if ident == 0:
            # Not in play yet: its abilities are those that it will not use.
            s.n_stack -= 1
            bring_into_play(s, x, player, card, abilities)
        elif abilities == 0:
            s.n_stack -= 1
        else:
            ability = abilities & -abilities
            s.stack[top, 3] = abilities - ability
            carry_out(s, x, player, card, ident, ability)


@jit
def bring_into_play(
    s: State, x: Context, player: Player, card: Card, spent: int
) -> None:
    """Bring a card into play. Its player chooses the row where several are possible.

    `spent` are the abilities that the card does not use.
    """
    if not is_unit(x, card) and not x.ability[card] & IN_SLOT:
        land(s, x, player, card, player, 0, spent)
        return
    count = 0
    side, row = 0, 0
    for other_side in range(2):
        for other_row in range(s.n_row.shape[1]):
            if can_land(s, x, player, card, other_side, other_row):
                side, row = other_side, other_row
                count += 1
    if count == 0:
        bury(s, x, card)
    elif count == 1:
        land(s, x, player, card, side, row, spent)
    else:
        s.phase = Phase.LAND
        s.turn = player
        s.picked = card
        s.picked_drop = spent


@jit
def land(
    s: State, x: Context, player: Player, card: Card, side: Side, row: Row, spent: int
) -> None:
    """Lay a card down by its kind, and put the abilities that it uses on the stack.

    `spent` are the abilities that the card does not use.
    """
    # `ON_ENTRY` is with the tables at the end.
    abilities = x.ability[card] & ON_ENTRY & ~spent
    if is_unit(x, card):
        # "Played on the enemy side; then its player draws one card" (9.22)
        if side == player:
            abilities &= ~Ability.SPY.value
        ident = place(s, x, side, row, card)
        if x.ability[card] & Ability.MAHAKAM_LAGER & ~spent:
            bring_lager(s, x, side, row, ident)
        stack_up(s, card, player, ident, abilities)
        return
    if abilities & Ability.WEATHER:
        lay_weather(s, x, card)
    elif x.ability[card] & IN_SLOT:
        s.slot[side, row] = card
        rescore(s, x, side, row)
        transform_row(s, x, side, row)
    elif not abilities & Ability.ATTACH:
        # "One-shots go to the graveyard after use" (8.10)
        bury(s, x, card)
    # Weather and Mardroeme are carried out. The other abilities have no row.
    abilities &= ~(Ability.WEATHER.value | Ability.MARDROEME.value)
    stack_up(s, card, player, -1, abilities)


@jit
def lay_weather(s: State, x: Context, card: Card) -> None:
    """Play a weather card. A second card of its kind is buried at once (8.4)."""
    for i in range(s.n_sky):
        if x.plain[s.sky[i]] == x.plain[card]:
            bury(s, x, card)
            return
    s.sky[s.n_sky] = card
    s.n_sky += 1
    note_sky_rows(s, x)


@jit
def carry_out(
    s: State, x: Context, player: Player, card: Card, ident: int, ability: int
) -> None:
    """Carry out an ability of a unit on the board, or of a special."""
    if ability == Ability.SPY:
        draw_cards(s, x, player, 1)
    elif ability == Ability.MUSTER:
        muster(s, x, player, card)
    elif ability == Ability.BRING_RESERVES:
        bring_reserves(s, x, player, card)
    elif ability == Ability.SCORCH:
        scorch_all(s, x)
    elif ability == Ability.CLEAR_WEATHER:
        clear_sky(s, x)
    elif ability & IN_ITS_ROW:
        # A unit that has left the board has no row.
        side, row, _ = locate(s, ident)
        if side >= 0:
            act_in_row(s, x, card, ability, side, row)
    else:
        offer_choice(s, x, player, card, ident, ability)


@jit
def act_in_row(
    s: State, x: Context, card: Card, ability: int, side: Side, row: Row
) -> None:
    """Carry out an ability that works on its unit's row or the opposite row."""
    if ability == Ability.DEMOTIVATION:
        # The token belongs to the card's owner (9.1)
        token = x.demotivation[x.owner[card]]
        if token and take_from_reserves(s, x, token):
            place(s, x, 1 - side, row, token)
    elif ability == Ability.ROW_SCORCH:
        scorch_row(s, x, 1 - side, row)
    else:
        transform_row(s, x, side, row)


@jit
def offer_choice(
    s: State, x: Context, player: Player, card: Card, ident: int, ability: int
) -> None:
    """Ask the player to choose for an ability, if there is a choice (9.26)."""
    if ability == Ability.EXCHANGE:
        draw_cards(s, x, player, 1)
        if s.n_hand[player] > 0:
            await_choice(s, player, Phase.EXCHANGE.value, ident)
    elif ability == Ability.REINFORCEMENT:
        has_unit = has_target(s, x, Phase.REINFORCE.value, ident, player)
        if has_unit and reinforcement(s, x, player, card) > 0:
            await_choice(s, player, Phase.REINFORCE.value, ident)
            s.picked = card
    elif ability == Ability.MOVE_WEATHER:
        if s.n_sky > 0:
            await_choice(s, player, Phase.SKY.value, ident)
    elif ability == Ability.MEDIC:
        if any_return(s, x, player):
            await_choice(s, player, Phase.MEDIC.value, ident)
    else:
        choose_unit(s, x, player, card, ident, ability)


@jit
def choose_unit(
    s: State, x: Context, player: Player, card: Card, ident: int, ability: int
) -> None:
    """Ask for a card on the battlefield, if there is any to choose (9.26)."""
    if ability == Ability.DIPLOMACY:
        s.n_moved = 0
    # A unit that has left the board cannot devour.
    side, _, _ = locate(s, ident)
    if ability == Ability.DEVOUR and side < 0:
        return
    for asking, phase in CHOICE_PHASES:
        if ability == asking:
            if has_target(s, x, phase, ident, player):
                await_choice(s, player, phase, ident)
                s.picked = card
                s.to_move = x.relocates[card]
            elif ability == Ability.ATTACH:
                # Nothing to attach it to.
                bury(s, x, card)
            return
    raise UnplayedCode("an ability that no function plays")


@jit
def any_return(s: State, x: Context, player: Player) -> bool:
    """Report whether a unit of the graveyard may return."""
    for i in range(s.n_discard[player]):
        if can_return(x, s.discard[player, i]):
            return True
    return False


@jit
def await_choice(s: State, player: Player, phase: int, ident: int) -> None:
    """Let `player` choose something for the unit `ident`."""
    s.phase = phase
    s.turn = player
    s.acting = ident


@jit
def muster(s: State, x: Context, player: Player, card: Card) -> None:
    """Play all cards of the family without a shield from the deck (9.8, 4.8)."""
    family = x.calls[card]
    count = 0
    for i in range(s.n_deck[player]):
        other = s.deck[player, i]
        if x.family[other] == family and not x.shield[other]:
            # Its own call of this family would find nothing.
            unused = Ability.MUSTER.value if x.calls[other] == family else 0
            stack_up(s, other, player, 0, unused)
        else:
            s.deck[player, count] = other
            count += 1
    s.n_deck[player] = count
    shuffle_deck(s, x, player)


@jit
def bring_reserves(s: State, x: Context, player: Player, card: Card) -> None:
    """Bring cards from the reserves of the card's owner, not of its player (10.1)."""
    for _ in range(x.brought[card]):
        if take_from_reserves(s, x, x.brings[card]):
            stack_up(s, x.brings[card], player, 0, 0)


@jit
def transform_row(s: State, x: Context, side: Side, row: Row) -> None:
    """Transform every unit of a row under Mardroeme that can (9.13, 9.14)."""
    if not under_mardroeme(s, x, side, row):
        return
    i = 0
    while i < s.n_row[side, row]:
        card = s.row[side, row, i]
        after = x.becomes[card]
        may_turn = x.ability[card] & Ability.TRANSFORM != 0 and not x.shield[card]
        if may_turn and take_from_reserves(s, x, after):
            ident = s.ident[side, row, i]
            lift(s, side, row, i)
            bury_below(s, x, ident, 0)
            s.n_removed += 1
            stack_up(s, after, side, 0, 0)
        else:
            i += 1
    rescore(s, x, side, row)


@jit
def reinforcement(s: State, x: Context, player: Player, card: Card) -> Card:
    """Return the reserves' Reinforcement token of the card's number, or 0."""
    for index in range(x.n_reserves):
        token = x.reserve_card[player, index]
        if (
            s.reserves[player, index] > 0
            and x.ability[token] & Ability.REINFORCEMENT_TOKEN
            and x.adds[token] == x.reinforces[card]
        ):
            return token
    return 0


@jit
def move_unit(s: State, x: Context, side: Side, row: Row, index: int, to: Row) -> None:
    """Move a unit with all cards under it to another row of its side."""
    last = s.n_row[side, to]
    extra = s.extra[side, row, index]
    ident = s.ident[side, row, index]
    stayed = s.stayed[side, row, index]
    card = lift(s, side, row, index)
    s.row[side, to, last] = card
    s.extra[side, to, last] = extra
    s.ident[side, to, last] = ident
    s.stayed[side, to, last] = stayed
    s.n_row[side, to] += 1
    rescore(s, x, side, row)
    rescore(s, x, side, to)
    # "Moved into a row under Mardroeme is activated as one that is played there" (11.3)
    transform_row(s, x, side, to)


# -----------------------------------------------------------------------------
# Leaders (rules 3.9 to 3.13 and 10)


@jit
def leader_is_playable(s: State, x: Context, player: Player) -> bool:
    """Report whether the leader is unused and has an effect (3.9, 3.13)."""
    leader = x.leader[player]
    if s.leader_state[player] != LeaderState.READY:
        return False
    if leader == Leader.NONE or leader == Leader.LINKED_CARDS:
        return False
    if leader == Leader.CLEAR_WEATHER:
        return any_weather(s, x)
    if leader == Leader.SCORCH:
        return any_to_burn(s, x)
    if leader == Leader.DRAW_CARDS:
        return s.n_deck[player] > 0
    if leader == Leader.WEATHER:
        return True
    return has_fetch(s, x, player)


@jit
def any_weather(s: State, x: Context) -> bool:
    """Report whether weather works anywhere."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            if row_weather(s, x, side, row):
                return True
    return False


@jit
def any_to_burn(s: State, x: Context) -> bool:
    """Report whether any row has a unit without a shield."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            if strongest(s, x, side, row) >= 0:
                return True
    return False


@jit
def use_leader(s: State, x: Context, player: Player) -> None:
    """Play the leader. A card follows unless the leader is a turn (3.10)."""
    s.leader_state[player] = LeaderState.USED
    if x.free[player]:
        s.must_play = 1
    else:
        s.turn_over = 1
    leader = x.leader[player]
    if leader == Leader.CLEAR_WEATHER:
        clear_sky(s, x)
    elif leader == Leader.SCORCH:
        scorch_all(s, x)
    elif leader == Leader.DRAW_CARDS:
        draw_cards(s, x, player, x.leader_amount[player])
    elif leader == Leader.WEATHER:
        # "Counts as a weather card" (10.10)
        lay_weather(s, x, x.leader_card[player])
    elif leader <= Leader.WEATHER_FROM_DECK:
        # The leaders up to this one take a card from the deck.
        s.phase = Phase.FROM_DECK
    else:
        raise UnplayedCode("a leader whom no function plays")


@jit
def fetch(s: State, x: Context, player: Player, card: Card) -> None:
    """Take a card of the deck into play with the leader, or by option to the hand."""
    remove_from_deck(s, x, player, card)
    if x.pulled_to_hand and x.leader[player] == Leader.PULL_UNIT:
        add_to_hand(s, x, player, card, 1)
    else:
        stack_up(s, card, player, 0, 0)


# -----------------------------------------------------------------------------
# Abilities and leaders, each with the function or table of its branch
#
# Loading refuses a code missing here, or not named in its function.

ENTRY_ABILITIES: dict[Ability, Carried] = {
    Ability.SPY: carry_out,
    Ability.EXCHANGE: offer_choice,
    Ability.MUSTER: carry_out,
    Ability.BRING_RESERVES: carry_out,
    Ability.MARDROEME: under_mardroeme,
    Ability.TRANSFORM: transform_row,
    Ability.DEVOUR: choose_unit,
    Ability.REINFORCEMENT: offer_choice,
    Ability.ATTACH: choose_unit,
    Ability.DEMOTIVATION: act_in_row,
    Ability.RELOCATE: dict(CHOICE_PHASES),
    Ability.MANIPULATION: dict(CHOICE_PHASES),
    Ability.DIPLOMACY: choose_unit,
    Ability.DESTROY_UNIT: dict(CHOICE_PHASES),
    Ability.ROW_SCORCH: act_in_row,
    Ability.SCORCH: carry_out,
    Ability.WEATHER: land,
    Ability.CLEAR_WEATHER: carry_out,
    Ability.MOVE_WEATHER: offer_choice,
    Ability.DECOY: dict(CHOICE_PHASES),
    Ability.MEDIC: offer_choice,
}
"""The abilities that a card uses from the stack when it comes into play."""
ON_ENTRY = sum(ENTRY_ABILITIES)
# The abilities of a card that comes into play, from the stack or at once.
ENTRY_OR_LAGER = ON_ENTRY | int(Ability.MAHAKAM_LAGER)

ABILITIES: dict[Ability, Carried] = ENTRY_ABILITIES | {
    Ability.TENACITY: may_stay,
    Ability.IMMUNITY: is_immune,
    Ability.TIGHT_BOND: strength_in_row,
    Ability.MORALE_BOOST: strength_in_row,
    Ability.MAHAKAM_LAGER: row_effects,
    Ability.GUARDIAN: summon_for,
    Ability.DEMOTIVATION_TOKEN: row_effects,
    Ability.REINFORCEMENT_TOKEN: reinforcement,
}
LEADERS: dict[Leader, Carried] = {
    Leader.PULL_UNIT: fetch,
    Leader.WEATHER_FROM_DECK: use_leader,
    Leader.WEATHER: use_leader,
    Leader.CLEAR_WEATHER: use_leader,
    Leader.SCORCH: use_leader,
    Leader.DRAW_CARDS: use_leader,
    Leader.LINKED_CARDS: leader_is_playable,
    Leader.WEATHERPROOF: is_immune,
}
