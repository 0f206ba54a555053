"""The cards of the automa (rules 6.5), carried out by a plan.

The same functions work on the game and on the copy in which a plan is tried.
"""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Deed, Kind, Lot, RowName, Slot
from deckcheck.engine.games.gwent.rules.abilities import (
    ON_ENTRY,
    SPY_DRAWS,
    act_on_rows,
    list_units,
    stack_up,
)
from deckcheck.engine.games.gwent.rules.board import may_lie_in, place
from deckcheck.engine.games.gwent.rules.rounds import better_row
from deckcheck.engine.games.gwent.rules.scorch import scorch_side
from deckcheck.engine.games.gwent.rules.specials import SLOT_ABILITIES, lay_beside_row
from deckcheck.engine.games.gwent.rules.weather import play_weather
from deckcheck.engine.games.gwent.solo.deeds import NO_ROW, note_deed
from deckcheck.engine.games.gwent.solo.plans import (
    add_option,
    add_option_once,
    decide,
    option_card,
    option_row,
    row_rank,
)
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.engine.history import extended
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import (
    discard,
    remove_from_deck,
    remove_from_discard,
    shuffle_deck,
)
from deckcheck.engine.scripted import pick
from deckcheck.engine.types import Card, Context, Row, Side, State

# What is played: a card at hand, or the best one of a place.
CARD = 0
OWN_PILE = 1
USER_PILE = 2
TIGHT_BOND = 3
MARDROEME = 4

DRAWN = 0  # on the stack in the place of a card: the next cell is one to be played
FULL_ROW, ROW_RANKS = 63, 4  # ranks of a horn: first the cards of a row, then its place

NOT_MUSTER = int(ON_ENTRY & ~Ability.MUSTER)
NOT_SPY = int(ON_ENTRY & ~Ability.SPY)


@jit
def draw(s: State) -> Card:
    """The top card of the automa's deck, 0 if there is none."""
    if s.n_deck[AUTOMA] == 0:
        return 0
    s.n_deck[AUTOMA] -= 1
    card = s.deck[AUTOMA, s.n_deck[AUTOMA]]
    s.history = extended(s.history, card)
    return card


@jit
def begin(s: State, x: Context, what: int, card: Card) -> None:
    """Play the card, or the card of a pile or of the deck that the plan takes."""
    if what == CARD:
        lay(s, x, card)
    elif what == OWN_PILE:
        count = pile_options(s, x, AUTOMA)
        if count:
            chosen = option_card(decide(x, count))
            remove_from_discard(s, AUTOMA, chosen)
            lay(s, x, chosen)
    elif what == USER_PILE:
        count = pile_options(s, x, USER)
        if count:
            chosen = option_card(decide(x, count))
            remove_from_discard(s, USER, chosen)
            lay_on_own_side(s, x, chosen)
    else:
        count = deck_options(s, x, what)
        if count:
            chosen = option_card(decide(x, count))
            remove_from_deck(s, AUTOMA, chosen)
            shuffle_in_earnest(s, x)
            lay(s, x, chosen)


@jit
def pile_options(s: State, x: Context, side: Side) -> int:
    """Each different card of a discard pile; returns how many.

    Heroes are left out; of the user's pile they may be taken by option (6.7.15).
    """
    count = 0
    heroes = side == USER and x.relentless_takes_heroes
    for i in range(s.n_discard[side]):
        if heroes or x.kind[s.discard[side, i]] != Kind.HERO:
            count = add_option_once(x, count, 0, 0, s.discard[side, i])
    return count


@jit
def deck_options(s: State, x: Context, what: int) -> int:
    """The tight-bond units, or the first Mardroeme card, of the automa's deck."""
    count = 0
    for i in range(s.n_deck[AUTOMA] - 1, -1, -1):
        card = s.deck[AUTOMA, i]
        ability = x.ability[card]
        if what == TIGHT_BOND:
            if x.kind[card] == Kind.UNIT and ability & Ability.TIGHT_BOND:
                count = add_option_once(x, count, 0, 0, card)
        elif x.kind[card] == Kind.SPECIAL and ability & Ability.MARDROEME:
            return add_option(x, count, 0, 0, card)
    return count


