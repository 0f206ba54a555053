"""The automa of Gwent for one: how it plans, plays cards and uses its leaders."""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.gwent.abilities import (
    ON_ENTRY,
    ON_ROWS,
    SLOT_ABILITIES,
    SPY_DRAWS,
    STANDING_ABILITIES,
    WEATHER_CARD_ABILITIES,
    act_on_rows,
    lay_beside_row,
    list_units,
    stack_up,
)
from deckcheck.engine.gwent.board import (
    NOWHERE,
    ROW_ANSWER,
    WEATHER_ABILITIES,
    destroy_marked,
    mark_on_side,
    may_lie_in,
    place,
    play_weather,
    remove_from_row,
    rescore,
    rescore_all,
    spared_unit,
    strongest_on_side,
)
from deckcheck.engine.gwent.codes import (
    Ability,
    AutomaAction,
    Kind,
    Leader,
    Phase,
    RandomPick,
    Slot,
)
from deckcheck.engine.gwent.leaders import (
    LEADERS_AT_ONCE,
    fetch_weather,
    note_passive_leaders,
    use_at_once,
)
from deckcheck.engine.gwent.rounds import better_row
from deckcheck.engine.gwent.state import AUTOMA, USER
from deckcheck.engine.jit import Card, Context, Row, Side, State, jit
from deckcheck.engine.primitives import (
    ROW_BIT,
    ROW_COUNT,
    LeaderState,
    RowName,
    copies,
    discard,
    draw_below,
    extend_history,
    move_card,
    move_row,
    pick,
    read_answer,
    remove_from_deck,
    remove_from_discard,
    shuffle,
    shuffle_deck,
    side_total,
)
from deckcheck.engine.registry import Carried, UnplayedCode

# -----------------------------------------------------------------------------
# A log of the automa's actions, for scenarios and replays

NO_ROW = -1


@jit
def note_action(
    s: State, x: Context, action: int, card: Card, row: Row, side: Side
) -> None:
    """Note an action, unless it is only tried or there is no room left."""
    if s.trying or x.n_actions == x.actions.shape[0]:
        return
    x.actions[x.n_actions, 0] = action
    x.actions[x.n_actions, 1] = card
    x.actions[x.n_actions, 2] = row
    x.actions[x.n_actions, 3] = side
    x.n_actions += 1


# -----------------------------------------------------------------------------
# The automa's choices: every choice of a play is an option of a plan
#
# A play is tried on a copy of the state, once for each plan, which is a way to make its
# choices. While a play runs it asks `decide`, which answers by the plan.

RANKED_CHOICES = 6  # choices whose ranks are compared
RANK_SIZE = 8  # bits of a rank in the rank of a plan

RANK_BIT = 16  # an option is a card and its row, as in a move, and above them its rank


@jit
def row_rank(x: Context, row: Row) -> int:
    """Return the rank of a row. The lowest wins ties, unless all are random (6.2.7)."""
    return 0 if x.automa_ties_random else row


@jit
def add_option(x: Context, count: int, rank: int, row: Row, card: Card) -> int:
    """Append an option and return the new number of options."""
    x.option[count] = rank << RANK_BIT | row << ROW_BIT | card
    return count + 1


@jit
def add_option_once(x: Context, count: int, rank: int, row: Row, card: Card) -> int:
    """Append an option unless it is in the list already."""
    option = rank << RANK_BIT | row << ROW_BIT | card
    if copies(x.option, count, option) > 0:
        return count
    return add_option(x, count, rank, row, card)


@jit
def start_plan(x: Context) -> None:
    """Follow the plan from its first choice."""
    x.depth = 0
    x.rank = 0


@jit
def decide(x: Context, count: int) -> int:
    """Return the option that the plan takes, or the first beyond the plan's end."""
    step = x.depth
    if count == 1 or step >= x.plan.shape[0]:
        return x.option[0]
    if step >= x.n_plan:
        x.plan[step] = 0
        x.n_plan = step + 1
    x.n_options[step] = count
    x.depth = step + 1
    option = x.option[x.plan[step]]
    if step < RANKED_CHOICES:
        x.rank += (option >> RANK_BIT) << RANK_SIZE * (RANKED_CHOICES - 1 - step)
    x.chosen[step] = option
    return option


