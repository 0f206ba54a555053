"""What cards do when they come into play (rules 1.6), one function per ability.

`deploy` puts a unit on the board and remembers its ability on a stack;
`resolve_stack` carries abilities out, depth first (rules 1.8.1), and stops where the
player to move has to choose.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.codes import Ability, Kind, Phase, Row, Slot
from deckcheck.engine.games.gwent.scoring import (
    rescore,
    rescore_all,
    unit_strength,
)
from deckcheck.engine.games.gwent.zones import (
    discard,
    draw_cards,
    pick,
    remove_from_deck,
    remove_from_discard,
    shuffle_deck,
    take_from_hand_at,
)
from deckcheck.engine.jit import jit

__all__ = [
    "ON_ENTRY",
    "arrive_summons",
    "begin_revival",
    "call_summons",
    "clear_weather",
    "deploy",
    "fetch_from_deck",
    "has_decoy_target",
    "landing_side",
    "leave_board",
    "muster",
    "only_row",
    "opponent",
    "place",
    "play_special",
    "play_weather",
    "remove_from_row",
    "resolve_stack",
    "revive",
    "scorch_board",
    "scorch_row",
    "turn_berserkers",
    "weather_index",
]

SCORCH_THRESHOLD = 10
SPY_DRAWS = 2
ON_ENTRY = int(
    Ability.SPY
    | Ability.MEDIC
    | Ability.MUSTER
    | Ability.SCORCH
    | Ability.SCORCH_CLOSE
    | Ability.SCORCH_RANGED
    | Ability.SCORCH_SIEGE
    | Ability.MARDROEME
    | Ability.BERSERKER
)


@jit
def opponent(player: Any) -> Any:
    """The other player of a two-player game."""
    return 1 - player


@jit
def landing_side(x: Any, player: Any, card: Any) -> Any:
    """The side a unit of `player` lands on: spies go across (rules 1.6.5)."""
    if x.ability[card] & Ability.SPY:
        return x.side[opponent(player)]
    return x.side[player]


@jit
def only_row(x: Any, card: Any) -> Any:
    """The first row a card may lie in."""
    mask = x.rows[card]
    if mask & (1 << Row.CLOSE):
        return Row.CLOSE.value
    if mask & (1 << Row.RANGED):
        return Row.RANGED.value
    return Row.SIEGE.value


@jit
def place(s: Any, x: Any, side: Any, row: Any, card: Any) -> Any:
    """Put a card at the end of a row."""
    s.row[side, row, s.n_row[side, row]] = card
    s.n_row[side, row] += 1
    rescore(s, x, side, row)


@jit
def remove_from_row(s: Any, side: Any, row: Any, index: Any) -> Any:
    """Take the card at `index` out of a row and return it; totals are not updated."""
    card = s.row[side, row, index]
    s.n_row[side, row] -= 1
    for i in range(index, s.n_row[side, row]):
        s.row[side, row, i] = s.row[side, row, i + 1]
    return card


@jit
def deploy(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Put a unit into play for `player` and remember its ability for later."""
    place(s, x, landing_side(x, player, card), row, card)
    if x.ability[card] & ON_ENTRY:
        s.stack[s.n_stack, 0] = card
        s.stack[s.n_stack, 1] = row
        s.n_stack += 1


@jit
def resolve_stack(s: Any, x: Any, player: Any) -> Any:
    """Carry out the abilities on the stack until it is empty or a choice is due."""
    while s.n_stack > 0 and s.phase == Phase.PLAY:
        s.n_stack -= 1
        carry_out(s, x, player, s.stack[s.n_stack, 0], s.stack[s.n_stack, 1])


