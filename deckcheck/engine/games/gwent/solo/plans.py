"""The automa's choices: every choice of a play is an option of a plan.

A play is tried out on a copy of the state, once for each plan, that is for each way to
make its choices. While a play runs it asks `decide`, which answers by the plan.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Lot
from deckcheck.engine.games.gwent.rules.zones import ROW_ANSWER
from deckcheck.engine.games.gwent.solo.state import AUTOMA
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.scripted import lack_answer
from deckcheck.engine.types import Card, Context, Row, State

RANKED = 6  # choices whose ranks are compared
RANK_SIZE = 8  # bits of a rank in the rank of a plan

# An option: its rank, a row, a card.
CARD_MASK = 4095
ROW_BIT, ROW_MASK = 12, 15
RANK_BIT = 16


@jit
def option_card(option: int) -> Card:
    """The card of an option."""
    return option & CARD_MASK


@jit
def option_row(option: int) -> Row:
    """The row of an option."""
    return (option >> ROW_BIT) & ROW_MASK


@jit
def row_rank(x: Context, row: Row) -> int:
    """Equally good plans: "ties by the lowest row and then at random" (6.2.7)."""
    return 0 if x.automa_ties_random else row


@jit
def add_option(x: Context, count: int, rank: int, row: Row, card: Card) -> int:
    """Append an option; returns the new number of options."""
    x.option[count] = rank << RANK_BIT | row << ROW_BIT | card
    return count + 1


@jit
def add_option_once(x: Context, count: int, rank: int, row: Row, card: Card) -> int:
    """Append an option unless it is in the list already."""
    option = rank << RANK_BIT | row << ROW_BIT | card
    for i in range(count):
        if x.option[i] == option:
            return count
    x.option[count] = option
    return count + 1


@jit
def start_plan(x: Context) -> None:
    """The plan is followed from its first choice."""
    x.depth = 0
    x.rank = 0


@jit
def decide(x: Context, count: int) -> int:
    """The option that the plan takes, the first one beyond the end of the plan."""
    at = x.depth
    if count == 1 or at >= x.plan.shape[0]:
        return x.option[0]
    if at >= x.n_plan:
        x.plan[at] = 0
        x.n_plan = at + 1
    x.n_options[at] = count
    x.depth = at + 1
    option = x.option[x.plan[at]]
    if at < RANKED:
        x.rank += (option >> RANK_BIT) << RANK_SIZE * (RANKED - 1 - at)
    x.chosen[at] = option
    return option


@jit
def next_plan(x: Context) -> bool:
    """Go to the next way to make the choices that came up; false after the last."""
    at = x.depth - 1
    while at >= 0 and x.plan[at] + 1 >= x.n_options[at]:
        at -= 1
    if at < 0:
        return False
    x.plan[at] += 1
    x.n_plan = at + 1
    return True


@jit
def keep_tie(x: Context, ties: int) -> int:
    """Remember the plan as number `ties` of the best ones; returns their number."""
    if ties == x.tie.shape[0]:
        return ties
    for i in range(x.depth):
        x.tie[ties, i] = x.plan[i]
        x.tie_option[ties, i] = x.chosen[i]
    x.tie_length[ties] = x.depth
    return ties + 1


@jit
def scripted_tie(x: Context, ties: int) -> int:
    """The plan that the script chooses, by the cards and rows in which plans differ."""
    for i in range(ties):
        x.tie_counts[i] = 1
    for at in range(x.plan.shape[0]):
        narrow(x, ties, at, Lot.PLAN.value)
        narrow(x, ties, at, Lot.ROW.value)
    for i in range(ties):
        if x.tie_counts[i]:
            return i
    return 0


@jit
def narrow(x: Context, ties: int, at: int, lot: int) -> None:
    """Keep the plans whose choice number `at` is of the card or row of the script."""
    count = 0
    for i in range(ties):
        if x.tie_counts[i] and at < x.tie_length[i]:
            value = part(x.tie_option[i, at], lot)
            if not is_in_pool(x, count, value):
                x.pool[count] = value
                count += 1
    if count < 2 or x.script_error:
        return
    answer = scripted_answer(x, count, lot)
    for i in range(ties):
        if at >= x.tie_length[i] or part(x.tie_option[i, at], lot) != answer:
            x.tie_counts[i] = 0


@jit
def part(option: int, lot: int) -> int:
    """The card or the row of an option."""
    return option_card(option) if lot == Lot.PLAN else option_row(option)


@jit
def is_in_pool(x: Context, count: int, value: int) -> bool:
    """Whether a value is among the first ones of the pool."""
    for i in range(count):
        if x.pool[i] == value:
            return True
    return False


@jit
def scripted_answer(x: Context, count: int, lot: int) -> int:
    """The card or row of the pool that the script names next."""
    if x.script_pos < x.n_script:
        answer = x.script[x.script_pos]
        for i in range(count):
            value = x.pool[i]
            word = x.plain[value] if lot == Lot.PLAN else ROW_ANSWER - value
            if word == answer:
                x.script_pos += 1
                return value
    lack_answer(x, count, lot, AUTOMA)
    return x.pool[0]


@jit
def choose_tie(s: State, x: Context, ties: int) -> None:
    """Make a random one of the best plans the plan."""
    chosen = 0
    if ties > 1:
        chosen = scripted_tie(x, ties) if x.scripted else draw_below(s.rng, ties)
    x.n_plan = x.tie_length[chosen]
    for i in range(x.n_plan):
        x.plan[i] = x.tie[chosen, i]