@jit
def next_plan(x: Context) -> bool:
    """Go to the next plan, another way to make the choices. False after the last."""
    step = x.depth - 1
    while step >= 0 and x.plan[step] + 1 >= x.n_options[step]:
        step -= 1
    if step < 0:
        return False
    x.plan[step] += 1
    x.n_plan = step + 1
    return True


@jit
def keep_tie(x: Context, ties: int) -> int:
    """Remember the plan as number `ties` of the best plans and return their number."""
    if ties == x.tie.shape[0]:
        return ties
    for i in range(x.depth):
        x.tie[ties, i] = x.plan[i]
        x.tie_option[ties, i] = x.chosen[i]
    x.tie_length[ties] = x.depth
    return ties + 1


@jit
def scripted_tie(x: Context, ties: int) -> int:
    """Return the plan that the script chooses, by differing cards and rows."""
    for i in range(ties):
        x.tie_counts[i] = 1
    for step in range(x.plan.shape[0]):
        keep_scripted_plans(x, ties, step, RandomPick.PLAN.value)
        keep_scripted_plans(x, ties, step, RandomPick.ROW.value)
    for i in range(ties):
        if x.tie_counts[i]:
            return i
    return 0


@jit
def keep_scripted_plans(x: Context, ties: int, step: int, cause: int) -> None:
    """Keep the plans whose choice number `step` is of the card or row of the script."""
    count = 0
    for i in range(ties):
        if x.tie_counts[i] and step < x.tie_length[i]:
            value = card_or_row(x.tie_option[i, step], cause)
            if copies(x.pool, count, value) == 0:
                x.pool[count] = value
                count += 1
    if count < 2 or x.script_error:
        return
    base = 0 if cause == RandomPick.PLAN else ROW_ANSWER
    answer = x.pool[read_answer(x, count, cause, AUTOMA, base, True)]
    for i in range(ties):
        has_step = step < x.tie_length[i]
        if not has_step or card_or_row(x.tie_option[i, step], cause) != answer:
            x.tie_counts[i] = 0


@jit
def card_or_row(option: int, cause: int) -> int:
    """Return the card of an option for the cause PLAN, the row for the cause ROW."""
    return move_card(option) if cause == RandomPick.PLAN else move_row(option)


@jit
def choose_tie(s: State, x: Context, ties: int) -> None:
    """Take a random plan among the best."""
    chosen = 0
    if ties > 1:
        chosen = scripted_tie(x, ties) if x.scripted else draw_below(s.rng, ties)
    x.n_plan = x.tie_length[chosen]
    for i in range(x.n_plan):
        x.plan[i] = x.tie[chosen, i]


# -----------------------------------------------------------------------------
# The automa's agile units, which move for free in its turn (rules 6.5.5)


@jit
def move_agile_units(s: State, x: Context) -> None:
    """Move agile units, each in turn, as long as that raises the total."""
    moving = has_agile_unit(s, x)
    while moving:
        moving = False
        for here in range(RowName.SIEGE.value):
            i = 0
            while i < s.n_row[AUTOMA, here]:
                if try_agile_move(s, x, here, 1 - here, i):
                    moving = True
                else:
                    i += 1


@jit
def has_agile_unit(s: State, x: Context) -> bool:
    """Report whether there is a unit that could move."""
    for row in range(RowName.SIEGE.value):
        for i in range(s.n_row[AUTOMA, row]):
            if is_agile_unit(x, s.row[AUTOMA, row, i]):
                return True
    return False


@jit
def is_agile_unit(x: Context, card: Card) -> bool:
    """Report whether the card is an agile unit, or by option a hero, that may move."""
    may_move = x.kind[card] == Kind.UNIT or x.automa_moves_heroes
    return may_move and x.ability[card] & Ability.AGILE != 0


@jit
def try_agile_move(s: State, x: Context, here: Row, there: Row, index: int) -> bool:
    """Move the card at `index` if it is agile and the automa's total grows.

    Reports whether it moved.
    """
    if not is_agile_unit(x, s.row[AUTOMA, here, index]):
        return False
    before = s.total[AUTOMA, here] + s.total[AUTOMA, there]
    card = remove_from_row(s, AUTOMA, here, index)
    s.row[AUTOMA, there, s.n_row[AUTOMA, there]] = card
    s.n_row[AUTOMA, there] += 1
    rescore(s, x, AUTOMA, here)
    rescore(s, x, AUTOMA, there)
    if s.total[AUTOMA, here] + s.total[AUTOMA, there] > before:
        note_action(s, x, AutomaAction.MOVE.value, card, there, AUTOMA)
        return True
    s.n_row[AUTOMA, there] -= 1
    for i in range(s.n_row[AUTOMA, here], index, -1):
        s.row[AUTOMA, here, i] = s.row[AUTOMA, here, i - 1]
    s.row[AUTOMA, here, index] = card
    s.n_row[AUTOMA, here] += 1
    rescore(s, x, AUTOMA, here)
    rescore(s, x, AUTOMA, there)
    return False


