"""The automa plays a card in the most effective way (rules 6.2.5).

`play` tries every way to play a card on a copy of the state and takes the best; what
the cards do is in `cards`.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.games.gwent.rules.specials import SLOT_ABILITIES
from deckcheck.engine.games.gwent.solo.cards import (
    CARD,
    DRAWN,
    begin,
    carry_out,
    note_drawn,
)
from deckcheck.engine.games.gwent.solo.plans import (
    choose_tie,
    keep_tie,
    next_plan,
    start_plan,
)
from deckcheck.engine.games.gwent.solo.rows import move_agile_units
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, State

WORST = -(1 << 40)


@jit
def play(s: State, x: Context, what: int, card: Card) -> None:
    """Play a card in the most effective way, and all that it draws (6.2.5)."""
    prepare_plan(s, x, what, card)
    begin(s, x, what, card)
    while s.n_stack > 0:
        s.n_stack -= 1
        if s.stack[s.n_stack, 0] == DRAWN:
            drawn = s.stack[s.n_stack, 1]
            note_drawn(s, x, drawn)
            prepare_plan(s, x, CARD, drawn)
            begin(s, x, CARD, drawn)
        else:
            carry_out_top(s, x)


@jit
def carry_out_top(s: State, x: Context) -> None:
    """The abilities of the card that was just taken off the stack."""
    card, row = s.stack[s.n_stack, 0], s.stack[s.n_stack, 1]
    carry_out(s, x, card, row, s.stack[s.n_stack, 2])


@jit
def prepare_plan(s: State, x: Context, what: int, card: Card) -> None:
    """Find the best plan for what is about to be played."""
    x.n_plan = 0
    if what != CARD or has_choice(x, card):
        find_plan(s, x, what, card)
    start_plan(x)


@jit
def has_choice(x: Context, card: Card) -> bool:
    """Whether there may be several ways to play the card."""
    ability = x.ability[card]
    if x.kind[card] == Kind.SPECIAL:
        return ability & SLOT_ABILITIES != 0
    return ability & (Ability.MEDIC | Ability.AGILE | Ability.MUSTER) != 0


@jit
def find_plan(s: State, x: Context, what: int, card: Card) -> None:
    """Try every plan and make the best one the plan; chance decides between equals."""
    best = WORST
    best_rank = 0
    ties = 0
    while True:
        value = tried(s, x, what, card)
        if value > best or (value == best and x.rank < best_rank):
            best, best_rank, ties = value, x.rank, 0
        if value == best and x.rank == best_rank:
            ties = keep_tie(x, ties)
        if not next_plan(x):
            break
    choose_tie(s, x, ties)


@jit
def tried(s: State, x: Context, what: int, card: Card) -> int:
    """What the plan is worth: the automa's lead after full resolution (6.2.7).

    Of a medic it is the automa's own total: it takes the unit that "adds most strength"
    (6.5.6). Cards that it has not seen, such as those that a spy would draw, do not
    count.
    """
    x.trial[0] = s
    t = x.trial[0]
    t.trying = 1
    t.n_stack = 0
    start_plan(x)
    begin(t, x, what, card)
    while t.n_stack > 0:
        t.n_stack -= 1
        carry_out_top(t, x)
    if t.in_turn:
        move_agile_units(t, x)
    own = side_total(t, AUTOMA)
    adds_strength = what == CARD and x.ability[card] & Ability.MEDIC
    if adds_strength or x.automa_aims_at_own_total:
        return own
    return own - side_total(t, USER)