@jit
def carry_out(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """The ability of a unit that just came into play."""
    ability = x.ability[card]
    if ability & Ability.SPY:
        draw_cards(s, player, SPY_DRAWS)
    if ability & Ability.MUSTER:
        muster(s, x, player, x.calls[card])
    if ability & Ability.SCORCH:
        scorch_by_unit(s, x, player, card, row)
    if ability & Ability.SCORCH_CLOSE:
        scorch_row(s, x, x.side[opponent(player)], Row.CLOSE.value)
    if ability & Ability.SCORCH_RANGED:
        scorch_row(s, x, x.side[opponent(player)], Row.RANGED.value)
    if ability & Ability.SCORCH_SIEGE:
        scorch_row(s, x, x.side[opponent(player)], Row.SIEGE.value)
    if ability & (Ability.MARDROEME | Ability.BERSERKER):
        turn_berserkers(s, x, landing_side(x, player, card), row)
    if ability & Ability.MEDIC:
        begin_revival(s, x, player)


# Medic (1.6.2)


@jit
def begin_revival(s: Any, x: Any, player: Any) -> Any:
    """A medic looks for a unit: the player chooses, or chance does."""
    side = x.side[player]
    count = 0
    for i in range(s.n_discard[side]):
        if x.kind[s.discard[side, i]] == Kind.UNIT:
            x.pool[count] = s.discard[side, i]
            count += 1
    # "Empty or unsuitable pile: nothing."
    if count == 0:
        return
    s.phase = Phase.MEDIC
    s.picked = 0
    # Invader of the North: at random, for both players (1.9.2)
    if s.random_revival:
        card = x.pool[pick(s, x, count)]
        s.picked = card
        if not x.ability[card] & Ability.AGILE:
            revive(s, x, player, card, only_row(x, card))


@jit
def revive(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Play a unit out of the own discard pile "at once as if from hand"."""
    s.phase = Phase.PLAY
    s.picked = 0
    remove_from_discard(s, x.side[player], card)
    deploy(s, x, player, card, row)


# Muster (1.6.4)


@jit
def muster(s: Any, x: Any, player: Any, family: Any) -> Any:
    """Put all cards of `family` from hand and deck into play, then shuffle the deck."""
    for i in range(s.n_hand[player] - 1, -1, -1):
        if x.family[s.hand[player, i]] == family:
            called(s, x, player, take_from_hand_at(s, player, i), family)
    kept = 0
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        if x.family[card] == family:
            called(s, x, player, card, family)
        else:
            s.deck[player, kept] = card
            kept += 1
    s.n_deck[player] = kept
    shuffle_deck(s, x, player)


@jit
def called(s: Any, x: Any, player: Any, card: Any, family: Any) -> Any:
    """One mustered card comes into play; its own call of the same family is void."""
    deploy(s, x, player, card, only_row(x, card))
    if x.ability[card] & ON_ENTRY == Ability.MUSTER and x.calls[card] == family:
        s.n_stack -= 1


# Scorch (1.6.8)


@jit
def scorch_board(s: Any, x: Any, spare_side: Any, spare_row: Any, spare: Any) -> Any:
    """Destroy the strongest units of the whole board; one card may be left out.

    The card at index `spare` of a row neither dies nor counts; -1 spares none.
    """
    best = -1
    for side in range(s.n_row.shape[0]):
        for row in range(s.n_row.shape[1]):
            skip = spare if side == spare_side and row == spare_row else -1
            best = max(best, strongest_unit(s, x, side, row, skip))
    victims = 0
    for side in range(s.n_row.shape[0]):
        for row in range(s.n_row.shape[1]):
            skip = spare if side == spare_side and row == spare_row else -1
            victims = mark_victims(s, x, side, row, best, skip, victims)
    destroy_marked(s, x, victims)


@jit
def scorch_by_unit(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Clan Dimun Pirate: "it never destroys itself and is left out"."""
    side = landing_side(x, player, card)
    own = -1
    if not x.pirate_hits_itself:
        for i in range(s.n_row[side, row]):
            if s.row[side, row, i] == card:
                own = i
    scorch_board(s, x, side, row, own)


@jit
def scorch_row(s: Any, x: Any, side: Any, row: Any) -> Any:
    """If the row totals 10 or more, heroes included, its strongest units die."""
    if s.total[side, row] >= SCORCH_THRESHOLD:
        best = strongest_unit(s, x, side, row, -1)
        destroy_marked(s, x, mark_victims(s, x, side, row, best, -1, 0))


@jit
def strongest_unit(s: Any, x: Any, side: Any, row: Any, skip: Any) -> Any:
    """Highest current strength of a non-hero unit in the row, -1 if there is none."""
    best = -1
    for i in range(s.n_row[side, row]):
        if i != skip and x.kind[s.row[side, row, i]] == Kind.UNIT:
            best = max(best, unit_strength(s, x, side, row, i))
    return best


@jit
def mark_victims(
    s: Any, x: Any, side: Any, row: Any, strength: Any, skip: Any, marked: Any
) -> Any:
    """Note the units of exactly this strength in `x.pool`; returns how many in all."""
    for i in range(s.n_row[side, row]):
        if i != skip and x.kind[s.row[side, row, i]] == Kind.UNIT:
            if unit_strength(s, x, side, row, i) == strength:
                x.pool[marked] = (side << 16) | (row << 12) | i
                marked += 1
    return marked


@jit
def destroy_marked(s: Any, x: Any, marked: Any) -> Any:
    """All victims leave together (rules 1.8.2), then what they summon arrives."""
    if marked == 0:
        return
    for i in range(marked - 1, -1, -1):
        side, row = x.pool[i] >> 16, (x.pool[i] >> 12) & 15
        card = remove_from_row(s, side, row, x.pool[i] & 4095)
        leave_board(s, x, side, row, card)
    rescore_all(s, x)
    arrive_summons(s, x)


# Leaving the board, and who comes instead (1.6.11)


@jit
def leave_board(s: Any, x: Any, side: Any, row: Any, card: Any) -> Any:
    """A card of a row goes to the discard pile of the side on which it lies."""
    if x.summoned_card_vanishes and x.side_index[card] >= 0:
        s.n_removed += 1
    else:
        discard(s, side, card)
    if x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, x, side, row, card)


@jit
def call_summons(s: Any, x: Any, side: Any, row: Any, card: Any) -> Any:
    """Note that what `card` summons shall come to `side`."""
    s.summons[s.n_summons, 0] = side
    s.summons[s.n_summons, 1] = row
    s.summons[s.n_summons, 2] = x.summoned[card]
    s.n_summons += 1


@jit
def arrive_summons(s: Any, x: Any) -> Any:
    """Summoned cards come from the side deck to their printed row."""
    for i in range(s.n_summons):
        side, card = s.summons[i, 0], s.summons[i, 2]
        row = s.summons[i, 1] if x.summoned_joins_row else only_row(x, card)
        if take_from_side_deck(s, x, side, card):
            place(s, x, side, row, card)
    s.n_summons = 0


@jit
def take_from_side_deck(s: Any, x: Any, side: Any, card: Any) -> Any:
    """Take a copy out of a side deck of that side; 1 if there was one, else 0."""
    index = x.side_index[card]
    for player in range(s.side_deck.shape[0]):
        if x.side[player] == side and index >= 0 and s.side_deck[player, index] > 0:
            s.side_deck[player, index] -= 1
            return 1
    return 0


# Mardroeme and Berserker (1.6.10)


@jit
def row_has_mardroeme(s: Any, x: Any, side: Any, row: Any) -> Any:
    """Whether a Mardroeme works on the row: the special, or a unit such as Ermion."""
    if s.slot[side, row] == Slot.MARDROEME:
        return True
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.MARDROEME:
            return True
    return False


@jit
def turn_berserkers(s: Any, x: Any, side: Any, row: Any) -> Any:
    """Turn every Berserker of a row on which a Mardroeme works."""
    if not row_has_mardroeme(s, x, side, row):
        return
    for i in range(s.n_row[side, row] - 1, -1, -1):
        card = s.row[side, row, i]
        if x.ability[card] & Ability.BERSERKER:
            if take_from_side_deck(s, x, side, x.becomes[card]):
                s.row[side, row, i] = x.becomes[card]
                s.n_removed += 1
            elif x.berserker_leaves:
                remove_from_row(s, side, row, i)
                s.n_removed += 1
    rescore(s, x, side, row)


# Weather and specials (1.6.7 to 1.6.12)


@jit
def weather_index(ability: Any) -> Any:
    """Which weather an ability is: frost, fog, rain, storm; -1 for Clear Weather."""
    if ability & Ability.WEATHER_FROST:
        return 0
    if ability & Ability.WEATHER_FOG:
        return 1
    if ability & Ability.WEATHER_RAIN:
        return 2
    if ability & Ability.WEATHER_STORM:
        return 3
    return -1


@jit
def play_weather(s: Any, x: Any, player: Any, card: Any) -> Any:
    """Put a weather card on the board; a second copy of a kind is discarded at once."""
    index = weather_index(x.ability[card])
    if index < 0:
        clear_weather(s, x)
        discard(s, x.side[player], card)
    elif s.weather[index]:
        discard(s, x.side[player], card)
    else:
        s.weather[index] = 1 + player
        s.weather_card[index] = card
        rescore_all(s, x)


@jit
def clear_weather(s: Any, x: Any) -> Any:
    """Weather cards go to the piles of the players who played them."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            discard(s, x.side[s.weather[index] - 1], s.weather_card[index])
            s.weather[index] = 0
    rescore_all(s, x)


@jit
def play_special(s: Any, x: Any, player: Any, card: Any, row: Any) -> Any:
    """Carry out a special card; `row` counts for those that lie beside a row."""
    ability = x.ability[card]
    side = x.side[player]
    if ability & Ability.DECOY:
        if has_decoy_target(s, x, side):
            s.phase = Phase.DECOY
            s.picked = card
        else:
            discard(s, side, card)
    elif ability & Ability.SCORCH:
        scorch_board(s, x, -1, -1, -1)
        discard(s, side, card)
    else:
        horn = ability & Ability.COMMANDERS_HORN
        s.slot[side, row] = Slot.HORN if horn else Slot.MARDROEME
        s.slot_card[side, row] = card
        turn_berserkers(s, x, side, row)
        rescore(s, x, side, row)


@jit
def has_decoy_target(s: Any, x: Any, side: Any) -> Any:
    """Whether a non-hero unit lies on the side (rules 1.6.9)."""
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if x.kind[s.row[side, row, i]] == Kind.UNIT:
                return True
    return False


@jit
def fetch_from_deck(s: Any, x: Any, player: Any, card: Any) -> Any:
    """Take `card` out of the deck and shuffle it."""
    remove_from_deck(s, player, card)
    shuffle_deck(s, x, player)