# -----------------------------------------------------------------------------
# The cards of the automa (rules 6.5), carried out by a plan
#
# The same functions work on the game and on the copy in which a plan is tried.


class Source(IntEnum):
    """Where a played card comes from. In piles and deck the plan chooses the card."""

    HAND = 0  # a card at hand, as one that was just drawn
    OWN_PILE = 1
    USER_PILE = 2
    TIGHT_BOND = 3  # a tight-bond unit of the deck
    MARDROEME = 4  # the first Mardroeme card of the deck


DRAWN_MARK = 0  # on the stack instead of a card: the next cell is a card to be played
FULL_ROW = 63  # more cards than a row can hold
ROW_RANKS = 4  # ranks of a row's place, below the ranks by its number of cards
BEHIND_ROWS = ROW_COUNT  # the rank of a card in no row

ENTRY_WITHOUT_MUSTER = int(ON_ENTRY & ~Ability.MUSTER)
ENTRY_WITHOUT_SPY = int(ON_ENTRY & ~Ability.SPY)


@jit
def draw(s: State) -> Card:
    """Draw the top card of the automa's deck and return it, or 0 if there is none."""
    if s.n_deck[AUTOMA] == 0:
        return 0
    s.n_deck[AUTOMA] -= 1
    card = s.deck[AUTOMA, s.n_deck[AUTOMA]]
    s.history = extend_history(s.history, card)
    return card


@jit
def start_play(s: State, x: Context, source: int, card: Card) -> None:
    """Play the card, or the card of a pile or of the deck that the plan takes."""
    if source == Source.HAND:
        lay(s, x, card)
        return
    if source == Source.OWN_PILE:
        count = list_pile_options(s, x, AUTOMA)
    elif source == Source.USER_PILE:
        count = list_pile_options(s, x, USER)
    else:
        count = list_deck_options(s, x, source)
    if count == 0:
        return
    option = decide(x, count)
    chosen = move_card(option)
    row = move_row(option)
    if source == Source.OWN_PILE:
        come_back(s, x, chosen, row)
    elif source == Source.USER_PILE:
        remove_from_discard(s, USER, chosen)
        lay_on_own_side(s, x, chosen, row)
    else:
        remove_from_deck(s, AUTOMA, chosen)
        shuffle_own_deck(s, x)
        lay_in_row(s, x, chosen, row)


@jit
def list_pile_options(s: State, x: Context, side: Side) -> int:
    """List each different card of a pile for each of its rows. Return the number."""
    count = 0
    for i in range(s.n_discard[side]):
        if may_take(x, side, s.discard[side, i]):
            count = add_card(x, count, s.discard[side, i])
    return count


@jit
def may_take(x: Context, side: Side, card: Card) -> bool:
    """Report whether a leader may take the card of a pile (6.7.3, 6.7.15).

    The Relentless may by option take heroes too, or units alone.
    """
    kind = x.kind[card]
    if kind == Kind.HERO:
        return side == USER and x.relentless_takes_heroes != 0
    return kind == Kind.UNIT or side == AUTOMA or x.relentless_takes_units == 0


@jit
def list_deck_options(s: State, x: Context, source: int) -> int:
    """List the tight-bond units or the first Mardroeme card of the deck.

    Returns the number of options.
    """
    count = 0
    for i in range(s.n_deck[AUTOMA] - 1, -1, -1):
        card = s.deck[AUTOMA, i]
        ability = x.ability[card]
        if source == Source.TIGHT_BOND:
            if x.kind[card] == Kind.UNIT and ability & Ability.TIGHT_BOND:
                count = add_card(x, count, card)
        elif x.kind[card] == Kind.SPECIAL and ability & Ability.MARDROEME:
            return add_option(x, count, 0, 0, card)
    return count