@jit
def chains(x: Context, card: Card) -> bool:
    """Whether another turn follows: after weather, Clear Weather included (6.2.7)."""
    if x.kind[card] != Kind.WEATHER:
        return False
    return not (x.clear_weather_ends_turn and x.ability[card] & Ability.WEATHER_CLEAR)


@jit
def note_drawn(s: State, x: Context, card: Card) -> None:
    """Weather that a spy or a leader draws gives another turn too (6.2.9)."""
    if chains(x, card) and not x.drawn_weather_ends_turn:
        s.more_turns += 1


@jit
def shuffle_in_earnest(s: State, x: Context) -> None:
    """Shuffle the automa's deck, but not while a plan is tried."""
    if not s.trying:
        shuffle_deck(s, x, AUTOMA)


@jit
def lay(s: State, x: Context, card: Card) -> None:
    """Lay a card down; abilities of units wait on the stack."""
    if x.kind[card] == Kind.WEATHER:
        note_deed(s, x, Deed.PLAY.value, card, NO_ROW, AUTOMA)
        play_weather(s, x, AUTOMA, card)
    elif x.kind[card] == Kind.SPECIAL:
        lay_special(s, x, card)
    else:
        # "Spy: lies on your side as usual"
        side = USER if x.ability[card] & Ability.SPY else AUTOMA
        enter(s, x, side, planned_row(x, card), card, ON_ENTRY)


@jit
def lay_on_own_side(s: State, x: Context, card: Card) -> None:
    """The Relentless: a card of the user comes to the automa's side, a spy as well."""
    if x.kind[card] >= Kind.SPECIAL:
        lay(s, x, card)
    else:
        enter(s, x, AUTOMA, planned_row(x, card), card, NOT_SPY)


@jit
def planned_row(x: Context, card: Card) -> Row:
    """The row of a unit; for one that may lie in several the plan says which."""
    count = 0
    for row in range(RowName.SIEGE.value + 1):
        if may_lie_in(x, card, row):
            count = add_option(x, count, row_rank(x, row), row, card)
    return option_row(decide(x, count))


@jit
def enter(
    s: State, x: Context, side: Side, row: Row, card: Card, entry_abilities: int
) -> None:
    """Put a unit into play; these abilities of it will be carried out."""
    note_deed(s, x, Deed.LAY.value, card, row, side)
    place(s, x, side, row, card)
    if x.ability[card] & entry_abilities:
        stack_up(s, card, row, side)


@jit
def lay_special(s: State, x: Context, card: Card) -> None:
    """Decoy, Scorch, and what lies beside a row."""
    ability = x.ability[card]
    if ability & Ability.DECOY:
        hide(s, x, card)
    elif ability & Ability.SCORCH:
        # "only your side of the battlefield is affected" (6.5.2)
        note_deed(s, x, Deed.PLAY.value, card, NO_ROW, AUTOMA)
        scorch_side(s, x, USER)
        discard(s, AUTOMA, card)
    elif ability & SLOT_ABILITIES:
        lay_beside_best_row(s, x, card)
    else:
        raise UnplayedCode("special")


@jit
def hide(s: State, x: Context, decoy: Card) -> None:
    """Decoy: "the top card is put face down, unseen, under the Decoy" (6.5.7)."""
    if s.trying:
        return
    card = draw(s)
    if card:
        s.hidden[s.n_hidden, 0] = card
        s.hidden[s.n_hidden, 1] = decoy
        s.n_hidden += 1
        note_deed(s, x, Deed.HIDE.value, decoy, NO_ROW, AUTOMA)
    else:
        discard(s, AUTOMA, decoy)
        note_deed(s, x, Deed.PLAY.value, decoy, NO_ROW, AUTOMA)