@jit
def add_card(x: Context, count: int, card: Card) -> int:
    """Append a card in each of its rows. Cards without a row come last (6.2.7)."""
    if x.kind[card] >= Kind.SPECIAL:
        return add_option_once(x, count, row_rank(x, BEHIND_ROWS), 0, card)
    for row in range(ROW_COUNT):
        if may_lie_in(x, card, row):
            count = add_option_once(x, count, row_rank(x, row), row, card)
    return count


@jit
def gives_another_turn(x: Context, card: Card) -> bool:
    """Report whether another turn follows, as after any weather card (6.2.7)."""
    if x.kind[card] != Kind.WEATHER:
        return False
    return not (x.clear_weather_ends_turn and x.ability[card] & Ability.WEATHER_CLEAR)


@jit
def note_drawn(s: State, x: Context, card: Card) -> None:
    """Give another turn for weather that a spy or a leader drew (6.2.9).

    By option it does so only within a turn, or not at all.
    """
    is_late = x.late_weather_ends_turn and not s.in_turn
    is_free = not x.drawn_weather_ends_turn and not is_late
    if is_free and gives_another_turn(x, card):
        s.more_turns += 1


@jit
def shuffle_own_deck(s: State, x: Context) -> None:
    """Shuffle the automa's deck, but not while a plan is tried."""
    if not s.trying:
        shuffle_deck(s, x, AUTOMA)


@jit
def lay(s: State, x: Context, card: Card) -> None:
    """Play a card. The plan decides among several rows for a unit."""
    row = 0 if x.kind[card] >= Kind.SPECIAL else planned_row(x, card)
    lay_in_row(s, x, card, row)


@jit
def lay_in_row(s: State, x: Context, card: Card, row: Row) -> None:
    """Play a card, a unit in the row. Abilities of units wait on the stack."""
    if x.kind[card] == Kind.WEATHER:
        note_action(s, x, AutomaAction.PLAY.value, card, NO_ROW, AUTOMA)
        play_weather(s, x, AUTOMA, card)
    elif x.kind[card] == Kind.SPECIAL:
        lay_special(s, x, card)
    else:
        # "Spy: lies on your side as usual"
        side = USER if x.ability[card] & Ability.SPY else AUTOMA
        enter(s, x, side, row, card, ON_ENTRY)


@jit
def lay_on_own_side(s: State, x: Context, card: Card, row: Row) -> None:
    """Lay a card of the user on the automa's side, a spy as well."""
    if x.kind[card] >= Kind.SPECIAL:
        lay_in_row(s, x, card, row)
    else:
        enter(s, x, AUTOMA, row, card, ENTRY_WITHOUT_SPY)


@jit
def planned_row(x: Context, card: Card) -> Row:
    """Return the row of a unit, by the plan where several are possible."""
    return move_row(decide(x, add_card(x, 0, card)))


@jit
def enter(
    s: State, x: Context, side: Side, row: Row, card: Card, entry_abilities: int
) -> None:
    """Put a unit into play and remember to carry out these abilities."""
    note_action(s, x, AutomaAction.LAY.value, card, row, side)
    place(s, x, side, row, card)
    if x.ability[card] & entry_abilities:
        stack_up(s, card, row, side)


@jit
def lay_special(s: State, x: Context, card: Card) -> None:
    """Play Decoy, Scorch, or a special that goes beside a row."""
    ability = x.ability[card]
    if ability & Ability.DECOY:
        hide(s, x, card)
    elif ability & Ability.SCORCH:
        note_action(s, x, AutomaAction.PLAY.value, card, NO_ROW, AUTOMA)
        scorch_user(s, x, NOWHERE, NOWHERE)
        discard(s, AUTOMA, card)
    elif ability & SLOT_ABILITIES:
        lay_beside_best_row(s, x, card)
    else:
        raise UnplayedCode("special")


@jit
def scorch_user(s: State, x: Context, row: Row, spare: int) -> None:
    """Scorch a row: "Only your side of the battlefield is affected" (6.5.2).

    Only that side is compared, or by option both. In that case the Pirate, at index
    `spare` of its row, is left out.
    """
    best = strongest_on_side(s, x, USER, NOWHERE, NOWHERE)
    if x.automa_scorch_compares_both:
        best = max(best, strongest_on_side(s, x, AUTOMA, row, spare))
    destroy_marked(s, x, mark_on_side(s, x, USER, best, NOWHERE, NOWHERE, 0))


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
        note_action(s, x, AutomaAction.HIDE.value, decoy, NO_ROW, AUTOMA)
    else:
        discard(s, AUTOMA, decoy)
        note_action(s, x, AutomaAction.PLAY.value, decoy, NO_ROW, AUTOMA)


@jit
def lay_beside_best_row(s: State, x: Context, card: Card) -> None:
    """Lay a horn or Mardroeme beside its best free row, else discard it.

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
        note_action(s, x, AutomaAction.PLAY.value, card, NO_ROW, AUTOMA)
        discard(s, AUTOMA, card)
        return
    row = move_row(decide(x, count))
    note_action(s, x, AutomaAction.LAY.value, card, row, AUTOMA)
    lay_beside_row(s, x, AUTOMA, card, row)


@jit
def carry_out(s: State, x: Context, card: Card, row: Row, side: Side) -> None:
    """Carry out the abilities of a unit that just came into play."""
    ability = x.ability[card]
    if ability & Ability.MUSTER:
        muster(s, x, x.calls[card])
    if ability & Ability.SCORCH:
        scorch_user(s, x, row, spared_unit(s, x, card, row, side))
    act_on_rows(s, x, AUTOMA, ability, row, side)
    if ability & Ability.MEDIC:
        revive(s, x)
    if ability & Ability.SPY and not s.trying:
        draw_for_spy(s)


@jit
def draw_for_spy(s: State) -> None:
    """Carry out a spy: "at once draws two cards and deploys both" (6.5.4), in order.

    Both are drawn before either is deployed, so neither finds the other in the deck.
    """
    first = s.n_stack
    for _ in range(SPY_DRAWS):
        card = draw(s)
        if card:
            stack_up(s, DRAWN_MARK, card, AUTOMA)
    for i in range((s.n_stack - first) // 2):
        top = s.n_stack - 1 - i
        card = s.stack[first + i, 1]
        s.stack[first + i, 1] = s.stack[top, 1]
        s.stack[top, 1] = card


@jit
def muster(s: State, x: Context, family: int) -> None:
    """Find the first named card in the deck, deploy it and shuffle (6.5.3)."""
    card = 0
    for i in range(s.n_deck[AUTOMA]):
        if x.family[s.deck[AUTOMA, i]] == family:
            card = s.deck[AUTOMA, i]
    if card:
        remove_from_deck(s, AUTOMA, card)
        enter(s, x, AUTOMA, planned_row(x, card), card, ENTRY_WITHOUT_MUSTER)
    shuffle_own_deck(s, x)


@jit
def revive(s: State, x: Context) -> None:
    """Medic: the unit of the pile that helps most, never a hero (6.5.6)."""
    count = list_units(s, x, AUTOMA)
    if count == 0:
        return
    if s.random_revival:
        if not s.trying:
            card = x.pool[pick(s, x, count, RandomPick.REVIVED.value, AUTOMA, 1)]
            come_back(s, x, card, better_row(s, x, AUTOMA, card))
        return
    options = 0
    for i in range(count):
        options = add_card(x, options, x.pool[i])
    chosen = decide(x, options)
    come_back(s, x, move_card(chosen), move_row(chosen))


@jit
def take_random_unit(s: State, x: Context, cause: int) -> Card:
    """Take a random unit out of the automa's pile and return it, or 0."""
    count = list_units(s, x, AUTOMA)
    if count == 0:
        return 0
    card = x.pool[pick(s, x, count, cause, AUTOMA, 1)]
    remove_from_discard(s, AUTOMA, card)
    return card


@jit
def come_back(s: State, x: Context, card: Card, row: Row) -> None:
    """Play a card of the pile as if from the hand."""
    remove_from_discard(s, AUTOMA, card)
    lay_in_row(s, x, card, row)


# -----------------------------------------------------------------------------
# The automa plays a card in the most effective way (rules 6.2.5)
#
# `play` tries every way to play a card on a copy of the state and takes the best.

WORST_VALUE = -(1 << 40)