@jit
def lay_beside_best_row(s: State, x: Context, card: Card) -> None:
    """A horn or Mardroeme goes to its best free row, else to the discard pile.

    "Equal rows: the one with more cards" (6.5.1).
    """
    horn = x.ability[card] & Ability.COMMANDERS_HORN
    count = 0
    for row in range(s.slot.shape[1]):
        if s.slot[AUTOMA, row] == Slot.EMPTY:
            rank = row_rank(x, row)
            if horn:
                rank += (FULL_ROW - s.n_row[AUTOMA, row]) * ROW_RANKS
            count = add_option(x, count, rank, row, card)
    if count == 0:
        note_deed(s, x, Deed.PLAY.value, card, NO_ROW, AUTOMA)
        discard(s, AUTOMA, card)
        return
    row = option_row(decide(x, count))
    note_deed(s, x, Deed.LAY.value, card, row, AUTOMA)
    lay_beside_row(s, x, AUTOMA, card, row)


@jit
def carry_out(s: State, x: Context, card: Card, row: Row, side: Side) -> None:
    """The abilities of a unit that just came into play."""
    ability = x.ability[card]
    if ability & Ability.MUSTER:
        muster(s, x, x.calls[card])
    if ability & Ability.SCORCH:
        scorch_side(s, x, USER)
    act_on_rows(s, x, AUTOMA, ability, row, side)
    if ability & Ability.MEDIC:
        revive(s, x)
    if ability & Ability.SPY and not s.trying:
        draw_for_spy(s)


@jit
def draw_for_spy(s: State) -> None:
    """Spy: "at once draws two cards and deploys both" (6.5.4), the first one first.

    Both are drawn before either is deployed: none finds the other in the deck.
    """
    first = s.n_stack
    for _ in range(SPY_DRAWS):
        card = draw(s)
        if card:
            stack_up(s, DRAWN, card, AUTOMA)
    for i in range((s.n_stack - first) // 2):
        top = s.n_stack - 1 - i
        card = s.stack[first + i, 1]
        s.stack[first + i, 1] = s.stack[top, 1]
        s.stack[top, 1] = card


@jit
def muster(s: State, x: Context, family: int) -> None:
    """Find the first named card in the deck, deploy it, shuffle: one card (6.5.3)."""
    card = 0
    for i in range(s.n_deck[AUTOMA]):
        if x.family[s.deck[AUTOMA, i]] == family:
            card = s.deck[AUTOMA, i]
    if card:
        remove_from_deck(s, AUTOMA, card)
        enter(s, x, AUTOMA, planned_row(x, card), card, NOT_MUSTER)
    shuffle_in_earnest(s, x)


@jit
def revive(s: State, x: Context) -> None:
    """Medic: the unit of the pile that helps most, never a hero (6.5.6)."""
    count = list_units(s, x, AUTOMA)
    if count == 0:
        return
    if s.random_revival:
        if not s.trying:
            card = x.pool[pick(s, x, count, Lot.REVIVED.value, AUTOMA, 1)]
            come_back(s, x, card, better_row(s, x, AUTOMA, card))
        return
    options = 0
    for i in range(count):
        card = x.pool[i]
        for row in range(RowName.SIEGE.value + 1):
            if may_lie_in(x, card, row):
                options = add_option_once(x, options, row_rank(x, row), row, card)
    chosen = decide(x, options)
    come_back(s, x, option_card(chosen), option_row(chosen))


@jit
def take_random_unit(s: State, x: Context, lot: int) -> Card:
    """Take a random unit out of the automa's pile; 0 if there is none."""
    count = list_units(s, x, AUTOMA)
    if count == 0:
        return 0
    card = x.pool[pick(s, x, count, lot, AUTOMA, 1)]
    remove_from_discard(s, AUTOMA, card)
    return card


@jit
def come_back(s: State, x: Context, card: Card, row: Row) -> None:
    """A unit of the pile is played as if from the hand."""
    remove_from_discard(s, AUTOMA, card)
    side = USER if x.ability[card] & Ability.SPY else AUTOMA
    enter(s, x, side, row, card, ON_ENTRY)