@jit
def play(s: State, x: Context, source: int, card: Card) -> None:
    """Play a card in the most effective way, and all that it draws (6.2.5).

    `card` counts only from the hand. From another source the plan chooses the card.
    """
    prepare_plan(s, x, source, card)
    start_play(s, x, source, card)
    while s.n_stack > 0:
        s.n_stack -= 1
        if s.stack[s.n_stack, 0] == DRAWN_MARK:
            drawn = s.stack[s.n_stack, 1]
            note_drawn(s, x, drawn)
            prepare_plan(s, x, Source.HAND.value, drawn)
            start_play(s, x, Source.HAND.value, drawn)
        else:
            carry_out_top(s, x)


@jit
def carry_out_top(s: State, x: Context) -> None:
    """Carry out the abilities of the card just taken off the stack."""
    card = s.stack[s.n_stack, 0]
    row = s.stack[s.n_stack, 1]
    carry_out(s, x, card, row, s.stack[s.n_stack, 2])


@jit
def prepare_plan(s: State, x: Context, source: int, card: Card) -> None:
    """Find the best plan for the card about to be played."""
    x.n_plan = 0
    if source != Source.HAND or has_choice(x, card):
        find_plan(s, x, source, card)
    start_plan(x)


@jit
def has_choice(x: Context, card: Card) -> bool:
    """Report whether there may be several ways to play the card."""
    ability = x.ability[card]
    if x.kind[card] == Kind.SPECIAL:
        return ability & SLOT_ABILITIES != 0
    return ability & (Ability.MEDIC | Ability.AGILE | Ability.MUSTER) != 0


@jit
def find_plan(s: State, x: Context, source: int, card: Card) -> None:
    """Try every plan and take the best. Chance decides between equals."""
    best = WORST_VALUE
    best_rank = 0
    ties = 0
    while True:
        value = evaluate_plan(s, x, source, card)
        if value > best or (value == best and x.rank < best_rank):
            best, best_rank, ties = value, x.rank, 0
        if value == best and x.rank == best_rank:
            ties = keep_tie(x, ties)
        if not next_plan(x):
            break
    choose_tie(s, x, ties)


@jit
def evaluate_plan(s: State, x: Context, source: int, card: Card) -> int:
    """Return the value of the plan: the automa's lead after full resolution (6.2.7).

    For a medic it is the automa's own total, as it takes the unit that "adds most
    strength" (6.5.6). Cards that the automa has not seen, such as the cards that a spy
    would draw, do not count.
    """
    x.trial[0] = s
    t = x.trial[0]
    t.trying = 1
    t.n_stack = 0
    start_plan(x)
    start_play(t, x, source, card)
    while t.n_stack > 0:
        t.n_stack -= 1
        carry_out_top(t, x)
    if t.in_turn:
        move_agile_units(t, x)
    total = side_total(t, AUTOMA)
    adds_strength = source == Source.HAND and x.ability[card] & Ability.MEDIC
    if adds_strength or x.automa_aims_at_own_total:
        return total
    return total - side_total(t, USER)


# -----------------------------------------------------------------------------
# The automa's leaders, turned up when the user is ahead (rules 6.4 and 6.7)


@jit
def turn_up_leader(s: State, x: Context) -> None:
    """Turn up the top leader of the pile and apply the effect (6.4.1)."""
    s.n_leaders -= 1
    leader = s.leaders[s.n_leaders]
    note_action(s, x, AutomaAction.LEADER.value, leader, NO_ROW, AUTOMA)
    if x.leader_shuffled_back:
        s.n_leaders += 1
        shuffle_leaders(s, x)
    if leader == Leader.CANCEL_ENEMY_LEADER:
        # "you have no leader ability for the rest of the game" (6.7.7)
        s.leader_state[USER] = LeaderState.VOID
        note_leaders_in_force(s, x)
    elif not user_voids_leaders(s):
        apply_leader(s, x, leader)


@jit
def shuffle_leaders(s: State, x: Context) -> None:
    """Shuffle the pile. Scripted games keep the order."""
    if x.scripted:
        return
    shuffle(s.leaders, s.n_leaders, s.rng)


@jit
def user_voids_leaders(s: State) -> bool:
    """Report whether the user's White Flame is in force (1.9.5, 6.7.14)."""
    return (
        s.leader[USER] == Leader.CANCEL_ENEMY_LEADER
        and s.leader_state[USER] == LeaderState.PASSIVE
    )


@jit
def apply_leader(s: State, x: Context, leader: int) -> None:
    """Apply the automa's leader by the table of 6.7, else as for a player."""
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        fetch_weather(s, x, AUTOMA, WEATHER_ABILITIES)
    elif leader == Leader.PEEK_THREE_HAND_CARDS:
        # "you discard a card of your hand of your choice" (6.7.5)
        if s.n_hand[USER] > 0:
            s.phase = Phase.AUTOMA_DISCARD
    elif use_at_once(s, x, AUTOMA, leader):
        return
    elif not put_in_force(s, x, leader):
        play_for_leader(s, x, leader)


@jit
def put_in_force(s: State, x: Context, leader: int) -> bool:
    """Put a passive leader in force (6.7.9, 6.7.12). False for other leaders."""
    if leader == Leader.DOUBLE_SPIES:
        s.automa_double_spies = 1
    elif leader == Leader.HALF_WEATHER:
        s.automa_half_weather = 1
    elif leader == Leader.OPTIMISE_AGILE_ROWS:
        s.agile_bonus[AUTOMA] = 1
    else:
        return False
    note_leaders_in_force(s, x)
    return True


@jit
def note_leaders_in_force(s: State, x: Context) -> None:
    """Set the marks of passive leaders, including the automa's."""
    note_passive_leaders(s, x)
    if s.automa_double_spies:
        s.double_spies = 1
    if s.automa_half_weather:
        s.half_weather[AUTOMA] = 1
    rescore_all(s, x)


@jit
def end_passive_leaders(s: State, x: Context) -> None:
    """End the automa's passive leaders with the round (6.7.14)."""
    if not x.automa_passives_stay:
        s.automa_double_spies = 0
        s.automa_half_weather = 0
        s.agile_bonus[AUTOMA] = 0
        note_leaders_in_force(s, x)


@jit
def play_for_leader(s: State, x: Context, leader: int) -> None:
    """Carry out a leader that finds a card and plays it at once."""
    source = Source.HAND.value
    card = 0
    if leader == Leader.RESTORE_OWN_DISCARD:
        source = Source.OWN_PILE.value
    elif leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        source = Source.USER_PILE.value
    elif leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        source = Source.TIGHT_BOND.value
    elif leader == Leader.PLAY_MARDROEME_FROM_DECK:
        source = Source.MARDROEME.value
    elif leader == Leader.RANDOM_REVIVE:
        card = take_random_unit(s, x, RandomPick.LEADER.value)
    elif leader == Leader.DISCARD_TWO_PICK_ONE or leader == Leader.EXTRA_OPENING_CARD:
        # Destroyer of Worlds and Daisy: "draws a card and plays it" (6.7.1, 6.7.8)
        card = draw(s)
        note_drawn(s, x, card)
    else:
        raise UnplayedCode("leader")
    if source != Source.HAND or card:
        play(s, x, source, card)


# -----------------------------------------------------------------------------
# The abilities an automa carries out, each with the function of its branch
#
# Strengths, weather and abilities on rows are as in a duel.

AUTOMA_ABILITIES: dict[Ability, Carried] = {
    **ON_ROWS,
    **STANDING_ABILITIES,
    **WEATHER_CARD_ABILITIES,
    Ability.SPY: carry_out,
    Ability.MEDIC: carry_out,
    Ability.MUSTER: carry_out,
    Ability.SCORCH: carry_out,
    Ability.DECOY: lay_special,
    Ability.AGILE: is_agile_unit,
}
AUTOMA_LEADERS: dict[Leader, Carried] = LEADERS_AT_ONCE | {
    Leader.CANCEL_ENEMY_LEADER: turn_up_leader,
    Leader.DISCARD_TWO_PICK_ONE: play_for_leader,
    Leader.DOUBLE_SPIES: put_in_force,
    Leader.EXTRA_OPENING_CARD: play_for_leader,
    Leader.HALF_WEATHER: put_in_force,
    Leader.OPTIMISE_AGILE_ROWS: put_in_force,
    Leader.PEEK_THREE_HAND_CARDS: apply_leader,
    Leader.PLAY_ANY_WEATHER_FROM_DECK: apply_leader,
    Leader.PLAY_MARDROEME_FROM_DECK: play_for_leader,
    Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK: play_for_leader,
    Leader.RANDOM_REVIVE: play_for_leader,
    Leader.RESTORE_OWN_DISCARD: play_for_leader,
    Leader.TAKE_FROM_ENEMY_DISCARD: play_for_leader,
}
